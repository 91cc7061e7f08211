package load

import (
	"time"

	"github.com/gohone/hone/internal/text/units"
)

// Whether the generator kept the pace that its numbers claim.

const (
	// saturatedBusy is the share of its CPU from which the generator, not the
	// service, sets the pace.
	saturatedBusy = 0.95
	// minOfferedShare is the share of the requests due that must be sent.
	minOfferedShare = 0.995
	// minComparedShare is that of a comparison whose generator was late: with less, the load is another one.
	minComparedShare = 0.9
	// maxLag is the send lag that is always accepted: about what a thread takes to get its CPU
	// back on a shared machine. Above it, lag must stay within lagShare of the response
	// time that it is part of, both at p99.
	maxLag   = time.Millisecond
	lagShare = 0.10
	// maxPauseShare is the share of the time that the generator's garbage collector may
	// stop it, manyPauses what it may in any case, and longPause a pause that is worth a
	// word.
	maxPauseShare = 0.01
	manyPauses    = 10 * time.Millisecond
	longPause     = time.Millisecond
)

// LagAllowed is how late the generator may be with requests that take so long, at the same quantile of both.
func LagAllowed(response time.Duration) time.Duration {
	return max(maxLag, time.Duration(lagShare*float64(response)))
}

// Pauses are stops of a process by its own garbage collector.
type Pauses struct {
	Count uint64 `json:"count"`
	// Total and Max are upper bounds: the runtime keeps them in classes.
	Total time.Duration `json:"total_ns"`
	Max   time.Duration `json:"max_ns"`
}

// judgeRate looks whether an open loop sent what was due.
func (e Evidence) judgeRate(d *doubts) {
	t := e.Tally
	c := t.Counts
	if e.OnTime != nil && 2*e.OnTime.Scheduled >= c.Scheduled {
		c = *e.OnTime
	}
	if c.Scheduled == 0 {
		return
	}
	share := float64(c.Sent) / float64(c.Scheduled)
	if share >= minOfferedShare {
		return
	}
	why := "all connections were busy, so the target sets the pace: lower --rate, or give it more connections with -c"
	if e.late() || t.Busy() >= saturatedBusy {
		why = "the load generator was late"
	}
	fatal := e.OnTime == nil || !e.late() || share < minComparedShare
	d.add(fatal, DoubtRate, "rate short: %s of %s requests due were sent (%.2f %%); %s",
		units.Count(c.Sent), units.Count(c.Scheduled), 100*share, why)
}

// judgeGenerator looks whether the generator was in its own way.
func (e Evidence) judgeGenerator(d *doubts) {
	t := e.Tally
	if e.late() {
		d.add(e.Pace, DoubtLag,
			"load generator late: it sent requests %s after they were due (send lag, p99), which is too much of a response time of %s (p99)",
			units.Nanos(float64(t.Lag.ValueAtQuantile(99))), units.Nanos(quantileOf(t.Response, 99)))
	}
	if busy := t.Busy(); busy >= saturatedBusy {
		d.add(e.Pace && !e.Schedule.Open(), DoubtSaturated,
			"load generator at %.0f %% of its CPU: throughput and latency are bounded by it, CPU per request is not",
			100*busy)
	}
	p := e.Pauses
	switch {
	case p.Total > manyPauses && float64(p.Total) > maxPauseShare*float64(t.Duration):
		d.add(e.Pace, DoubtPauses, "load generator stopped by its own garbage collector for up to %s of %s",
			units.Nanos(float64(p.Total)), units.Seconds(t.Duration))
	case e.Pace && p.Max >= longPause:
		d.add(false, DoubtPauses, "load generator stopped by its own garbage collector for up to %s at once",
			units.Nanos(float64(p.Max)))
	}
}

// late says that the send lag is too long to be overlooked.
func (e Evidence) late() bool {
	return quantileOf(e.Tally.Lag, 99) > float64(LagAllowed(time.Duration(quantileOf(e.Tally.Response, 99))))
}
