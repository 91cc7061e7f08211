package gobench

import (
	"math"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/gobench/turns"
	"github.com/gohone/hone/judge"
)

// A setting of the runtime that B changes itself takes the verdict; one that both have, or that is not known, does not.
func TestARuntimeThatBSetsItself(t *testing.T) {
	const none = math.MaxInt64
	usual := turns.Settings{GOGC: 100, GOMAXPROCS: 2, MemoryLimit: none}
	with := func(change func(*turns.Settings)) turns.Settings {
		s := usual
		change(&s)
		return s
	}
	off, small := with(func(s *turns.Settings) { s.GOGC = -1 }), with(func(s *turns.Settings) { s.GOGC = 50 })
	for _, c := range []struct {
		a, b turns.Settings
		want string
	}{
		{usual, usual, ""}, {small, small, ""}, {turns.Settings{}, turns.Settings{}, ""}, {turns.Settings{}, off, ""},
		{usual, off, "B sets GOGC to off itself, and A has 100"},
		{usual, with(func(s *turns.Settings) { s.GOGC = 400 }), "B sets GOGC to 400 itself, and A has 100"},
		{usual, with(func(s *turns.Settings) { s.GOMAXPROCS = 8 }), "B sets GOMAXPROCS to 8 itself, and A has 2"},
		{usual, with(func(s *turns.Settings) { s.MemoryLimit = 64 << 20 }), "itself, and A has none"},
	} {
		var blocks [][2]account
		for range 4 {
			blocks = append(blocks, [2]account{{settings: c.a}, {settings: c.b}})
		}
		got := settingsCaveat(judge.Verdict{Ratio: 0.5}, blocks)
		switch {
		case c.want == "" && got != nil:
			t.Errorf("%+v and %+v: %+v", c.a, c.b, got)
		case c.want != "" && (len(got) != 1 || !got[0].Open || !strings.Contains(got[0].Text, c.want)):
			t.Errorf("%+v and %+v: %+v, want %q", c.a, c.b, got, c.want)
		}
		blocks[2][1].settings = turns.Settings{GOGC: 77, GOMAXPROCS: 3, MemoryLimit: 1} // a tuner moves it
		if moved := settingsCaveat(judge.Verdict{Ratio: 0.5}, blocks); moved != nil {
			t.Errorf("%+v and settings that move: %+v", c.a, moved)
		}
	}
	if got := settingsCaveat(judge.Verdict{Ratio: 0.5}, nil); got != nil {
		t.Errorf("without blocks: %+v", got)
	}
}
