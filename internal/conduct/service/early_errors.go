package service

import (
	"context"
	"errors"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// A server may open its port before it can serve: it elects a leader first, or connects to what it needs, and answers
// with an error of its own (5xx) until then. A start whose first warm-up meets that is asked again, one request at a
// time, and warmed up once more when that is answered right. Where it is not, the errors are the result.

// errorPatience is how long such a start may take, errorPoll the pause between two requests.
const (
	errorPatience = 5 * time.Second
	errorPoll     = 100 * time.Millisecond
)

// onlyServerErrors says that there were wrong answers, and that all of them had a status of 5xx of HTTP.
func onlyServerErrors(c load.Counts) bool {
	all, other := c.WrongStatuses.All()
	sum := uint64(0)
	for _, one := range all {
		if one.Code < 500 || one.Code > 599 {
			return false
		}
		sum += one.Count
	}
	return c.Failed > 0 && sum == c.Failed && other == 0
}

// servesNow says that a start whose warm-up failed serves by now, and has new connections. What was sent before that is
// in no account.
func (s *start) servesNow(ctx context.Context, failed error) (bool, error) {
	var invalid *lab.InvalidError
	if !errors.As(failed, &invalid) || invalid.Doubt.Name != load.DoubtWrong || !onlyServerErrors(s.warmed.counts) ||
		s.task.Agents != nil || s.task.LoadCommand.Given() || s.target.Network == "udp" {
		return false, nil
	}
	for program := s.program(); !program.Answers(ctx, s.target); {
		if time.Since(s.warmed.began) > s.warmed.took+errorPatience || s.died() != nil {
			return false, nil
		}
		select {
		case <-ctx.Done():
			return false, nil
		case <-time.After(errorPoll):
		}
	}
	first, _ := s.warmed.counts.WrongStatuses.All()
	s.Warn("the program answered with errors (status %d) when it had just started: hone waits for that to end at each "+
		"start, and these answers do not count", first[0].Code)
	if _, err := s.session.Close(); err != nil {
		return false, err
	}
	s.session = nil
	var err error
	// A protocol keeps what its first wrong answer was.
	if s.target.Target, err = schemes.Parse(s.target.URL, s.target.Options); err != nil {
		return false, err
	}
	s.latest.notes = s.target.Notes
	return true, s.connect(ctx)
}
