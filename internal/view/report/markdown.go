package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
)

// markdownLimit keeps a comment under what GitHub takes, which is 65,536 characters.
const markdownLimit = 60_000

// Markdown writes a comparison as a comment on a pull request: what came of it, the gates
// and the measures of each variant in tables; how it was measured, and the commands that
// do it again, are folded away. It stays under 60,000 characters, by leaving out what
// stands last, and nothing in a label or a message is taken for markup.
func Markdown(w io.Writer, c *record.Comparison, runs []record.Run) error {
	c, runs = printable.Document(c), printable.Document(runs)
	m := model.ComparisonOf(c, runs, model.Brief)
	d := &comment{rest: fmt.Sprintf("\nThe rest is in the ledger: `hone show %s`\n", plainWord(c.ID))}
	d.add("### hone: **%s**\n", inText(m.Headline))
	if m.Compared {
		markdownLines(d, m.Verdicts, m.Open, m.Answers)
		markdownGates(d, m.Gates)
		for _, contest := range m.Contests {
			markdownMeasures(d, m, contest)
		}
		markdownLines(d, model.Neutrals(m.Why()...))
	} else {
		markdownLines(d, m.Doubts)
	}
	markdownHow(d, m, runs)
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

// markdownLines writes a list.
func markdownLines(d *comment, all ...[]model.Statement) {
	b := &strings.Builder{}
	for _, one := range slices.Concat(all...) {
		fmt.Fprintf(b, "- %s\n", inText(one.String()))
	}
	if b.Len() > 0 {
		d.add("\n%s", b)
	}
}

// mostGates is how many gates a comment lists; those that did not pass come first.
const mostGates = 40

func markdownGates(d *comment, gates []model.GateLine) {
	if len(gates) == 0 {
		return
	}
	b := &strings.Builder{}
	for i, g := range gates {
		if i == mostGates {
			fmt.Fprintf(b, "\nand %s more\n", plural(len(gates)-i, "gate"))
			break
		}
		outcome := g.Outcome
		if g.Tone != model.Good {
			outcome = "**" + outcome + "**"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", inMarkdownCode(g.Name), inText(g.Variant), outcome, inText(g.Reason))
	}
	d.add("\n| gate | variant | outcome | why |\n|---|---|---|---|\n%s", b)
}

func markdownMeasures(d *comment, m *model.Comparison, contest model.Contest) {
	if len(contest.Measures) == 0 {
		return
	}
	b := &strings.Builder{}
	for _, row := range contest.Measures {
		cells := row.Cells.All()
		for i := range cells {
			cells[i] = inText(cells[i])
		}
		if row.Tone != model.Neutral {
			cells[len(cells)-1] = "**" + cells[len(cells)-1] + "**"
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
	a, z := model.Letter(contest.A), model.Letter(contest.B)
	d.add("\n%s against %s\n\n| measure | unit | %s | %s | change | %s interval | %s is |\n"+
		"|---|---|--:|--:|--:|--:|---|\n%s",
		markdownVariant(m, contest.B), markdownVariant(m, contest.A), a, z, contest.Confidence, z, b)
}

// markdownVariant is a variant by its letter and label.
func markdownVariant(m *model.Comparison, i int) string {
	if i >= len(m.Variants) || m.Variants[i].Label == "" {
		return model.Letter(i)
	}
	return model.Letter(i) + " " + inMarkdownCode(m.Variants[i].Label)
}

// markdownHow folds away the conditions, the environment, the starts and the looks.
func markdownHow(d *comment, m *model.Comparison, runs []record.Run) {
	b := &strings.Builder{}
	say := func(format string, args ...any) { fmt.Fprintf(b, "- %s\n", inText(fmt.Sprintf(format, args...))) }
	if m.Compared {
		for _, one := range slices.Concat([]model.Statement{m.Check, {Text: m.Stopped}}, m.Limits, m.Doubts, m.Notes) {
			say("%s", one)
		}
	}
	if len(m.Under) > 0 {
		say("under: %s", strings.Join(m.Under, "; "))
	}
	for _, line := range m.Method {
		say("%s", line)
	}
	rows := &strings.Builder{}
	for i, r := range runs {
		fmt.Fprintf(rows, "| %s | %s | %s | %d | %s | %s |\n", markdownVariant(m, i), inText(r.ID),
			inText(strings.TrimSpace(model.Commit(r.Head)+" "+r.Binary.GoVersion)),
			r.Starts, units.Count(uint64(r.Slices)), units.Count(r.Counts.Answered))
	}
	d.add("\n<details><summary>How it was measured</summary>\n\n%s\n"+
		"| variant | run | built from | starts | slices | requests |\n|---|---|---|--:|--:|--:|\n%s\n</details>\n", b, rows)
}
