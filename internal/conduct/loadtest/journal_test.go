package loadtest

import (
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/load"
)

func TestLongTestsHaveLongSlices(t *testing.T) {
	for _, c := range []struct {
		schedule load.Schedule
		interval time.Duration
		want     pace
	}{
		{load.ClosedLoop(10 * time.Second), 0, pace{every: time.Second}},
		{load.OpenLoop(5, 10*time.Minute), 0, pace{every: 5 * time.Second}},
		{load.OpenLoop(5, 24*time.Hour), 0, pace{every: 720 * time.Second}},
		{load.ClosedLoop(24 * time.Hour), 100 * time.Millisecond, pace{every: 100 * time.Millisecond}},
		{load.Schedule{Requests: 9}, 0, pace{every: time.Second, double: keptSlices}},
	} {
		if got := paceOf(c.schedule, c.interval); got != c.want {
			t.Errorf("%+v with interval %v: %+v, want %+v", c.schedule, c.interval, got, c.want)
		}
	}
}

// A test of a day that only a number of requests ends keeps a bounded number of slices,
// and loses nothing.
func TestATestWithoutAnEndKeepsFewSlices(t *testing.T) {
	s := load.Schedule{Requests: 1 << 40}
	j := &journal{rec: recording.New(recording.Header{Setup: recording.Setup{Schedule: s}}), pace: paceOf(s, 0)}
	const seconds = 24 * 60 * 60
	for i := range seconds {
		one := load.Slice{
			Duration: time.Second, Offset: time.Duration(i) * time.Second, Connections: load.Connections{Live: 1},
			Counts: load.Counts{Scheduled: 10, Sent: 10, Answered: 10},
		}
		if err := j.slice(one); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.keep(); err != nil {
		t.Fatal(err)
	}
	if n := len(j.rec.Slices); n > 12*keptSlices {
		t.Errorf("%d slices kept", n)
	}
	j.rec.Final.Counts = j.tally.Counts
	tally := j.rec.Tally()
	if tally.Answered != 10*seconds || tally.Duration != seconds*time.Second {
		t.Errorf("%d answers in %v", tally.Answered, tally.Duration)
	}
}
