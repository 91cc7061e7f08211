package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
)

// ComparisonOf makes what is shown of a comparison of services.
func ComparisonOf(c *record.Comparison, runs []record.Run, d Detail) *Comparison {
	m := outcomeOf(c, headsOf(runs), d)
	m.RanIn, m.Notes, m.brief = RanIn(runs), Accounts(runs, d), d == Brief
	if len(runs) > 0 { // of the others only the port may differ
		m.Under = Under(runs[0])
		m.Method = append(NonEmpty(machineOf(runs[0]), m.RanIn), m.Method...)
		for _, text := range NonEmpty(runs[0].Assumption, LoadCommandUnknown(runs[0])) {
			m.Assumed = append(m.Assumed, Statement{Word: "note", Text: text, Tone: Neutral})
		}
	}
	if !m.Compared {
		m.Doubts = Doubts(runs)
		nameInvalid(m, c, runs)
		m.Notes = append(m.Notes, Neutrals(kept(runs))...)
		if c.Status != ledger.Partial { // the error of the program was said
			m.Short.Verdicts = m.Verdicts
		}
		return m
	}
	m.Notes = slices.Concat(contestWidth(c), weighed(c), m.Notes)
	m.Limits, m.Answers, m.Check = Neutrals(fewerCPUs(runs)), append(answers(c), tries(c)...), checkOf(c, runs)
	m.Limits = append(m.Limits, reachOf(c)...)
	m.Short.Reach = reachOf(c)
	m.Short.Check, m.Short.Open = shortCheck(c, runs), shortSteps(c)
	m.Doubts = slices.Concat(selfDoubts(c), contestModes(c), Disturbed(runs), Doubts(runs))
	m.Short.Doubts = slices.Concat(selfDoubts(c), contestModes(c), shortDisturbed(runs), Doubts(runs))
	return m
}

// OnceComparisonOf makes what is shown of a comparison of programs that end.
func OnceComparisonOf(c *record.Comparison, runs []record.Executions, d Detail) *Comparison {
	var heads []record.Head
	for _, r := range runs {
		heads = append(heads, r.Head)
	}
	m := outcomeOf(c, heads, d)
	for i, r := range runs {
		m.Variants[i] = variantOf(i, r.Head, OnceSource(r))
	}
	if len(runs) > 0 {
		m.Under = []string{onceUnder(runs[0])}
	}
	if m.Compared {
		m.Check = onceCheckOf(runs)
		m.Short.Check, m.Short.Open = m.Check, shortSteps(c)
	}
	m.Notes, m.Sides = slices.Concat(contestWidth(c), weighed(c), OnceNotes(runs...)), onceSides(runs)
	return m
}

// outcomeOf is what comparisons of all kinds have: the verdicts with what explains them, the gates and the commands.
func outcomeOf(c *record.Comparison, runs []record.Head, d Detail) *Comparison {
	m := &Comparison{Compared: HasVerdict(c), Setup: Setup{Method: method(c)}, Commands: nextCommands(c, runs)}
	m.Show = showCommand(c, runs)
	for i, r := range runs {
		m.Variants = append(m.Variants, variantOf(i, r, Source(r)))
	}
	for _, contest := range c.Contests {
		m.Contests = append(m.Contests, contestOf(contest, m.Compared))
	}
	if !m.Compared {
		m.Check = Statement{Text: noVerdict(c, d), Tone: Bad}
		m.Headline, m.Verdicts = m.Check.Text, []Statement{m.Check}
		return m
	}
	for i, contest := range c.Contests {
		m.Verdicts = append(m.Verdicts, Statement{Text: ContestSentence(contest), Tone: m.Contests[i].Tone})
		m.Short.Verdicts = append(m.Short.Verdicts, Statement{Text: shortSentence(contest), Tone: m.Contests[i].Tone})
	}
	if indicative(c) {
		m.Indicative = []Statement{{Text: NotTogether, Tone: Warning}}
	}
	m.Headline, m.Stopped, m.Gates, m.Open = comparisonHeadline(c), Stopped(c), gatesOf(c), nextSteps(c)
	return m
}

