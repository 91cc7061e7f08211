package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/units"
)

// checkOf says whether the measurement can be trusted.
func checkOf(c *record.Comparison, runs []record.Run) Statement {
	var tests []string
	if n := len(c.SelfChecks); n > fewVariants && selfChecksClean(c) {
		tests = append(tests, fmt.Sprintf("each of A to %s against itself: no difference", Letter(n-1)))
	} else {
		for i, s := range c.SelfChecks {
			state := "no difference"
			if !s.Clean {
				state = "DIFFERENT"
			}
			tests = append(tests, fmt.Sprintf("%s against itself: %s (%s)", Letter(i), state,
				units.Span(s.Low-1, s.High-1)))
		}
	}
	return checkWith(runs, tests)
}

// shortCheck is checkOf without the figures of tests in which nothing differs.
func shortCheck(c *record.Comparison, runs []record.Run) Statement {
	if len(c.SelfChecks) == 0 || !selfChecksClean(c) {
		return checkOf(c, runs)
	}
	return checkWith(runs, []string{"A/A test clean"})
}

// selfChecksClean says that no variant differs from itself.
func selfChecksClean(c *record.Comparison) bool {
	return !slices.ContainsFunc(c.SelfChecks, func(s compare.SelfCheckResult) bool { return !s.Clean })
}

// checkWith says how the load went, and what the tests of each variant against itself showed.
func checkWith(runs []record.Run, tests []string) Statement {
	busy, right, stolen := 0.0, 1.0, 0.0
	for _, r := range runs {
		busy, right, stolen = max(busy, r.GeneratorBusy), min(right, r.RightShare),
			max(stolen, r.Environment.StealShare)
	}
	parts := []string{
		fmt.Sprintf("load generator at %.0f %% of its CPU", 100*busy),
		fmt.Sprintf("replies %s %% right", Share(right)),
	}
	if slices.ContainsFunc(runs, func(r record.Run) bool { return r.Load != nil }) {
		parts = []string{LoadCommandCheck(busy)}
	}
	return Trusted(slices.ContainsFunc(runs, WasDisturbed), strings.Join(append(parts, tests...), ", "), stolen)
}

// Trusted says what a check comes to, and how much CPU time the host took from the machine. A measurement of which most
// slices were disturbed is not called ok.
func Trusted(disturbed bool, text string, stolen float64) Statement {
	if stolen >= 0.005 {
		text += fmt.Sprintf(", host steal %.1f %%", 100*stolen)
	}
	if disturbed {
		return Statement{Text: "measurement valid, but DISTURBED: " + text, Tone: Warning}
	}
	return Statement{Text: "measurement ok: " + text, Tone: Good}
}

// fewVariants is up to how many variants each is told by itself.
const fewVariants = 3

func WasDisturbed(r record.Run) bool { return MostDisturbed(r.Conditions) }

// MostDisturbed says that the machine disturbed more than half of the slices.
func MostDisturbed(s machine.Summary) bool { return 2*s.Noticeable > s.Slices }

// selfDoubts says what it means that a variant differs from itself.
func selfDoubts(c *record.Comparison) (all []Statement) {
	for i, s := range c.SelfChecks {
		if !s.Clean {
			all = append(all, Statement{Word: "note", Tone: Warning,
				Text: fmt.Sprintf("%s: neighbouring slices of %s differ from each other; chance does that in %.2g of 100 "+
					"comparisons, so measure again if it matters",
					Letter(i), Letter(i), 100*(1-s.Conf))})
		}
	}
	return all
}

// Disturbed say what the machine did to the slices, where it is worth mentioning.
func Disturbed(runs []record.Run) (all []Statement) {
	say := func(format string, args ...any) {
		all = append(all, Statement{Word: "note", Text: fmt.Sprintf(format, args...), Tone: Warning})
	}
	most := slices.ContainsFunc(runs, WasDisturbed)
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
			say("%sthe trace that the time of requests comes from was disturbed by the machine: %s",
				About(i, len(runs)), t.Conditions)
		}
		if s.Noticeable == 0 {
			continue
		}
		say("%sthe machine was busy during %d of %d time slices; they are included: %s", About(i, len(runs)),
			s.Noticeable, s.Slices, s.Total)
	}
	switch {
	case most && len(runs) > 1:
		say(turnsNote)
	case most:
		say("these numbers may be off: measure again when the machine is quieter. hone doctor says what disturbs it")
	}
	return all
}

// shortDisturbed is Disturbed in one line.
func shortDisturbed(runs []record.Run) []Statement {
	var parts []string
	for i, r := range runs {
		if s := r.Conditions; s.Noticeable > 0 {
			part := fmt.Sprintf("%d of %d", s.Noticeable, s.Slices)
			if len(runs) > 1 {
				part += " (" + Letter(i) + ")"
			}
			parts = append(parts, part)
		}
	}
	if parts == nil {
		return nil
	}
	text := "the machine was busy during " + strings.Join(parts, " and ") +
		" time slices; they are included. hone doctor says why"
	return []Statement{{Word: "note", Tone: Warning, Text: text}}
}

const turnsNote = "the variants took turns, so this affected all of them equally; absolute numbers may be off. hone " +
	"doctor says why"

// disturbedTogether says in one line how many slices of many variants were disturbed.
func disturbedTogether(runs []record.Run) []Statement {
	least, most, all := runs[0].Conditions.Noticeable, 0, 0
	for _, r := range runs {
		least, most, all = min(least, r.Conditions.Noticeable), max(most, r.Conditions.Noticeable),
			max(all, r.Conditions.Slices)
	}
	if most == 0 {
		return nil
	}
	return []Statement{{Word: "note",
		Text: fmt.Sprintf("the machine was busy during %d to %d of the %d time slices of each variant; they are included: "+
			"hone show RUN says how", least, most, all), Tone: Warning}}
}

// Doubts list everything that casts doubt on the runs, once.
func Doubts(runs []record.Run) []Statement {
	var all []Statement
	seen := map[string]bool{}
	say := func(i int, word, text string, tone Tone) {
		if !seen[word+text] {
			seen[word+text] = true
			all = append(all, Statement{Word: word, Text: About(i, len(runs)) + text, Tone: tone})
		}
	}
	for i, r := range runs {
		for _, d := range r.Doubts {
			switch {
			case !d.Fatal:
				say(i, "note", d.Text, Warning)
			case len(runs) > 1: // a single run has said so in its check
				say(i, "invalid", d.Text, Bad)
			}
		}
		for _, w := range r.Warnings {
			say(i, "warning", w, Warning)
		}
	}
	return all
}
