package calibrate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// measurement is one session at work.
type measurement struct {
	tool     tool
	journal  *bed.Journal[record]
	programs map[string]string // of the services, for the classic way
}

// plantOf is what a spin costs a service, measured unless the results have it for this machine. On the way on from an
// interruption on the same machine the old one stays: comparisons are pooled.
func (m *measurement) plantOf(ctx context.Context, s service) (*plant, error) {
	if p := plantInForce(m.journal.Records, s.Name); p != nil {
		return p, nil
	}
	p, err := sow(ctx, m.tool, s)
	if err != nil {
		return nil, err
	}
	return p, m.journal.Add(record{Kind: kindPlant, Service: s.Name, Plant: p})
}

// take carries out one trial. A failed one is a result, too.
func (m *measurement) take(ctx context.Context, t trial) ([]record, error) {
	r := record{Kind: t.kind.Name, Service: t.service.Name}
	var err error
	if t.kind.Classic {
		r.Classic, err = oldThenNew(ctx, m.tool, m.programs[t.service.Name], t.service,
			classicTime(m.journal.Records, t.service.Name))
	} else {
		r.Comparison, err = m.compare(ctx, t)
	}
	if err != nil {
		r.Classic, r.Comparison = nil, &comparison{Verdict: failed, Reason: shortened(err.Error())}
	}
	return []record{r}, err
}

// compare has hone compare both sides, of which one, drawn at random, spins where that is planted.
func (m *measurement) compare(ctx context.Context, t trial) (*comparison, error) {
	var spin, a, b int
	slow := ""
	if t.kind.Planted > 0 {
		p, err := m.plantOf(ctx, t.service)
		if err != nil {
			return nil, err
		}
		spin = p.Spins[t.kind.Name]
		if slow, b = "B", spin; rand.IntN(2) == 0 {
			slow, a, b = "A", spin, 0
		}
	}
	c, err := m.tool.compare(ctx, t.service, a, b, t.kind.Budget)
	c.Spin, c.Slow = spin, slow
	return &c, err
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

// String is a record as progress shows it.
func (r record) String() string {
	if c := r.Classic; c != nil {
		return fmt.Sprintf("CPU %.4f p = %.3g, rate %.4f p = %.3g, %.0f s", c.CPURatio, c.CPUP, c.RateRatio, c.RateP,
			c.Seconds)
	}
	c := r.Comparison
	if c == nil {
		return r.Kind
	}
	return fmt.Sprintf("%s, slow side %q, slow-down %.4f, %.0f s %s", c.Verdict, c.Slow, c.slowdown(), c.Seconds,
		c.Reason)
}
