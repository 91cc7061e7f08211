package demo

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/prof"
)

// leg is the measurement of one rung against the one before.
type leg struct {
	comparison *record.Comparison
	// baseline are the main numbers of the lower rung, hot its most expensive places.
	baseline []model.Row
	hot      []prof.Cost
	document any // for JSON
	write    func(io.Writer) error
}

// leg measures a rung against the one before, and lets show write it.
func (a *commands) leg(f *app.MeasureFlags, t *tour, from, to rung, budget time.Duration,
	show func(*page.Library, leg) error) error {
	if t.target == "" {
		return a.legOnce(f, t, from, to, budget, show)
	}
	return a.tourMeasure(f, t, budget, []string{from.stage, to.stage},
		func(out *record.Outcome, lib *page.Library, err error) error {
			if err != nil {
				return err
			}
			lib.Stored.Explain(out.Comparison)
			first := out.Runs[0]
			return show(lib, leg{
				baseline: model.RunOf(first, model.Brief, nil).Main, comparison: out.Comparison, hot: first.Hot,
				document: app.DocumentOf(out),
				write: func(w io.Writer) error {
					return report.Comparison(w, out.Comparison, out.Runs, model.Brief)
				},
			})
		})
}

// legOnce measures programs that end by themselves.
func (a *commands) legOnce(f *app.MeasureFlags, t *tour, from, to rung, budget time.Duration,
	show func(*page.Library, leg) error) error {
	variants, err := f.ParseVariants([]string{t.command(from.stage), t.command(to.stage)})
	if err != nil {
		return err
	}
	f.Parts = spec.Parts{
		Program: spec.Program{Variants: variants, Args: t.args},
		Test:    spec.Test{Budget: budget, Alpha: 0.05, Delta: 0.01, Seed: app.NewSeed()},
	}
	f.Task.Parts = f.Parts
	return a.ConductOnce(f, func(out *record.ExecutionsOutcome, lib *page.Library, err error) error {
		if err != nil {
			return err
		}
		lib.Stored.Explain(out.Comparison)
		first := out.Runs[0]
		step := leg{
			comparison: out.Comparison, hot: first.Hot, document: app.OnceDocumentOf(out),
			write: func(w io.Writer) error { return report.OnceComparison(w, out.Comparison, out.Runs, model.Brief) },
		}
		if first.Facts != nil {
			step.baseline = model.FactsOf(*first.Facts)
		}
		return show(lib, step)
	})
}

// writeLeg shows one step of the loop: what changes, what the lower stage costs and where, and the comparison. All but
// the change and the published figures comes from this measurement.
func writeLeg(w io.Writer, t *tour, title string, from, to rung, l leg) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "\n== %s\n", title)
	for _, line := range to.diff {
		fmt.Fprintf(b, "    %s\n", line)
	}
	if len(l.baseline) > 0 {
		var parts []string
		for _, row := range l.baseline {
			parts = append(parts, row.Name+" "+row.Text)
		}
		fmt.Fprintf(b, "%s: %s\n", from.stage, strings.Join(parts, ", "))
	}
	for _, line := range model.HotLines(l.hot[:min(1, len(l.hot))], nil) {
		fmt.Fprintf(b, "profile of %s: %s\n", from.stage, line)
	}
	b.WriteByte('\n')
	if _, err := io.WriteString(w, report.Narrow(b.String())); err != nil {
		return err
	}
	if err := l.write(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s%s", outcomeHere(t, l.comparison), published(from, to))
	return err
}

// outcomeHere is what was measured of the two stages where the tour is about another measure than CPU time; else empty.
func outcomeHere(t *tour, c *record.Comparison) string {
	for _, v := range c.Contests[0].Verdicts {
		if v.Measure.Key == t.measure.Key && t.measure.Key != measure.CPU.Key {
			return "here: " + model.Measured(v) + "\n"
		}
	}
	return ""
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
	return report.Narrow(fmt.Sprintf("for comparison, as published (on other machines): %s\n",
		strings.Join(parts, "; ")))
}
