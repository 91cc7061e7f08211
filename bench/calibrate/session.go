package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/gohone/hone/bench/results"
)

// measurement is one session at work.
type measurement struct {
	tool     tool
	journal  *results.Journal[record]
	programs map[string]string // of the services, for the classic way
	progress io.Writer
}

// begin notes where and with what this session measures.
func (m *measurement) begin(ctx context.Context) error {
	s, err := results.Begin(ctx, m.tool.Hone, resultsSchema, "calibrate")
	if err != nil {
		return err
	}
	return m.journal.Add(record{Kind: kindSession, At: results.Now(), Session: s})
}

// sowAll calibrates the spins that the trials need and the results do not have yet for this machine.
// On the way on from an interruption on the same machine the old ones stay: comparisons are pooled.
func (m *measurement) sowAll(ctx context.Context, trials []trial) error {
	for _, t := range trials {
		if t.kind.Planted == 0 || plantInForce(m.journal.Records, t.service.Name) != nil {
			continue
		}
		fmt.Fprintf(m.progress, "%s: measuring what a spin costs\n", t.service.Name)
		p, err := sow(ctx, m.tool, t.service)
		if err != nil {
			return err
		}
		fmt.Fprintf(m.progress, "%s: %.0f ns per request, spins %v\n", t.service.Name, p.BaseNanos, p.Spins)
		if err := m.journal.Add(record{Kind: kindPlant, Service: t.service.Name, At: results.Now(), Plant: p}); err != nil {
			return err
		}
	}
	return nil
}

// patience is how many trials may fail one after the other before it gives up: one may
// be bad luck, three are a fault that will not go away by itself.
const patience = 3

// takeAll takes the trials in order and notes each at once.
func (m *measurement) takeAll(ctx context.Context, trials []trial) error {
	inARow, lost := 0, 0
	for i, t := range trials {
		fmt.Fprintf(m.progress, "%d of %d: %s %s: ", i+1, len(trials), t.service.Name, t.kind.Name)
		r, err := m.take(ctx, t)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			fmt.Fprintln(m.progress, "failed:", err)
			if inARow, lost = inARow+1, lost+1; inARow == patience {
				return fmt.Errorf("%d trials failed in a row: %w", patience, err)
			}
			r.Comparison = &comparison{Verdict: failed, Reason: shortened(err.Error())}
		} else {
			inARow = 0
			fmt.Fprintln(m.progress, r.line())
		}
		if err := m.journal.Add(r); err != nil {
			return err
		}
	}
	if lost > 0 {
		return fmt.Errorf("%d trials failed: the same command takes them again", lost)
	}
	return nil
}

// take carries out one trial. On an error the record has only its head.
func (m *measurement) take(ctx context.Context, t trial) (record, error) {
	r := record{Kind: t.kind.Name, Service: t.service.Name, At: results.Now()}
	if t.kind.Classic {
		c, err := oldThenNew(ctx, m.tool, m.programs[t.service.Name], t.service, classicTime(m.journal.Records, t.service.Name))
		r.Classic = c
		return r, err
	}
	var spin, a, b int
	slow := ""
	if t.kind.Planted > 0 {
		spin = plantInForce(m.journal.Records, t.service.Name).Spins[t.kind.Name]
		if slow, b = "B", spin; rand.IntN(2) == 0 {
			slow, a, b = "A", spin, 0
		}
	}
	c, err := m.tool.compare(ctx, t.service, a, b, t.kind.Budget)
	if err != nil {
		return r, err
	}
	c.Spin, c.Slow = spin, slow
	r.Comparison = &c
	return r, nil
}

// classicTime is the time that a comparison of equal variants took: the i-th trial of the
// classic way gets as long as the i-th such comparison; before there is any, its budget.
func classicTime(records []record, service string) time.Duration {
	var took []float64
	done := 0
	for _, r := range records {
		switch {
		case r.Service != service:
		case r.Classic != nil:
			done++
		case r.Kind == equal.Name && r.completed():
			took = append(took, r.Comparison.Seconds)
		}
	}
	if len(took) == 0 {
		return equal.Budget
	}
	return time.Duration(took[done%len(took)] * float64(time.Second))
}

// line is a record as progress shows it.
func (r record) line() string {
	if c := r.Classic; c != nil {
		return fmt.Sprintf("CPU %.4f p = %.3g, rate %.4f p = %.3g, %.0f s", c.CPURatio, c.CPUP, c.RateRatio, c.RateP, c.Seconds)
	}
	c := r.Comparison
	return fmt.Sprintf("%s, slow side %q, slow-down %.4f, %.0f s %s", c.Verdict, c.Slow, c.slowdown(), c.Seconds, c.Reason)
}
