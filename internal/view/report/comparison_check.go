package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/units"
)

// Check says whether the measurement can be trusted.
func Check(c *lab.ComparisonRecord, runs []lab.Record) string {
	busy, right, stolen := 0.0, 1.0, 0.0
	for _, r := range runs {
		busy, right, stolen = max(busy, r.GeneratorBusy), min(right, r.RightShare), max(stolen, r.Environment.StealShare)
	}
	parts := []string{
		fmt.Sprintf("load generator at %.0f %% of its CPU", 100*busy),
		fmt.Sprintf("replies %s %% right", share(right)),
	}
	if slices.ContainsFunc(runs, func(r lab.Record) bool { return r.Load != nil }) {
		parts = []string{loadCommandCheck(busy)}
	}
	clean := !slices.ContainsFunc(c.SelfChecks, func(s compare.SelfCheckResult) bool { return !s.Clean })
	if n := len(c.SelfChecks); n > fewVariants && clean {
		parts = append(parts, fmt.Sprintf("each of A to %s against itself: no difference", Letter(n-1)))
		return checkWord(slices.ContainsFunc(runs, wasDisturbed)) + strings.Join(parts, ", ") + steal(stolen)
	}
	for i, s := range c.SelfChecks {
		state := "no difference"
		if !s.Clean {
			state = "DIFFERENT"
		}
		parts = append(parts, fmt.Sprintf("%s against itself: %s (%s)", Letter(i), state, units.Span(s.Low-1, s.High-1)))
	}
	return checkWord(slices.ContainsFunc(runs, wasDisturbed)) + strings.Join(parts, ", ") + steal(stolen)
}

// fewVariants is up to how many variants each is told by itself.
const fewVariants = 3

// steal is the end of a check where the host took CPU time from the machine.
func steal(share float64) string {
	if share < 0.005 {
		return ""
	}
	return fmt.Sprintf(", host steal %.1f %%", 100*share)
}

// checkWord says in front of the check what it comes to. A measurement of which most slices
// were disturbed is not called ok.
func checkWord(disturbed bool) string {
	if disturbed {
		return "measurement valid, but DISTURBED: "
	}
	return "measurement ok: "
}

func wasDisturbed(r lab.Record) bool { return mostDisturbed(r.Conditions) }

// mostDisturbed says that the machine disturbed more than half of the slices.
func mostDisturbed(s machine.Summary) bool { return 2*s.Noticeable > s.Slices }

// selfDoubts says what it means that a variant differs from itself.
func selfDoubts(b *strings.Builder, c *lab.ComparisonRecord) {
	for i, s := range c.SelfChecks {
		if !s.Clean {
			fmt.Fprintf(b, "note: %s: neighbouring slices of %s differ from each other; chance does that in %.2g of 100 comparisons, so measure again if it matters\n",
				Letter(i), Letter(i), 100*(1-s.Conf))
		}
	}
}

// disturbed says what the machine did to the slices, where it is worth mentioning.
func disturbed(b *strings.Builder, runs []lab.Record) {
	for _, n := range disturbedNotes(runs) {
		fmt.Fprintln(b, n)
	}
}

func disturbedNotes(runs []lab.Record) (all []Note) {
	say := func(format string, args ...any) { all = append(all, Note{"note", fmt.Sprintf(format, args...)}) }
	most := slices.ContainsFunc(runs, wasDisturbed)
	if len(runs) > fewVariants {
		all = disturbedTogether(runs)
		if most {
			say(turnsNote)
		}
		return all
	}
	for i, r := range runs {
		s := r.Conditions
		if t := r.Tracing; t != nil && t.Conditions.Noticeable() {
			say("%sthe trace that the time of requests comes from was disturbed by the machine: %s", about(i, len(runs)), t.Conditions)
		}
		if s.Noticeable == 0 {
			continue
		}
		say("%s%d of %d slices were disturbed by the machine, and are kept: %s", about(i, len(runs)), s.Noticeable, s.Slices, s.Total)
	}
	switch {
	case most && len(runs) > 1:
		say(turnsNote)
	case most:
		say("its numbers may be off: measure again when the machine is quieter; hone doctor looks at it")
	}
	return all
}

const turnsNote = "the variants took turns, so this hit all of them alike; absolute numbers may be off: hone doctor looks at the machine"

// disturbedTogether says in one line how many slices of many variants were disturbed.
func disturbedTogether(runs []lab.Record) []Note {
	least, most, all := runs[0].Conditions.Noticeable, 0, 0
	for _, r := range runs {
		least, most, all = min(least, r.Conditions.Noticeable), max(most, r.Conditions.Noticeable), max(all, r.Conditions.Slices)
	}
	if most == 0 {
		return nil
	}
	return []Note{{"note", fmt.Sprintf("%d to %d of the %d slices of each variant were disturbed by the machine, and are kept: hone show RUN says how", least, most, all)}}
}

// share writes a fraction as a percentage that says 100 only when it is.
func share(f float64) string {
	if f < 1 {
		return fmt.Sprintf("%.4g", math.Min(99.99, 100*f))
	}
	return "100"
}

// doubts lists everything that casts doubt on the runs, once.
func doubts(b *strings.Builder, runs []lab.Record) {
	for _, line := range doubtLines(runs) {
		fmt.Fprintln(b, line)
	}
}

func doubtLines(runs []lab.Record) []string {
	var lines []string
	for _, n := range doubtNotes(runs) {
		lines = append(lines, n.String())
	}
	return lines
}

func doubtNotes(runs []lab.Record) []Note {
	var all []Note
	seen := map[string]bool{}
	say := func(i int, kind, text string) {
		if !seen[kind+text] {
			seen[kind+text] = true
			all = append(all, Note{kind, about(i, len(runs)) + text})
		}
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
	return all
}
