package service

import (
	"context"
	"errors"
	"time"

	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/text/fail"
)

// endingWithin is how long the guard of a program may take to tell that it ended: the kernel closes its sockets before.
const endingWithin = time.Second

// diedUnder is died after load in which so many connects were refused. No process listens then, and the end of the
// program is the reason rather than the requests that it did not answer; it is waited for.
func (s *start) diedUnder(refused uint64) error {
	if refused == 0 || s.process == nil {
		return s.died()
	}
	select {
	case <-s.process.Done():
	case <-time.After(endingWithin):
	}
	return s.died()
}

// died returns the subject's exit as an error, or nil while it lives.
func (s *start) died() error {
	if s.process == nil {
		return nil
	}
	select {
	case <-s.process.Done():
		return s.process.Exit()
	default:
		return nil
	}
}

// or prefers the subject's death over err, which is often only its consequence.
func (s *start) or(err error) error {
	if died := s.died(); died != nil {
		return died
	}
	return err
}

// disconnect waits for the answers that are still due, ends the load of this start and
// settles its account. It may be called at any time, also when startUp failed half-way.
func (s *start) disconnect(hard context.Context) error {
	s.leaveMetrics()
	if s.session == nil {
		return nil
	}
	if s.died() == nil {
		// What it could not drain is in the account as unanswered.
		_, _ = s.session.Slice(hard, 0, s.task.Plan.Timeout)
	}
	counts, err := s.session.Close()
	s.session = nil
	s.counts = counts
	s.timed.Account.Add(counts)
	s.keepAnswers()
	if err != nil {
		return fail.New(fail.Invalid, "close session: %w", err).
			WithHint("this is a bug in hone's load engine; please report it")
	}
	return nil
}

// stop stops the subject. hard, when cancelled, leaves out the grace.
func (s *start) stop(hard context.Context) error {
	if s.process == nil {
		return s.stopNeeds(hard)
	}
	p := s.process
	s.process = nil
	defer s.watchShared()()
	report, err := p.Stop(hard)
	if w := report.Warning(); w != "" {
		s.latest.slowStop = w
		if report.Grace > 0 {
			s.latest.slowStop += "; --set grace gives it more time"
		}
	}
	s.latest.output = p.Output()
	s.endLife(p.Life(), s.counts)
	for _, stream := range []output.Stream{s.latest.output.Stdout, s.latest.output.Stderr} {
		s.written.Written += stream.Written
		s.written.Dropped += stream.Dropped
		s.written.Waits += stream.Full
	}
	return errors.Join(err, s.stopNeeds(hard))
}
