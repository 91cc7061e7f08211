package proven

import (
	"errors"
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// A case is drawn as often as it lacks time; one that lacks nothing, or cannot go on, is not.
func TestDraw(t *testing.T) {
	of := func(name string, lacks int, each time.Duration, fault error) *progress {
		return &progress{wanted: wanted{Case: bed.Case{Name: name}}, State: bed.State{Lacks: lacks, Each: each}, fault: fault}
	}
	cases := []*progress{of("done", 0, time.Hour, nil), of("short", 10, time.Minute, nil),
		of("broken", 10, time.Hour, errors.New("no clone")), of("long", 3, 10*time.Minute, nil)}
	drawn := map[string]int{}
	for i := range 400 {
		drawn[draw(cases, float64(i)/400).name()]++
	}
	if len(drawn) != 2 || drawn["short"] != 100 || drawn["long"] != 300 {
		t.Errorf("%v", drawn)
	}
	if p := draw(cases[:1], 0.5); p != nil {
		t.Errorf("%s is drawn and lacks nothing", p.name())
	}
}

// Two uses of one case have two names, each another one.
func TestNamesOfWhatIsWanted(t *testing.T) {
	names := map[string]bool{}
	for _, w := range all {
		if names[w.name()] {
			t.Errorf("two calibrations with the name %s", w.name())
		}
		names[w.name()] = true
		if len(w.About) == 0 {
			t.Errorf("%s does not say what it is about", w.name())
		}
	}
}
