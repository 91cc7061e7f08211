package load

import (
	"errors"
	"fmt"
	"time"
)

// Schedule says when requests are due. Without Stages and Replay it is a closed loop:
// a request is due whenever a connection has room. With them it is an open loop:
// requests are due at moments of their own, whatever the target does, and wait for
// the first connection with room; latency then counts from the moment they were due.
type Schedule struct {
	// Duration is how long a closed loop sends; 0 means until Requests are sent. An
	// open loop lasts as long as its stages.
	Duration time.Duration `json:"duration_ns,omitempty"`
	// Requests ends the schedule after that many requests; 0 means no bound.
	Requests uint64 `json:"requests,omitempty"`
	// Stages follow each other without a gap.
	Stages []Stage `json:"stages,omitempty"`
	// Arrivals is how requests spread within the stages; empty means Uniform.
	Arrivals Arrivals `json:"arrivals,omitempty"`
	// Seed makes Poisson arrivals the same again.
	Seed uint64 `json:"seed,omitempty"`
	// Replay holds the moments of a recorded schedule, counted from its start, in
	// ascending order. It excludes Stages.
	Replay []time.Duration `json:"replay_ns,omitempty"`
	// Share is the part of an open loop that is sent, where several generators send the whole. Stages, Requests and
	// Replay are those of the whole.
	Share Share `json:"share,omitzero"`
}

// Stage is a stretch of an open loop whose rate goes from From to To, in a straight
// line.
type Stage struct {
	// From and To are requests per second over all connections, 0 or more.
	From float64 `json:"from_hz"`
	To   float64 `json:"to_hz"`
	// For is how long the stage lasts. Must be positive.
	For time.Duration `json:"for_ns"`
}

// Arrivals is how the requests of an open loop spread in time.
type Arrivals string

// The kinds of arrivals.
const (
	// Uniform spaces them evenly.
	Uniform Arrivals = "uniform"
	// Poisson draws them independently of each other, as many users do: a Poisson
	// process of the stages' rate.
	Poisson Arrivals = "poisson"
)

// MaxRateHz bounds the rate of a stage, in requests per second: about what one core can
// send of the smallest pipelined requests.
const MaxRateHz = 1e7

// ClosedLoop is a closed loop that sends for d.
func ClosedLoop(d time.Duration) Schedule { return Schedule{Duration: d} }

// OpenLoop is an open loop of one rate, in requests per second, for d.
func OpenLoop(rateHz float64, d time.Duration) Schedule {
	return Schedule{Stages: []Stage{{From: rateHz, To: rateHz, For: d}}}
}

// Open says whether s is an open loop.
func (s Schedule) Open() bool { return len(s.Stages) > 0 || len(s.Replay) > 0 }

// Length is how long the schedule sends; 0 if only Requests ends it.
func (s Schedule) Length() time.Duration {
	switch {
	case len(s.Replay) > 0:
		return s.Replay[len(s.Replay)-1] + 1
	case len(s.Stages) == 0:
		return s.Duration
	}
	var sum time.Duration
	for _, g := range s.Stages {
		sum += g.For
	}
	return sum
}

// TopRate is the highest rate of the stages in requests per second, or the most moments of a replay within any second;
// 0 for a closed loop.
func (s Schedule) TopRate() (top float64) {
	for _, g := range s.Stages {
		top = max(top, g.From, g.To)
	}
	for from, to := 0, 0; to < len(s.Replay); to++ {
		for s.Replay[to]-s.Replay[from] >= time.Second {
			from++
		}
		top = max(top, float64(to-from+1))
	}
	return top
}

// Validate reports all faults of the schedule at once.
func (s Schedule) Validate() error {
	var faults []error
	add := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	switch {
	case len(s.Stages) > 0 && len(s.Replay) > 0:
		add("a schedule has stages or a replay, not both")
	case s.Open() && s.Duration != 0:
		add("an open loop lasts as long as its stages: its duration must be 0")
	case s.Duration < 0:
		add("duration is %v, want 0 or more", s.Duration)
	case !s.Open() && s.Duration == 0 && s.Requests == 0:
		add("a closed loop needs a duration or a number of requests")
	}
	for i, g := range s.Stages {
		for _, rate := range []float64{g.From, g.To} {
			if !(rate >= 0 && rate <= MaxRateHz) {
				add("stage %d: rate is %g/s, want 0 to %g", i+1, rate, float64(MaxRateHz))
			}
		}
		if g.For <= 0 {
			add("stage %d lasts %v, want more than 0", i+1, g.For)
		}
	}
	if err := s.Share.validate(); err != nil {
		faults = append(faults, err)
	} else if !s.Share.whole() && !s.Open() {
		add("a closed loop has no share: its connections are dealt out")
	}
	last := time.Duration(0)
	for i, at := range s.Replay {
		if at < last {
			add("replay: moment %d is %v, before the one ahead of it (%v)", i+1, at, last)
			break
		}
		last = at
	}
	if s.Arrivals != "" && s.Arrivals != Uniform && s.Arrivals != Poisson {
		add("arrivals are %q, want %q or %q", s.Arrivals, Uniform, Poisson)
	}
	return errors.Join(faults...)
}
