package report

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/units"
	"github.com/gohone/hone/prof"
)

// Comparison writes a comparison: the sentence, the measurement check, why, the other
// measures, and the next command. A bad measurement is said before any number.
func Comparison(w io.Writer, c *lab.ComparisonRecord, runs []lab.Record) error {
	b := &strings.Builder{}
	for i, r := range runs {
		fmt.Fprintf(b, "%s: %s%s\n", letter(i), r.Label, source(r))
	}
	fmt.Fprintf(b, "%s\n", Conditions(runs[0]))
	if c.Word == compare.Invalid || len(c.Contests[0].Verdicts) == 0 {
		fmt.Fprintln(b, noVerdict(c))
		doubts(b, runs)
		fmt.Fprintf(b, "next: hone show %s\n", c.ID)
		_, err := io.WriteString(w, b.String())
		return err
	}
	fmt.Fprintln(b, Sentence(c.Contests[0].Verdicts[0], c.BlockTime))
	fmt.Fprintln(b, Check(c, runs))
	doubts(b, runs)
	for _, change := range c.Contests[0].Changes {
		fmt.Fprintln(b, Why(change, c.Contests[0].Verdicts[0].Ratio))
	}
	measures(b, c.Contests[0].Verdicts)
	fmt.Fprintf(b, "next: hone show %s (profiles and logs of A), hone show %s (of B), hone show %s (this again)\n", runs[0].ID, runs[1].ID, c.ID)
	_, err := io.WriteString(w, b.String())
	return err
}

// Sentence is the verdict on one measure in one sentence. start is what a start of all
// variants takes, slices included, from which it says how much longer an undecided one would need.
func Sentence(v compare.Verdict, start time.Duration) string {
	numbers := fmt.Sprintf("%s %s (%s, %.0f %% interval %s, %d pairs, %s each)",
		v.Measure.Name, units.FamilyOf(v.Measure.Unit).Between(v.A, v.B), units.Percent(v.Ratio-1), 100*v.Conf,
		units.Span(v.Low-1, v.High-1), v.Pairs, starts(v.Starts))
	switch v.Word {
	case compare.Faster:
		return "B is faster than A: " + numbers
	case compare.Slower:
		return "B is slower than A: " + numbers
	case compare.Same:
		return fmt.Sprintf("B is the same as A within +-%g %%: %s", 100*v.Delta, numbers)
	default:
		s := "undecided: " + numbers
		if v.Reason != "" {
			s += "; " + v.Reason
		}
		if v.Need != nil {
			s += fmt.Sprintf("; about %s more would tell", units.Seconds(time.Duration(v.Need.Starts)*start))
		}
		return s
	}
}

func starts(n int) string {
	if n == 1 {
		return "1 start"
	}
	return fmt.Sprintf("%d starts", n)
}

// Check says whether the measurement can be trusted.
func Check(c *lab.ComparisonRecord, runs []lab.Record) string {
	busy, right, steal := 0.0, 1.0, 0.0
	for _, r := range runs {
		busy, right, steal = max(busy, r.GeneratorBusy), min(right, r.RightShare), max(steal, r.Environment.StealShare)
	}
	parts := []string{
		fmt.Sprintf("generator at %.0f %% of its CPU", 100*busy),
		fmt.Sprintf("replies %s %% right", share(right)),
	}
	for i, s := range c.SelfChecks {
		state := "clean"
		if !s.Clean {
			state = "NOT clean"
		}
		parts = append(parts, fmt.Sprintf("%s/%s %s (%s)", letter(i), letter(i), state, units.Span(s.Low-1, s.High-1)))
	}
	if steal >= 0.005 {
		parts = append(parts, fmt.Sprintf("host steal %.1f %%", 100*steal))
	}
	return "measurement ok: " + strings.Join(parts, ", ")
}

// share writes a fraction as a percentage that says 100 only when it is.
func share(f float64) string {
	if f < 1 {
		return fmt.Sprintf("%.4g", math.Min(99.99, 100*f))
	}
	return "100"
}

// Why is one line of explanation: the change of a function per request, as a share of
// A's CPU time per request. ratio is the verdict's B/A; a change against it is a "but".
func Why(c prof.Change, ratio float64) string {
	if (c.Share < 0) == (ratio < 1) {
		return "why: " + c.String()
	}
	return "but: " + c.String()
}

func noVerdict(c *lab.ComparisonRecord) string {
	if c.Reason == "" {
		return "no verdict: nothing was compared"
	}
	return fmt.Sprintf("no verdict (%s): %s", c.Status, c.Reason)
}

// measures is the table of all measures.
func measures(b *strings.Builder, verdicts []compare.Verdict) {
	tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "measure\tunit\tA\tB\tchange\tinterval\tB is")
	row := func(name string, family units.Family, a, b float64, rest string) {
		u := family.Pick(a, b)
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\n", name, u.Name, units.Digits(a/u.Scale), units.Digits(b/u.Scale), rest)
	}
	for _, v := range verdicts {
		row(v.Measure.Name, units.FamilyOf(v.Measure.Unit), v.A, v.B,
			fmt.Sprintf("%s\t%s\t%s", units.Percent(v.Ratio-1), units.Span(v.Low-1, v.High-1), v.Word))
	}
	tw.Flush()
}

// doubts lists everything that casts doubt on the runs, once.
func doubts(b *strings.Builder, runs []lab.Record) {
	seen := map[string]bool{}
	say := func(i int, kind, text string) {
		if seen[kind+text] {
			return
		}
		seen[kind+text] = true
		if len(runs) > 1 {
			kind += ": " + letter(i)
		}
		fmt.Fprintf(b, "%s: %s\n", kind, text)
	}
	for i, r := range runs {
		for _, d := range r.Doubts {
			switch {
			case !d.Fatal:
				say(i, "note", d.Text)
			case len(runs) > 1: // a single run has said so in its check
				say(i, "invalid", d.Text)
			}
		}
		for _, w := range r.Warnings {
			say(i, "warning", w)
		}
	}
}

func letter(i int) string { return string(rune('A' + i)) }

// source says which commit and toolchain a run was built from.
func source(r lab.Record) string {
	b := r.Binary
	var parts []string
	if b.Commit != "" {
		state := ""
		if b.Dirty {
			state = "+changes"
		}
		parts = append(parts, b.Commit[:min(10, len(b.Commit))]+state)
	}
	parts = append(parts, b.GoVersion, "run "+r.ID)
	if r.Status != ledger.Complete {
		parts = append(parts, string(r.Status))
	}
	return "  (" + strings.Join(parts, ", ") + ")"
}
