package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/once"
	"github.com/gohone/hone/internal/report"
	"github.com/gohone/hone/internal/units"
	"github.com/gohone/hone/prof"
)

// leg is the measurement of one rung against the one before.
type leg struct {
	comparison *lab.ComparisonRecord
	hot        []prof.Cost // of the lower rung
	document   any         // for JSON
	write      func(io.Writer) error
}

func (a *app) leg(f *measureFlags, t *tour, from, to rung) (leg, error) {
	if t.target == "" {
		return a.legOnce(f, t, from, to)
	}
	out, err := a.tourMeasure(f, t, from.stage, to.stage)
	if err != nil {
		return leg{}, err
	}
	return leg{
		comparison: out.Comparison, hot: out.Runs[0].Hot, document: documentOf(out),
		write: func(w io.Writer) error { return report.Comparison(w, out.Comparison, out.Runs) },
	}, nil
}

// legOnce measures programs that end by themselves.
func (a *app) legOnce(f *measureFlags, t *tour, from, to rung) (leg, error) {
	variants, err := f.variants([]string{t.program + " -stage " + from.stage, t.program + " -stage " + to.stage})
	if err != nil {
		return leg{}, err
	}
	out, err := a.conductOnce(f, once.Request{Variants: variants, Args: t.args, Budget: t.load.budget, Alpha: 0.05, Delta: 0.01, Seed: newSeed()})
	if err != nil {
		return leg{}, err
	}
	return leg{
		comparison: report.AsComparison(out.Comparison), hot: out.Runs[0].Hot, document: onceDocumentOf(out),
		write: func(w io.Writer) error { return report.OnceComparison(w, out.Comparison, out.Runs) },
	}, nil
}

// hotShown is how many sites of a profile a leg names.
const hotShown = 3

// writeLeg tells the loop: baseline, profile, finding, next rung, verdict.
func writeLeg(w io.Writer, t *tour, title string, from, to rung, l leg) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "== %s\nbaseline: %s: %s\n", title, from.stage, from.is)
	for i, h := range l.hot[:min(len(l.hot), hotShown)] {
		fmt.Fprintf(b, "%-9s %s\n", []string{"profile:", ""}[min(i, 1)], report.HotLine(h))
	}
	finding := strings.ReplaceAll(from.finding, "RUN", l.comparison.Runs[0])
	fmt.Fprintf(b, "finding:  %s\nnext:     %s: %s\n\n", finding, to.stage, to.is)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	if err := l.write(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s\n\n", published(t, from, to, l.comparison))
	return err
}

// published sets what was published of two rungs beside what was measured here.
func published(t *tour, from, to rung, c *lab.ComparisonRecord) string {
	here := "no verdict"
	for _, v := range c.Contests[0].Verdicts {
		if v.Measure.Key == t.measure.Key {
			here = fmt.Sprintf("%s %s", v.Measure.Name, units.Percent(v.Ratio-1))
		}
	}
	var parts []string
	for _, r := range []rung{from, to} {
		if r.published != "" {
			parts = append(parts, r.stage+" "+r.published)
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("here, %s -> %s: %s", from.stage, to.stage, here)
	}
	return fmt.Sprintf("published, on other machines: %s; here, %s -> %s: %s", strings.Join(parts, ", "), from.stage, to.stage, here)
}