// variantOf is a side of a comparison.
func variantOf(i int, r record.Head, source string) Variant {
	return Variant{Letter: Letter(i), Label: r.Label, Run: r.ID, Commit: r.Binary.Commit,
		Source: strings.TrimSpace(source)}
}

// contestOf is one variant against another; it has no figures where nothing was compared.
func contestOf(c record.Contest, compared bool) Contest {
	one := Contest{
		A: c.A, B: c.B, Word: string(c.Word), Tone: contestTone(c), Tolerance: judge.DefaultDelta,
		Measures: []MeasureRow{},
		oneFact:  c.OneFact,
	}
	if v, ok := Lead(c); ok {
		one.Tolerance, one.lead = v.Delta, v.Measure.Key
	}
	if !compared {
		one.Word, one.Tone = string(judge.Invalid), Bad
		return one
	}
	for _, v := range c.Verdicts {
		if measure.OfGrowth(v.Measure) && max(v.A, v.B) <= v.Measure.Floor {
			continue // most programs keep nothing
		}
		one.Measures, one.Confidence = append(one.Measures, MeasureOf(v)), Confidence(c.Verdicts[0])
	}
	one.Why, one.Shared = WhyLines(c), SharedLevel(c.Verdicts, "measures")
	return one
}

// contestTone is that of the verdict. What is faster by CPU time, and changed in something else that may be the reason,
// is not plainly better.
func contestTone(c record.Contest) Tone {
	tone := WordTone(c.Word)
	if tone == Better && len(caveatTexts(c, Full)) > 0 {
		return Warning
	}
	return tone
}

// WordTone is the tone of a verdict.
func WordTone(w judge.Word) Tone {
	switch w {
	case judge.Faster:
		return Better
	case judge.Slower:
		return Worse
	case judge.Same, judge.NoChange:
		return Neutral
	case judge.Invalid:
		return Bad
	default:
		return Warning
	}
}

// Neutrals are the texts that are not empty as statements.
func Neutrals(texts ...string) (all []Statement) {
	for _, text := range NonEmpty(texts...) {
		all = append(all, Statement{Text: text, Tone: Neutral})
	}
	return all
}

// NotTogether is the note on a difference between runs of different times.
const NotTogether = "A and B were not taken together: their difference is only indicative, since it also holds what " +
	"changed on the machine in between"

// HasVerdict says whether anything was compared.
func HasVerdict(c *record.Comparison) bool {
	return len(c.Contests) > 0 && c.Word != judge.Invalid &&
		!slices.ContainsFunc(c.Contests, func(contest record.Contest) bool { return contest.Word == judge.Invalid })
}

// comparisonHeadline is the outcome in a few words.
func comparisonHeadline(c *record.Comparison) string {
	var claims []string
	for _, contest := range c.Contests {
		v, ok := Lead(contest)
		if !ok {
			v.Word = judge.Undecided
		}
		claims = append(claims, contestClaim(contest, v)+otherwiseSeen(contest, v.Word)+besides(contest, Brief))
	}
	text := strings.Join(claims, ", ")
	if gates := gatesOf(c); len(gates) > 0 {
		text = GatesInAll(gates).Text + "; " + text
	}
	if indicative(c) {
		text = "indicative (not taken together): " + text
	}
	return text
}

// fewerCPUs says that the programs had fewer CPUs than the machine has: what gains by more of them is not seen.
func fewerCPUs(runs []record.Run) string {
	if len(runs) == 0 {
		return ""
	}
	e := runs[0].Environment
	n, all := len(e.SubjectCPUs), e.Description.CPUs
	if n == 0 || n >= all {
		return ""
	}
	return fmt.Sprintf("each program ran on %d of the %d CPUs: gains from more CPUs do not show in these figures", n,
		all)
}

