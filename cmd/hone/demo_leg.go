package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/prof"
)

// leg is the measurement of one rung against the one before.
type leg struct {
	comparison *lab.ComparisonRecord
	// found, hot and costs are those of the lower rung.
	found    *advice.Findings
	run      string // the lower rung's
	hot      []prof.Cost
	costs    string
	document any // for JSON
	write    func(io.Writer) error
}

// leg measures a rung against the one before, and lets show write it.
func (a *app) leg(f *measureFlags, t *tour, from, to rung, budget time.Duration, show func(*page.Library, leg) error) error {
	if t.target == "" {
		return a.legOnce(f, t, from, to, budget, show)
	}
	return a.tourMeasure(f, t, budget, []string{from.stage, to.stage}, func(out *lab.Outcome, lib *page.Library, err error) error {
		if err != nil {
			return err
		}
		lib.Stored.Explain(out.Comparison)
		first := out.Runs[0]
		return show(lib, leg{
			found: known(lib, first.ID), run: first.ID, comparison: out.Comparison, hot: first.Hot, costs: report.Garbage(first), document: documentOf(out),
			write: func(w io.Writer) error { return report.Comparison(w, out.Comparison, out.Runs) },
		})
	})
}

// legOnce measures programs that end by themselves.
func (a *app) legOnce(f *measureFlags, t *tour, from, to rung, budget time.Duration, show func(*page.Library, leg) error) error {
	variants, err := f.variants([]string{t.command(from.stage), t.command(to.stage)})
	if err != nil {
		return err
	}
	r := lab.OnceRequest{Common: lab.Common{Variants: variants, Args: t.args, Budget: budget, Alpha: 0.05, Delta: 0.01, Seed: newSeed()}}
	return a.conductOnce(f, r, func(out *lab.OnceOutcome, lib *page.Library, err error) error {
		if err != nil {
			return err
		}
		lib.Stored.Explain(out.Comparison)
		first := out.Runs[0]
		return show(lib, leg{
			found: known(lib, first.ID), run: first.ID, comparison: out.Comparison, hot: first.Hot, costs: report.OnceCosts(first), document: onceDocumentOf(out),
			write: func(w io.Writer) error { return report.OnceComparison(w, out.Comparison, out.Runs) },
		})
	})
}

// hotShown is how many sites of a profile a leg names.
const hotShown = 3

// findingsShown is how many findings of the lower stage a leg names.
const findingsShown = 3

// writeLeg shows one step of the loop: what the lower stage costs, by its profile, the
// comparison with the next one, and what was published of the two. All but the
// published figures comes from this measurement.
func writeLeg(w io.Writer, t *tour, title string, from, to rung, l leg) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "== %s\nbaseline: %s\n", title, from.stage)
	if l.costs != "" {
		fmt.Fprintf(b, "measured: %s\n", l.costs)
	}
	for i, line := range model.HotLines(l.hot, hotShown) {
		fmt.Fprintf(b, "%-9s %s\n", []string{"profile:", ""}[min(i, 1)], line)
	}
	for _, line := range report.FindingLines(l.found, "hone advise "+l.run, findingsShown) {
		fmt.Fprintln(b, line)
	}
	fmt.Fprintf(b, "next:     %s\n\n", to.stage)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	if err := l.write(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s%s\n", outcomeHere(t, from, to, l.comparison), published(from, to))
	return err
}

// outcomeHere is what was measured of the two stages in the measure that the tour is about.
func outcomeHere(t *tour, from, to rung, c *lab.ComparisonRecord) string {
	here := "not measured"
	for _, v := range c.Contests[0].Verdicts {
		if v.Measure.Key == t.measure.Key {
			here = model.Measured(v)
		}
	}
	return fmt.Sprintf("here, %s -> %s: %s\n", from.stage, to.stage, here)
}

// published is the line of what was published of the stages; empty without any.
func published(stages ...rung) string {
	var parts []string
	for _, r := range stages {
		if r.published != "" {
			parts = append(parts, r.stage+" "+r.published)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("published, on other machines: %s\n", strings.Join(parts, "; "))
}
