package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// markdownLimit keeps a comment under what GitHub takes, which is 65,536 characters.
const markdownLimit = 60_000

// Markdown writes a comparison as a comment on a pull request: what came of it, the gates
// and the measures of each variant in tables; how it was measured, and the commands that
// do it again, are folded away. It stays under 60,000 characters, by leaving out what
// stands last, and nothing in a label or a message is taken for markup.
func Markdown(w io.Writer, c *lab.ComparisonRecord, runs []lab.Record) error {
	c, runs = printable.Document(c), printable.Document(runs)
	d := &comment{rest: fmt.Sprintf("\nThe rest is in the ledger: `hone show %s`\n", plainWord(c.ID))}
	d.add("### hone: **%s**\n", markdownHeadline(c))
	if HasVerdict(c) {
		markdownVerdict(d, c, runs)
	} else {
		markdownLines(d, doubtLines(runs))
	}
	markdownHow(d, c, runs)
	markdownCommands(d, c, runs)
	_, err := io.WriteString(w, d.String())
	return err
}

// comment collects sections, and leaves out what would make it too long.
type comment struct {
	strings.Builder
	rest string // the line that stands for what was left out
	full bool
}

// add adds a section whole or not at all.
func (d *comment) add(format string, args ...any) {
	section := fmt.Sprintf(format, args...)
	switch {
	case d.full:
	case d.Len()+len(section)+len(d.rest) > markdownLimit:
		d.full = true
		d.WriteString(d.rest)
	default:
		d.WriteString(section)
	}
}

// markdownHeadline is the outcome in a few words: what failed comes first, then what is
// open, so that neither hides behind a gain.
func markdownHeadline(c *lab.ComparisonRecord) string {
	if !HasVerdict(c) {
		return inText(noVerdict(c, brief))
	}
	count := map[compare.Outcome]int{}
	for _, g := range c.Gates {
		count[g.Outcome]++
	}
	var claims []string
	for _, contest := range c.Contests {
		v, ok := lead(contest)
		if !ok {
			v.Word = compare.Undecided
		}
		claims = append(claims, contestClaim(contest, v)+otherwiseSeen(contest, v.Word)+besides(contest, brief))
	}
	text := strings.Join(claims, ", ")
	switch n := len(c.Gates); {
	case count[compare.Failed] > 0:
		text = fmt.Sprintf("REGRESSION: %d of %s failed; %s", count[compare.Failed], plural(n, "gate"), text)
	case count[compare.Passed] < n:
		text = fmt.Sprintf("UNDECIDED, not passed: %d of %s; %s", n-count[compare.Passed], plural(n, "gate"), text)
	case n > 0:
		text = fmt.Sprintf("passed %s; %s", plural(n, "gate"), text)
	}
	if indicative(c) {
		text = "indicative (not taken together): " + text
	}
	return inText(text)
}