// nameInvalid names the variant that the reason for no verdict is about. It is then not among the doubts as well.
func nameInvalid(m *Comparison, c *record.Comparison, runs []record.Run) {
	for i, r := range runs {
		text := fmt.Sprintf("%s: %s", Letter(i), c.Reason)
		said := func(s Statement) bool { return s.Word == "invalid" && s.Text == text }
		if doubt := load.Invalid(r.Doubts); doubt != nil && doubt.Text == c.Reason &&
			slices.ContainsFunc(m.Doubts, said) {
			m.Headline = "no verdict (invalid): " + text
			m.Doubts = slices.DeleteFunc(m.Doubts, said)
		}
	}
	m.Check.Text, m.Verdicts[0].Text = m.Headline, m.Headline
}

// kept says how much was measured before a comparison ended without a verdict; empty if nothing was.
func kept(runs []record.Run) string {
	var parts []string
	for i, r := range runs {
		if r.Slices > 0 {
			parts = append(parts, fmt.Sprintf("%d slices of %s of %s", r.Slices, Starts(r.Starts), Letter(i)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "kept: " + strings.Join(parts, ", ")
}

func noVerdict(c *record.Comparison, d Detail) string {
	status := c.Status
	if status == "" || status == ledger.Complete {
		status = ledger.Invalid
	}
	switch c.Reason {
	case "":
		return fmt.Sprintf("no verdict (%s): nothing was compared", status)
	case string(status):
		return "no verdict: " + c.Reason
	}
	return fmt.Sprintf("no verdict (%s): %s", status, Reason(c.Reason, c.ID, d))
}

// Source says which commit and toolchain a run was built from; more stands before its name.
func Source(h record.Head, more ...string) string {
	parts := append([]string{Commit(h), h.Binary.GoVersion}, append(more, "run "+h.ID)...)
	if h.Status != ledger.Complete {
		parts = append(parts, string(h.Status))
	}
	return "  (" + strings.Join(NonEmpty(parts...), ", ") + ")"
}

// Commit is the commit of a run's source, with what was changed on top.
func Commit(h record.Head) string {
	commit := h.Binary.Commit[:min(10, len(h.Binary.Commit))]
	if commit != "" && h.Binary.Dirty {
		commit += "+changes"
	}
	return commit
}

// headsOf are what runs under load have in common with all others.
func headsOf(runs []record.Run) []record.Head {
	var all []record.Head
	for _, r := range runs {
		all = append(all, r.Head)
	}
	return all
}

// nextCommands are the commands that lead on from a comparison, with names to copy.
func nextCommands(c *record.Comparison, runs []record.Head) []Command {
	var commands []Command
	var line spec.Line
	if len(runs) > 0 {
		line = runs[0].Command
	}
	if len(runs) > 1 && len(runs[0].Profiles) > 0 && len(runs[1].Profiles) > 0 {
		commands = append(commands, Command{Line: line.Stored("profile", "diff", runs[0].ID, runs[1].ID),
			What: "what changed, by function"})
	}
	for i, r := range runs {
		what := "of " + Letter(i)
		if i == 0 {
			what = "profiles and logs of A"
		}
		commands = append(commands, Command{Line: line.Stored("show", r.ID), What: what})
	}
	if longer := line.Longer(); longer != nil && slices.ContainsFunc(c.Contests, growsSoFar) {
		commands = append(commands, Command{Line: longer.String(), What: "does it grow on? starts of 20 s tell"})
	}
	return append(commands, Command{Line: showCommand(c, runs), What: "this again"},
		Command{Line: "hone help words", What: "what the words here mean"})
}

// showCommand shows a comparison again.
func showCommand(c *record.Comparison, runs []record.Head) string {
	var line spec.Line
	if len(runs) > 0 {
		line = runs[0].Command
	}
	return line.Stored("show", c.ID)
}
