package service

import (
	"cmp"
	"context"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/load"
)

// warmUp is what the latest warm-up of a start saw.
type warmUp struct {
	began    time.Time
	took     time.Duration
	answered uint64
	counts   load.Counts
	median   time.Duration // of the latency
	// collections is how many ended, collecting the share of the CPU time that the collector has
	// taken since the program started. They are 0 until watchCollector.
	collections int
	collecting  float64
}

// warm loads the subject without counting. A program may listen before it is ready, and then the
// first answers come late: where half of them took longer than the warm-up, it is repeated
// for as long as that halves the time of an answer.
func (s *start) warm(ctx context.Context) error {
	if s.task.WarmUp == 0 {
		s.drain = s.task.Plan.Timeout
		return nil
	}
	again := false
	for {
		before := s.warmed.median
		if failed := s.warmOnce(ctx, s.task.WarmUp); failed != nil {
			if again {
				return failed
			}
			serves, err := s.servesNow(ctx, failed)
			if err != nil || !serves {
				return cmp.Or(err, failed)
			}
			again = true
			continue
		}
		if s.warmed.median <= s.task.WarmUp || before > 0 && s.warmed.median > before/2 {
			return nil
		}
	}
}

// warmOnce is one warm-up. A fatal doubt here ends the measurement early: nothing that follows
// could be trusted.
func (s *start) warmOnce(ctx context.Context, length time.Duration) error {
	r := s.task
	s.warmed = warmUp{began: time.Now(), took: length}
	defer s.watchShared()()
	slice, err := s.load(ctx, scheduleOf(*r, length), r.Plan.Timeout)
	if err != nil {
		return err
	}
	s.warmed.answered, s.warmed.counts = slice.Answered, slice.Counts
	if h := slice.Latency(); h != nil {
		s.warmed.median = time.Duration(h.ValueAtQuantile(50))
	}
	// Silence of a few times the longest answer means that what is outstanding is
	// being withheld; 20 ms covers a scheduler hiccup on a busy machine.
	s.drain = r.Plan.Timeout
	if slice.Service != nil {
		s.drain = min(max(20*time.Millisecond, 4*time.Duration(slice.Service.Max())), r.Plan.Timeout)
	}
	var warm load.Tally
	warm.Add(slice)
	d := load.Invalid(doubtsOf(*r, warm, nil, s.host.plan, s.host.slicing.slice))
	late := s.timed.Compared && lagOf(slice) > load.LagAllowed(s.warmed.median)
	if d == nil || d.Name == load.DoubtRate && (2*warm.Sent > warm.Scheduled || late) {
		// a program that has just started may be too slow at first, and the generator late: whether the rate is kept, the
		// load that counts says
		return nil
	}
	if w := redirectWarning(s.latest.target, warm.Codes); w != "" {
		s.Warn("%s", w)
	}
	s.timed.Tally.Stalled = max(s.timed.Tally.Stalled, warm.Stalled)
	if slice.Answered == 0 && d.Name != load.DoubtEndless && !r.LoadCommand.Given() {
		if why := s.program().Mismatch(ctx, s.target); why != nil {
			return why
		}
	}
	if d.Name == load.DoubtWithheld {
		s.captureSilent(ctx)
	}
	return &lab.InvalidError{Letter: s.Letter, Doubt: *d}
}