func markdownVerdict(d *comment, c *lab.ComparisonRecord, runs []lab.Record) {
	var lines []string
	for _, contest := range c.Contests {
		lines = append(lines, ContestSentence(contest))
	}
	lines = append(append(lines, NextSteps(c)...), answers(c, runs)...)
	markdownLines(d, lines)
	markdownGates(d, c)
	for _, contest := range c.Contests {
		markdownMeasures(d, contest, runs)
	}
	b := &strings.Builder{}
	why(b, c)
	markdownLines(d, strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n"))
}

// markdownLines writes a list.
func markdownLines(d *comment, lines []string) {
	b := &strings.Builder{}
	for _, line := range lines {
		if line != "" {
			fmt.Fprintf(b, "- %s\n", inText(line))
		}
	}
	if b.Len() > 0 {
		d.add("\n%s", b)
	}
}

// mostGates is how many gates a comment lists; those that did not pass come first.
const mostGates = 40

func markdownGates(d *comment, c *lab.ComparisonRecord) {
	if len(c.Gates) == 0 {
		return
	}
	b := &strings.Builder{}
	all := SortedGates(c)
	for i, g := range all {
		if i == mostGates {
			fmt.Fprintf(b, "\nand %s more\n", plural(len(all)-i, "gate"))
			break
		}
		outcome := outcomeWord(g.Outcome)
		if g.Outcome != compare.Passed {
			outcome = "**" + outcome + "**"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", inMarkdownCode(g.Gate.Text), inText(g.Variant), outcome, inText(g.Reason))
	}
	d.add("\n| gate | variant | outcome | why |\n|---|---|---|---|\n%s", b)
}

func markdownMeasures(d *comment, contest lab.Contest, runs []lab.Record) {
	if len(contest.Verdicts) == 0 {
		return
	}
	b := &strings.Builder{}
	for _, v := range contest.Verdicts {
		cells := measureRow(v)
		for i := range cells {
			cells[i] = inText(cells[i])
		}
		switch v.Word {
		case compare.Faster, compare.Slower:
			cells[len(cells)-1] = "**" + cells[len(cells)-1] + "**"
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
	a, z := Letter(contest.A), Letter(contest.B)
	d.add("\n%s against %s\n\n| measure | unit | %s | %s | change | %s interval | %s is |\n|---|---|--:|--:|--:|--:|---|\n%s",
		markdownVariant(runs, contest.B), markdownVariant(runs, contest.A), a, z, confidence(contest.Verdicts[0]), z, b)
}

// markdownVariant is a variant by its letter and label.
func markdownVariant(runs []lab.Record, i int) string {
	if i >= len(runs) || runs[i].Label == "" {
		return Letter(i)
	}
	return Letter(i) + " " + inMarkdownCode(runs[i].Label)
}

// markdownHow folds away the conditions, the environment, the starts and the looks.
func markdownHow(d *comment, c *lab.ComparisonRecord, runs []lab.Record) {
	b := &strings.Builder{}
	say := func(format string, args ...any) { fmt.Fprintf(b, "- %s\n", inText(fmt.Sprintf(format, args...))) }
	if HasVerdict(c) {
		say("%s", Check(c, runs))
		say("%s", Stopped(c))
		notes := &strings.Builder{}
		selfDoubts(notes, c)
		disturbed(notes, runs)
		doubts(notes, runs)
		accounts(notes, runs, brief)
		for line := range strings.Lines(notes.String()) {
			say("%s", strings.TrimSpace(line))
		}
	}
	if len(runs) > 0 {
		say("%s", Conditions(runs[0]))
		say("%s", machineOf(runs[0]))
		if text := places(runs); text != "" {
			say("%s", text)
		}
	}
	say("comparison %s of %s, seed %d", c.ID, c.Started.UTC().Format("2006-01-02 15:04 MST"), c.Seed)
	if c.Why != "" {
		say("variants %s: %s", c.Arrangement, c.Why)
	}
	for _, contest := range c.Contests {
		if v, ok := gated(contest); ok && !v.Indicative {
			say("%s against %s: %s, %s; at look %d p = %.2g was held against %.2g", Letter(contest.B), Letter(contest.A), v.Method, evidence(v), v.Looks, v.P, v.Level)
		}
	}
	if len(c.Looks) > 0 {
		var looks []string
		for _, l := range c.Looks {
			looks = append(looks, fmt.Sprintf("%d (%.0f %%)", l.Blocks, 100*l.Used))
		}
		say("looks at so many starts (of the budget): %s", strings.Join(looks, ", "))
	}
	rows := &strings.Builder{}
	for i, r := range runs {
		fmt.Fprintf(rows, "| %s | %s | %s | %d | %s | %s |\n", markdownVariant(runs, i), inText(r.ID), inText(strings.TrimSpace(Commit(r.Head)+" "+r.Binary.GoVersion)),
			r.Starts, units.Count(uint64(r.Slices)), units.Count(r.Counts.Answered))
	}
	d.add("\n<details><summary>How it was measured</summary>\n\n%s\n| variant | run | built from | starts | slices | requests |\n|---|---|---|--:|--:|--:|\n%s\n</details>\n", b, rows)
}

// machineOf says in one line where a run was taken.
func machineOf(r lab.Record) string {
	e := r.Environment
	parts := nonEmpty(e.CPUModel, plural(e.CPUs, "CPU"), strings.TrimSpace(e.OS+"/"+e.Arch+" "+e.Kernel), "hone "+e.Hone,
		fmt.Sprintf("load average %.2f before", e.LoadAverage))
	if e.StealShare > 0 {
		parts = append(parts, fmt.Sprintf("host steal %.1f %%", 100*e.StealShare))
	}
	return "machine: " + strings.Join(parts, ", ")
}
