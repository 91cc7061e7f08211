package robust

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// measure carries out trials until all are there, the time is over, or Ctrl-C. What was
// kept by then is kept: being interrupted is not an error.
func measure(ctx context.Context, c config) (err error) {
	r, err := newRig(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	return bed.Measure(ctx, c.Bed, resultsSchema, func(j *bed.Journal[record]) error {
		s := &session{rig: r, journal: j, kinds: c.kinds, want: c.want, spent: map[string]time.Duration{},
			progress: os.Stderr}
		return s.run(ctx, time.Now().Add(c.For))
	})
}

// session is one measurement at work.
type session struct {
	rig      *rig
	journal  *bed.Journal[record]
	kinds    []*kind
	want     map[string]int
	spent    map[string]time.Duration // in this session, by kind
	progress io.Writer
}

// patience is how many trials may come to no outcome one after the other before it gives
// up: one may be bad luck, three are a fault that will not go away by itself.
const patience = 3

func (s *session) run(ctx context.Context, end time.Time) error {
	inARow := 0
	for time.Now().Before(end) && ctx.Err() == nil {
		k := s.choose()
		if k == nil {
			return nil
		}
		err := s.one(ctx, k)
		switch {
		case ctx.Err() != nil: // an interrupted trial is taken again
			return nil
		case err == nil:
			inARow = 0
			continue
		}
		fmt.Fprintf(s.progress, "%s: no outcome: %v\n", k.Name, err)
		if inARow++; inARow == patience {
			return fmt.Errorf("%d trials in a row came to no outcome: %w", patience, err)
		}
	}
	return nil
}

// choose returns the kind that had the least time so far and still lacks trials; nil if
// none does. So every kind gets as much time as the others.
func (s *session) choose() *kind {
	var least *kind
	for _, k := range s.kinds {
		if next(s.journal.Records, k) >= s.want[k.Name] {
			continue
		}
		if least == nil || s.spent[k.Name] < s.spent[least.Name] {
			least = k
		}
	}
	return least
}

// one carries out the next trial of a kind and keeps its outcome.
func (s *session) one(ctx context.Context, k *kind) error {
	number := next(s.journal.Records, k)
	start := time.Now()
	o, err := k.Run(ctx, s.rig, newTrial(k, number))
	took := time.Since(start)
	s.spent[k.Name] += took
	if err != nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	fmt.Fprintln(s.progress, line(k, number, took, o))
	return s.journal.Add(record{Kind: k.Name, Number: number,
		Seconds: float64(took.Milliseconds()) / 1e3, Outcome: &o})
}

// line is an outcome as progress shows it.
func line(k *kind, number int, took time.Duration, o outcome) string {
	text := fmt.Sprintf("%s %d, %.1f s: %s", k.Name, number, took.Seconds(), o.What)
	if o.Point != "" {
		text += ", " + o.Point
	}
	if o.Executions > 0 {
		text += fmt.Sprintf(", %d executions", o.Executions)
	}
	if o.Hit {
		text += ", hit"
	}
	for _, f := range o.Failures {
		text += "\n    FAILED: " + f
	}
	return text
}

// repeat carries out one trial again and prints its outcome.
func repeat(ctx context.Context, c config) (err error) {
	r, err := newRig(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	o, err := c.kinds[0].Run(ctx, r, newTrial(c.kinds[0], c.repeat))
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		return err
	}
	fmt.Println(string(text))
	return nil
}
