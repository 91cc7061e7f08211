package corpus

import (
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
)

// line is a record of a file of results: a session, or a calibration.
type line struct {
	bed.Entry
	slope *Slope
}

// A calibration holds for an hour, and on one machine.
func TestSlopeInForce(t *testing.T) {
	noon := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	session := func(machine string) line {
		return line{Entry: bed.Entry{Session: &bed.Session{Machine: []string{"machine " + machine}}}}
	}
	s := &Slope{Iterations: 1000, Ratio: figures.Ratio{Value: 1.2}}
	of := line{Entry: bed.Entry{At: noon}, slope: s}
	for _, c := range []struct {
		records []line
		later   time.Duration
		want    *Slope
	}{
		{[]line{session("one"), of}, 59 * time.Minute, s},
		{[]line{session("one"), of}, time.Hour, nil},
		{[]line{session("one"), of, session("one")}, time.Minute, s},
		{[]line{session("one"), of, session("two")}, time.Minute, nil},
	} {
		if got := SlopeInForce(c.records, func(l line) *Slope { return l.slope }, noon.Add(c.later)); got != c.want {
			t.Errorf("%v later: %v", c.later, got)
		}
	}
	if n, err := s.For(0.03); n != 150 || err != nil {
		t.Errorf("%d iterations, %v", n, err)
	}
	if n, err := (&Slope{Iterations: 20, Ratio: figures.Ratio{Value: 1.2}}).For(0.03); err == nil {
		t.Errorf("%d iterations were planted", n)
	}
}
