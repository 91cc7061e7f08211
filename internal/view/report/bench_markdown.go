package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/model/bench"
	"github.com/gohone/hone/judge"
)

// BenchMarkdown writes the result as a comment on a pull request: the gates, which the exit code follows, the sentence,
// and a table of what changed or is undecided; what is the same is folded away.
func BenchMarkdown(w io.Writer, r *benchmarks.Result) error {
	r = printable.Document(r)
	b := &strings.Builder{}
	gatesMarkdown(b, r)
	fmt.Fprintf(b, "**%s**\n\n", inText(bench.Sentence(r)))
	fmt.Fprintf(b, "A: %s, B: %s; %s after %s\n", inMarkdownCode(r.Sides[0].Label), inMarkdownCode(r.Sides[1].Label),
		inText(r.Stopped), plural(r.Rounds, "round"))
	if lines := bench.Reach(r); len(lines) > 0 {
		fmt.Fprintln(b)
		for _, line := range lines {
			fmt.Fprintf(b, "- %s\n", inText(line))
		}
	}
	for _, t := range benchTables(r) {
		markdownTable(b, t)
	}
	if r.Instructions != nil {
		instructionsMarkdown(b, r)
	}
	asides := bench.Changed(r)
	for _, text := range bench.Caveats(r) {
		asides = append(asides, bench.BenchAside{What: "beside the verdict", Of: text})
	}
	if asides = append(asides, bench.Left(r)...); len(asides) > 0 {
		fmt.Fprintln(b)
	}
	for _, a := range asides {
		b.WriteString(asideMarkdown(a))
	}
	return write(w, b)
}

// gatesMarkdown writes the outcome of all gates, a table of them, and those that did not pass.
func gatesMarkdown(b *strings.Builder, r *benchmarks.Result) {
	gates := bench.Gates(r)
	if len(gates) == 0 {
		return
	}
	fmt.Fprintf(b, "**%s**\n\n", inText(bench.GatesInAll(r).Text))
	fmt.Fprint(b, "| gate | passed | failed | undecided | excluded |\n|---|---|---|---|---|\n")
	for _, g := range gates {
		fmt.Fprintf(b, "| %s | %d | %d | %d | %s |\n", inMarkdownCode(g.Text), g.Passed, g.Failed, g.Open,
			inText(g.Excluded))
	}
	fmt.Fprintln(b)
	before := b.Len()
	for name, g := range notPassed(r.Gates) {
		fmt.Fprintf(b, "- %s: %s %s: %s\n", inText(string(g.Outcome)), inMarkdownCode(name),
			inMarkdownCode(g.Gate.Text), inText(g.Reason))
	}
	if b.Len() > before {
		fmt.Fprintln(b)
	}
}

func markdownTable(b *strings.Builder, t benchTable) {
	var changed, same []benchRow
	for _, row := range t.rows {
		if row.verdict.Word.Alike() && row.name != "geomean" {
			same = append(same, row)
		} else {
			changed = append(changed, row)
		}
	}
	fmt.Fprintf(b, "\n#### %s\n\n", inText(t.measure.Name))
	markdownRows(b, changed)
	if len(same) > 0 {
		what := "the same"
		if slices.ContainsFunc(same, func(row benchRow) bool { return row.verdict.Word == judge.NoChange }) {
			what = "without a change"
		}
		fmt.Fprintf(b, "\n<details><summary>%s %s</summary>\n\n", plural(len(same), "benchmark"), what)
		markdownRows(b, same)
		fmt.Fprint(b, "\n</details>\n")
	}
	if t.left > 0 {
		fmt.Fprintf(b, "\nNo change in %s.\n", plural(t.left, "benchmark"))
	}
}

func markdownRows(b *strings.Builder, rows []benchRow) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprint(b, "| benchmark | A to B | change | interval | verdict |\n|---|---|---|---|---|\n")
	for _, row := range rows {
		c := row.cells()
		name := inMarkdownCode(strings.TrimSpace(row.pkg + " " + c[0]))
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", name, inText(c[1]), inText(c[2]), inText(c[3]), inText(c[4]))
	}
}

// asideMarkdown is one item of a list; the lines of others are folded away.
func asideMarkdown(a bench.BenchAside) string {
	what := inText(strings.ToUpper(a.What[:1]) + a.What[1:])
	item := "- " + strings.Join(model.NonEmpty(what, inMarkdownCode(a.Of), inText(a.Text)), ": ") + "\n"
	if len(a.Output) > 0 {
		item += "\n  <details><summary>last lines</summary>\n\n"
		for _, line := range a.Output { // two blanks end a line
			item += "  " + inMarkdownCode(line) + "  \n"
		}
		item += "\n  </details>\n\n"
	}
	return item
}
