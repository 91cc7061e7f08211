package gobench

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/benchmarks"
)

// Benchmarks by what they cost: the timed part is fixed plus op for each operation, and the
// process takes start, and beside for each operation.
func TestTimeThatDoesNotGrow(t *testing.T) {
	for _, c := range []struct {
		name                     string
		fixed, op, start, beside time.Duration
		want                     string // "" for a loop
	}{
		{"a loop", 300, 1000, time.Millisecond, 0, ""},
		{"an empty loop", 300, 1, time.Millisecond, 0, ""},
		{"slow operations", 0, 2 * time.Second, time.Second, 0, ""},
		{"preparations that are timed", 10 * time.Millisecond, 10, time.Millisecond, 0, ""},
		{"long preparations that are timed", 200 * time.Millisecond, time.Millisecond, time.Millisecond, 0, ""},
		{"long preparations that are not", 300, 1000, 3 * time.Second, 0, ""},
		{"StopTimer around preparations", 300, 100, time.Millisecond, 10 * time.Millisecond, ""},
		{"work without a loop", 2 * time.Millisecond, 0, time.Millisecond, 0, "the loop ignores b.N"},
		{"long work without a loop", 3 * time.Second, 0, time.Millisecond, 0, "the loop ignores b.N"},
		{"no work", 250, 0, time.Millisecond, 0, "the loop ignores b.N"},
		{"ResetTimer in the loop", 5 * time.Microsecond, 0, time.Millisecond, 10 * time.Millisecond,
			"b.ResetTimer or b.StopTimer in the loop"},
	} {
		trials, total := 0, time.Duration(0)
		run := func(n int) (benchmarks.Trial, error) {
			trials++
			timed := c.fixed + time.Duration(n)*c.op
			total += c.start + timed + time.Duration(n)*c.beside
			return benchmarks.Trial{Operations: n, Timed: timed, Wall: c.start + timed + time.Duration(n)*c.beside}, nil
		}
		few, many, ignores, err := ignoresN(c.fixed+c.op, run)
		if err != nil || ignores != (c.want != "") {
			t.Errorf("%s: ignores b.N %v, %v: %v, %v", c.name, ignores, err, few, many)
		}
		if text, hint := untimedText(few, many); ignores && (!strings.Contains(text, c.want) || hint == "") {
			t.Errorf("%s: %s; want %s", c.name, text, c.want)
		}
		if trials > 10 || total > 40*(c.start+c.fixed+c.op)+2*time.Second {
			t.Errorf("%s: %d trials took %v", c.name, trials, total)
		}
	}
	boom := errors.New("boom")
	if _, _, _, err := ignoresN(1, func(int) (benchmarks.Trial,
		error) {
		return benchmarks.Trial{}, boom
	}); !errors.Is(err, boom) {
		t.Errorf("an error: %v", err)
	}
}

// On a busy machine the sleep that is left behind b.ResetTimer takes a millisecond now and then: in a trial that is
// short enough to be repeated that is not growth. With b.StopTimer in the loop the time grows, however small it is.
func TestOneLongSleepIsNoGrowth(t *testing.T) {
	for long := range 2 {
		trial := -1
		if _, many, ignores, err := ignoresN(10*time.Millisecond, func(n int) (benchmarks.Trial, error) {
			trial++
			timed := 60 * time.Microsecond
			if trial == long {
				timed = 1100 * time.Microsecond
			}
			return benchmarks.Trial{Operations: n, Timed: timed, Wall: time.Duration(n) * 10 * time.Millisecond}, nil
		}); err != nil || !ignores {
			t.Errorf("a long sleep in trial %d: ignores b.N %v, %v: %v", long, ignores, err, many)
		}
	}
	// Or it takes a millisecond mostly, and in one trial it is short.
	for short := range 2 {
		trial := -1
		if _, many, ignores, err := ignoresN(10*time.Millisecond, func(n int) (benchmarks.Trial, error) {
			trial++
			timed := 1100 * time.Microsecond
			if trial == short {
				timed = 60 * time.Microsecond
			}
			return benchmarks.Trial{Operations: n, Timed: timed, Wall: time.Duration(n) * 10 * time.Millisecond}, nil
		}); err != nil || !ignores {
			t.Errorf("a short sleep in trial %d: ignores b.N %v, %v: %v", short, ignores, err, many)
		}
	}
	if _, many, ignores, err := ignoresN(10*time.Millisecond, func(n int) (benchmarks.Trial, error) {
		return benchmarks.Trial{Operations: n, Timed: time.Duration(n) * 50 * time.Microsecond,
			Wall: time.Duration(n) * 10 * time.Millisecond}, nil
	}); err != nil || ignores {
		t.Errorf("a loop that stops its timer: ignores b.N %v, %v: %v", ignores, err, many)
	}
}

// The time of a long init varies by a second or more between processes. The loop has nothing to do with it.
func TestAStartThatScattersIsNoGrowth(t *testing.T) {
	for name, starts := range map[string][]time.Duration{
		"later ones are slower": {2100, 3400, 3300, 3500, 3300}, "one is far slower": {2100, 2200, 6000, 2200, 2100},
		"all differ": {4000, 2500, 5500, 3000, 5200},
	} {
		trial := 0
		few, many, ignores, err := ignoresN(400*time.Nanosecond, func(n int) (benchmarks.Trial, error) {
			start := starts[trial%len(starts)] * time.Millisecond
			trial++
			timed := 300 + time.Duration(n)*20
			return benchmarks.Trial{Operations: n, Timed: timed, Wall: start + timed}, nil
		})
		if err != nil || ignores {
			t.Errorf("%s: ignores b.N %v, %v: %v, %v", name, ignores, err, few, many)
		}
	}
	// Beside such a start, the work that b.ResetTimer throws away is found as before.
	if _, many, ignores, err := ignoresN(5*time.Microsecond, func(n int) (benchmarks.Trial, error) {
		return benchmarks.Trial{Operations: n, Timed: 5 * time.Microsecond,
			Wall: 2*time.Second + time.Duration(n)*10*time.Millisecond}, nil
	}); err != nil || !ignores || many.Wall > 15*time.Second {
		t.Errorf("ResetTimer in the loop after a long start: ignores b.N %v, %v: %v", ignores, err, many)
	}
}
