package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/text/panels"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/vitals"
)

// screen is a terminal that knows the three sequences that Live writes.
type screen struct {
	lines []string
	row   int
}

var sequence = regexp.MustCompile(`^\x1b\[([0-9]*)([A-Z])`)

func (s *screen) play(t *testing.T, text string) {
	t.Helper()
	for len(text) > 0 {
		for s.row >= len(s.lines) {
			s.lines = append(s.lines, "")
		}
		switch m := sequence.FindStringSubmatch(text); {
		case m != nil && m[2] == "F":
			up := 0
			fmt.Sscan(m[1], &up)
			if s.row -= up; s.row < 0 {
				t.Fatalf("%d lines above the top", -s.row)
			}
			text = text[len(m[0]):]
		case m != nil && m[2] == "K": // the line was written from its beginning
			text = text[len(m[0]):]
		case m != nil && m[2] == "J":
			s.lines = s.lines[:s.row]
			text = text[len(m[0]):]
		case text[0] == '\n':
			s.row++
			text = text[1:]
		case text[0] == '\r':
			s.lines[s.row] = ""
			text = text[1:]
		default:
			n := strings.IndexAny(text, "\n\r\x1b")
			if n < 0 {
				n = len(text)
			}
			s.lines[s.row] = text[:n]
			text = text[n:]
		}
	}
}

func (s *screen) String() string { return strings.Join(s.lines, "\n") }

// liveOn is Live on a terminal of a size, and what moves its clock on.
func liveOn(size panels.Size) (l *Live, out *bytes.Buffer, pass func(time.Duration)) {
	out = &bytes.Buffer{}
	now := time.Unix(1_700_000_000, 0)
	l = NewLive(out, "A: ./old   B: ./new", func() panels.Size { return size }, panels.Theme{}, false)
	l.now = func() time.Time { return now }
	return l, out, func(d time.Duration) { now = now.Add(d) }
}

func tickOf(variant string, rate float64) progress.Tick {
	return progress.Tick{
		Variant: variant, Done: 3 * time.Second, Total: 10 * time.Second, RatePerSec: rate,
		Note: "B/A -3 % (-5 ... -1 %)",
		Vitals: func() vitals.Reading {
			return vitals.Reading{Process: vitals.Process{CPUCores: vitals.Of(0.5)},
				Traffic: vitals.Traffic{RatePerSec: vitals.Of(rate), LatencyP50Seconds: vitals.Of(1e-3),
					LatencyP99Seconds: vitals.Of(rate * 1e-6)}}
		},
	}
}

// Panels stand in one place, with both variants and the mean of their slices, and leave
// nothing behind but what was said.
func TestLivePanels(t *testing.T) {
	l, out, pass := liveOn(panels.Size{Width: 100, Height: 20})
	l.Phase("measure", 10*time.Second)
	for range 3 {
		for range 10 {
			l.Tick(tickOf("B", 3000))
			l.Tick(tickOf("A", 900))
			l.Tick(tickOf("A", 1100))
			pass(60 * time.Millisecond)
		}
	}
	s := &screen{}
	s.play(t, out.String())
	for _, want := range []string{"A: ./old   B: ./new", "measure  ", "3.0 s of 10 s", "1,000/s", "3,000/s",
		"* B/A -3 %", "p99 1.10"} {
		if got := s.String(); strings.Count(got, want) != 1 {
			t.Errorf("%q stands on the screen %d times:\n%s", want, strings.Count(got, want), got)
		}
	}
	if len(s.lines) > 20 {
		t.Errorf("%d lines on a screen of 20", len(s.lines))
	}
	if text := s.String(); strings.Index(text, "1,000/s") > strings.Index(text, "3,000/s") {
		t.Errorf("B stands before A:\n%s", text)
	}
	l.Warn("something")
	pass(time.Second)
	l.Tick(tickOf("A", 1000))
	l.Clear()
	s = &screen{}
	s.play(t, out.String())
	if got := strings.TrimSpace(s.String()); got != "hone: something" {
		t.Errorf("left behind:\n%s", got)
	}
}

// What takes long is added up for the pictures, not for every slice.
func TestLiveAsksForWhatTakesLongWhenItDraws(t *testing.T) {
	l, out, pass := liveOn(panels.Size{Width: 100, Height: 20})
	asked := 0
	for range 20 {
		tick := tickOf("", 1000)
		tick.Lately = func(r *vitals.Reading) { asked++; r.Goroutines = vitals.Of(4711) }
		l.Tick(tick)
		pass(liveEvery / 4)
	}
	if pictures := 5; asked != pictures {
		t.Errorf("asked %d times for %d pictures of 20 slices", asked, pictures)
	}
	s := &screen{}
	if s.play(t, out.String()); !strings.Contains(s.String(), "4,711") {
		t.Errorf("what was asked for is not shown:\n%s", s)
	}
}

// Without room, or without load, one line does.
func TestLiveWithoutRoom(t *testing.T) {
	for _, size := range []panels.Size{{}, {Width: 59, Height: 40}, {Width: 200, Height: 11}} {
		l, out, pass := liveOn(size)
		pass(time.Second)
		l.Tick(tickOf("A", 1000))
		if got := out.String(); !strings.HasPrefix(got, "\r: 7.0 s left  A 1,000/s") || strings.Contains(got, "\x1b") {
			t.Errorf("%v: %q", size, got)
		}
	}
	l, out, pass := liveOn(panels.Size{Width: 100, Height: 30})
	pass(time.Second)
	l.Tick(progress.Tick{Done: time.Second, NoLoad: true})
	if strings.Contains(out.String(), "\x1b") {
		t.Errorf("panels without load: %q", out.String())
	}
	plain := NewLive(out, "x", nil, panels.Theme{}, false)
	out.Reset()
	plain.Phase("measure", time.Second)
	plain.Tick(tickOf("A", 1))
	if out.String() != "measure (1.0 s)\n" {
		t.Errorf("without a terminal: %q", out.String())
	}
}
