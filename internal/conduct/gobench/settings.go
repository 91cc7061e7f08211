package gobench

import (
	"fmt"

	"github.com/gohone/hone/internal/conduct/gobench/turns"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// setting is a setting of the runtime that a program can change itself, as text; "" where it is not known.
type setting struct {
	variable string
	text     func(turns.Settings) string
}

var settings = []setting{
	{"GOGC", func(s turns.Settings) string {
		switch {
		case s.GOGC < 0:
			return "off"
		case s.GOGC > 0:
			return units.Count(uint64(s.GOGC))
		}
		return ""
	}},
	{"GOMEMLIMIT", func(s turns.Settings) string {
		switch {
		case s.MemoryLimit >= probeclient.NoMemoryLimit:
			return "none"
		case s.MemoryLimit > 0:
			return units.Bytes(float64(s.MemoryLimit))
		}
		return ""
	}},
	{"GOMAXPROCS", func(s turns.Settings) string {
		if s.GOMAXPROCS > 0 {
			return units.Count(s.GOMAXPROCS)
		}
		return ""
	}},
}

// settingsCaveat: B sets its runtime itself. What that gains anyone can have without B's code. A setting that differs
// between the blocks of a side, as a tuner moves it, says nothing.
func settingsCaveat(v judge.Verdict, blocks [][2]account) (all []record.Caveat) {
	for _, s := range settings {
		a, b, constant := constantIn(blocks, s)
		if !constant || a == "" || b == "" || a == b {
			continue
		}
		all = append(all, record.Caveat{Name: benchmarks.CaveatSettings, Open: true, Text: fmt.Sprintf("time per "+
			"operation %s, but B sets %s to %s itself, and A has %s: give both the same", units.Percent(v.Ratio-1),
			s.variable, b, a)})
	}
	return all
}

// constantIn is a setting of both sides; constant is false where blocks differ in it, or where there are none.
func constantIn(blocks [][2]account, s setting) (a, b string, constant bool) {
	for i, block := range blocks {
		was, is := s.text(block[0].settings), s.text(block[1].settings)
		if i > 0 && (was != a || is != b) {
			return "", "", false
		}
		a, b = was, is
	}
	return a, b, len(blocks) > 0
}
