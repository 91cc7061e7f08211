package insight

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/internal/insight/advice"
)

// take asks hone about a program, and keeps also what went wrong.
func (c config) take(ctx context.Context, p *program) ([]record, error) {
	r := record{Program: p.Name, Closed: c.closed}
	ask := map[string]func(context.Context, *program, *record) error{"": c.findings, "waiting": c.waiting, "pair": c.pair}[p.Part]
	err := ask(ctx, p, &r)
	if err != nil {
		r.Failed = err.Error()
	}
	return []record{r}, err
}

// load runs a program under its load, with further flags of hone run, and returns the run's name.
func (c config) load(ctx context.Context, p *program, r *record, more ...string) (id string, err error) {
	var run struct{ ID string }
	args := slices.Concat([]string{"./" + p.Name, "-d", c.duration.String()}, more, p.Load.flags())
	done, err := c.Hone.Ask(ctx, &run, []int{honecli.Invalid}, "run --quiet --no-report", args...)
	r.Invalid = r.Invalid || done.Code == honecli.Invalid
	return run.ID, err
}

// findings runs a program and keeps what hone finds in that run.
func (c config) findings(ctx context.Context, p *program, r *record) error {
	id, err := c.load(ctx, p, r)
	if err != nil {
		return err
	}
	var d advice.Findings
	if _, err := c.Hone.Ask(ctx, &d, nil, "advise", id); err != nil {
		return err
	}
	if d.Schema != advice.Schema {
		return fmt.Errorf("read what hone advise %s prints: schema %q, want %s", id, d.Schema, advice.Schema)
	}
	r.Findings = short(d.Findings)
	return nil
}

// String is a record as progress shows it.
func (r record) String() string {
	if r.Failed != "" {
		return "no result"
	}
	text := ""
	for _, w := range r.Waits {
		text += fmt.Sprintf("\n  %g/s, %d of %d joined", w.RateHz, w.Joined, w.Requests)
		for _, c := range w.Causes[:min(2, len(w.Causes))] {
			text += fmt.Sprintf("; %.0f %% %s", 100*c.Share, callText(c.Call))
		}
	}
	if r.Pair != nil {
		text += "\n  " + strings.Join(append([]string{r.Pair.String()}, r.Pair.Lines...), "\n  ")
	}
	for i, f := range r.Findings {
		text += fmt.Sprintf("\n  %d. %v", i+1, f)
	}
	return text
}

// String is a finding on one line.
func (f found) String() string {
	return fmt.Sprintf("%.0f %% of %s, gain %.0f %%: %s: %s %s:%d", 100*f.Cost, f.Measure, 100*f.Gain, f.Rule, f.Title, filepath.Base(f.Place.File), f.Place.Line)
}
