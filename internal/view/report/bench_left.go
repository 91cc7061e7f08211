package report

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench"
)

// benchChanged writes which test files differ between the sides, and for each benchmark that
// is concerned what it is made of.
func benchChanged(b *strings.Builder, r *gobench.Result) {
	if r.Tests != "" {
		fmt.Fprintf(b, "both sides were built with the tests of side %s\n", r.Tests)
	}
	for _, c := range r.ChangedTests {
		fmt.Fprintf(b, "test files that differ: %s: %s\n", c.Package, strings.Join(c.Files, ", "))
	}
	for _, one := range r.Benchmarks {
		if len(one.Changed) > 0 {
			fmt.Fprintf(b, "the benchmark itself changed: %s %s: %s; %s\n",
				one.Package, one.Name, strings.Join(one.Changed, ", "), r.ChangedHint())
		}
	}
}

// benchChangedMarkdown is benchChanged as a list.
func benchChangedMarkdown(b *strings.Builder, r *gobench.Result) {
	if r.Tests != "" {
		fmt.Fprintf(b, "\nBoth sides were built with the tests of side %s.\n", r.Tests)
	}
	if len(r.ChangedTests) > 0 {
		fmt.Fprintln(b)
	}
	for _, c := range r.ChangedTests {
		fmt.Fprintf(b, "- Test files that differ: %s: %s\n", inCode(c.Package), inCode(strings.Join(c.Files, ", ")))
	}
	for _, text := range benchCaveats(r) {
		fmt.Fprintf(b, "- Beside the verdict: %s\n", inCode(text))
	}
	for _, one := range r.Benchmarks {
		if len(one.Changed) > 0 {
			fmt.Fprintf(b, "- The benchmark itself changed: %s: %s; %s\n",
				inCode(one.Package+" "+one.Name), inCode(strings.Join(one.Changed, ", ")), r.ChangedHint())
		}
	}
}

// benchLeft writes what was not compared, and why: failures with the last lines of the
// compiler or of the benchmark, benchmarks that skip themselves, and those of one side.
func benchLeft(b *strings.Builder, r *gobench.Result) {
	for _, f := range r.Failures {
		fmt.Fprintf(b, "failed: %s\n", f.Text)
		for line := range strings.Lines(f.Output) {
			fmt.Fprintf(b, "    %s\n", strings.TrimRight(line, "\n"))
		}
		if f.Hint != "" {
			fmt.Fprintf(b, "    %s\n", f.Hint)
		}
	}
	for _, u := range r.Untimed {
		fmt.Fprintf(b, "not compared: %s %s on side %s: %s\n    %s\n", u.Package, u.Name, u.Side, u.Text, u.Hint)
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(b, "skipped: %s %s: %s\n", s.Package, s.Name, skippedText(s))
	}
	for _, o := range r.OneSided {
		fmt.Fprintf(b, "not compared: %s %s: %s\n", o.Package, o.Name, o.Text)
	}
	for _, text := range benchUnchanged(r) {
		fmt.Fprintln(b, text)
	}
}

// unchangedSentence counts the benchmarks that were not measured, since their code is the same: "2 benchmarks are unchanged: same code".
func unchangedSentence(r *gobench.Result) string {
	switch n := len(r.Unchanged); n {
	case 0:
		return ""
	case 1:
		return "1 benchmark is unchanged: " + gobench.SameCode
	default:
		return fmt.Sprintf("%d benchmarks are unchanged: %s", n, gobench.SameCode)
	}
}

// alsoSentence is what a sentence about the benchmarks that were measured goes on with, about the others.
func alsoSentence(r *gobench.Result) (also string) {
	for _, more := range []string{unchangedSentence(r), failedSentence(r)} {
		if more != "" {
			also += "; " + more
		}
	}
	return also
}

// benchUnchanged names the benchmarks that were not measured, since their code is the same, by package.
func benchUnchanged(r *gobench.Result) (lines []string) {
	names, packages := map[string][]string{}, []string{}
	for _, u := range r.Unchanged {
		if names[u.Package] == nil {
			packages = append(packages, u.Package)
		}
		names[u.Package] = append(names[u.Package], u.Name)
	}
	for _, p := range packages {
		lines = append(lines, fmt.Sprintf("unchanged, not measured: %s: %s: nothing that they reach differs between A and B (--all measures them)", p, listed(names[p])))
	}
	return lines
}

// skippedText says where a benchmark skips itself, and the reason that it gives.
func skippedText(s gobench.Skipped) string {
	text := "skips itself on side " + s.Side
	if s.Side != "A" && s.Side != "B" {
		text = "skips itself on both sides"
	}
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	return text
}

// benchLeftMarkdown is benchLeft as a list; the last lines are folded away.
func benchLeftMarkdown(b *strings.Builder, r *gobench.Result) {
	if len(r.Failures)+len(r.Untimed)+len(r.Skipped)+len(r.OneSided)+len(r.Unchanged) > 0 {
		fmt.Fprintln(b)
	}
	for _, f := range r.Failures {
		fmt.Fprintf(b, "- Failed: %s\n", inCode(f.Text))
		if f.Output != "" {
			fmt.Fprintf(b, "\n  <details><summary>last lines</summary>\n\n%s\n  </details>\n\n", codeBlock(f.Output, "  "))
		}
	}
	for _, u := range r.Untimed {
		fmt.Fprintf(b, "- Not compared: %s on side %s: %s. %s\n", inCode(u.Package+" "+u.Name), u.Side, u.Text, inCode(u.Hint))
	}
	for _, s := range r.Skipped {
		text := skippedText(gobench.Skipped{Side: s.Side})
		if s.Reason != "" {
			text += ": " + inCode(s.Reason)
		}
		fmt.Fprintf(b, "- Skipped: %s %s\n", inCode(s.Package+" "+s.Name), text)
	}
	for _, o := range r.OneSided {
		fmt.Fprintf(b, "- Not compared: %s: %s\n", inCode(o.Package+" "+o.Name), o.Text)
	}
	for _, text := range benchUnchanged(r) {
		fmt.Fprintf(b, "- %s\n", inCode(text))
	}
}

// codeBlock quotes lines that are not hone's own, each behind so many blanks that markdown
// takes it for code.
func codeBlock(text, indent string) string {
	b := &strings.Builder{}
	for line := range strings.Lines(text) {
		fmt.Fprintf(b, "%s    %s\n", indent, strings.TrimRight(line, "\r\n"))
	}
	return b.String()
}

// failedSentence counts what could not be compared: "1 package does not build, 2 benchmarks failed".
func failedSentence(r *gobench.Result) string {
	packages, benchmarks := r.FailureCount()
	var parts []string
	if packages > 0 {
		verb := "do not build or run"
		if packages == 1 {
			verb = "does not build or run"
		}
		parts = append(parts, plural(packages, "package")+" "+verb)
	}
	if benchmarks > 0 {
		parts = append(parts, plural(benchmarks, "benchmark")+" failed")
	}
	if n := len(r.Untimed); n > 0 {
		parts = append(parts, plural(n, "benchmark")+" whose time does not grow with the number of operations")
	}
	return strings.Join(parts, ", ")
}
