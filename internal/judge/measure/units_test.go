package measure

import (
	"testing"

	"github.com/gohone/hone/judge"
)

func TestUnitsKnowTheirDirection(t *testing.T) {
	for unit, want := range map[string]judge.Direction{
		"ns/op": judge.Lower, "B/op": judge.Lower, "allocs/op": judge.Lower, CPUUnit: judge.Lower,
		"MB/s": judge.Higher, "frames/s": judge.Higher, "p99-ns": judge.Lower, "misses/op": judge.Lower,
	} {
		if got := OfUnit(unit).Better; got != want {
			t.Errorf("%s: better is %s, want %s", unit, got, want)
		}
	}
}
