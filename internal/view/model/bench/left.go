package bench

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
)

// BenchAside is something to know beside the verdicts: what it is, of what, and the lines that someone else wrote.
type BenchAside struct {
	What, Of, Text string
	Output         []string
}

// lines are what a terminal and a page show.
func (a BenchAside) lines() []string {
	lines := []string{strings.Join(model.NonEmpty(a.What, a.Of, a.Text), ": ")}
	for _, line := range a.Output {
		lines = append(lines, "    "+line)
	}
	return lines
}

// Changed says which test files differ between the sides, and for each benchmark that
// is concerned what it is made of.
func Changed(r *benchmarks.Result) (all []BenchAside) {
	if r.Tests != "" {
		all = append(all, BenchAside{What: "both sides were built with the tests of side " + r.Tests})
	}
	for _, c := range r.ChangedTests {
		all = append(all, BenchAside{What: "test files that differ", Of: c.Package, Text: strings.Join(c.Files, ", ")})
	}
	for _, one := range r.Benchmarks {
		if len(one.Changed) > 0 {
			all = append(all, BenchAside{What: "the benchmark itself changed", Of: one.Package + " " + one.Name,
				Text: strings.Join(one.Changed, ", ") + "; " + r.ChangedHint()})
		}
	}
	return all
}

// Left says what was not compared, and why: failures with the last lines of the
// compiler or of the benchmark, benchmarks that skip themselves, and those of one side.
func Left(r *benchmarks.Result) (all []BenchAside) {
	for _, f := range r.Failures {
		a := BenchAside{What: "failed", Of: f.Text}
		for line := range strings.Lines(f.Output) {
			a.Output = append(a.Output, strings.TrimRight(line, "\r\n"))
		}
		a.Output = append(a.Output, model.NonEmpty(f.Hint)...)
		all = append(all, a)
	}
	for _, u := range r.Untimed {
		all = append(all, BenchAside{"not compared", u.Package + " " + u.Name + " on side " + u.Side, u.Text,
			[]string{u.Hint}})
	}
	for _, s := range r.Skipped {
		all = append(all, BenchAside{What: "skipped", Of: s.Package + " " + s.Name, Text: skippedText(s)})
	}
	for _, o := range r.OneSided {
		all = append(all, BenchAside{What: "not compared", Of: o.Package + " " + o.Name, Text: o.Text})
	}
	return append(all, benchUnchanged(r)...)
}

// unchangedSentence counts the benchmarks that were not measured, since their code is the same: "2 benchmarks are
// unchanged: same code".
func unchangedSentence(r *benchmarks.Result) string {
	switch n := len(r.Unchanged); n {
	case 0:
		return ""
	case 1:
		return "1 benchmark is unchanged: " + benchmarks.SameCode
	default:
		return fmt.Sprintf("%d benchmarks are unchanged: %s", n, benchmarks.SameCode)
	}
}

// alsoSentence is what a sentence about the benchmarks that were measured goes on with, about the others.
func alsoSentence(r *benchmarks.Result) (also string) {
	for _, more := range []string{unchangedSentence(r), failedSentence(r)} {
		if more != "" {
			also += "; " + more
		}
	}
	return also
}

// benchUnchanged names the benchmarks that were not measured, since their code is the same, by package.
func benchUnchanged(r *benchmarks.Result) (all []BenchAside) {
	names, packages := map[string][]string{}, []string{}
	for _, u := range r.Unchanged {
		if names[u.Package] == nil {
			packages = append(packages, u.Package)
		}
		names[u.Package] = append(names[u.Package], u.Name)
	}
	for _, p := range packages {
		all = append(all, BenchAside{What: "unchanged, not measured", Of: p + ": " + listed(names[p]),
			Text: "nothing that they reach differs between A and B (--all measures them)"})
	}
	return all
}

// skippedText says where a benchmark skips itself, and the reason that it gives.
func skippedText(s benchmarks.Skipped) string {
	text := "skips itself on side " + s.Side
	if s.Side != "A" && s.Side != "B" {
		text = "skips itself on both sides"
	}
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	return text
}

// failedSentence counts what could not be compared: "1 package does not build, 2 benchmarks failed, 1 benchmark skips
// itself on side B only".
func failedSentence(r *benchmarks.Result) string {
	packages, benchmarks := r.FailureCount()
	var parts []string
	if packages > 0 {
		verb := "do not build or run"
		if packages == 1 {
			verb = "does not build or run"
		}
		parts = append(parts, units.Plural(packages, "package")+" "+verb)
	}
	if benchmarks > 0 {
		parts = append(parts, units.Plural(benchmarks, "benchmark")+" failed")
	}
	if n := len(r.Untimed); n > 0 {
		parts = append(parts, units.Plural(n, "benchmark")+" whose time does not grow with the number of operations")
	}
	for _, s := range r.SkippedOnOne() {
		parts = append(parts, fmt.Sprintf("%s skips itself on side %s only", s.Name, s.Side))
	}
	if n := len(r.Gone()); n > 0 {
		are := "are"
		if n == 1 {
			are = "is"
		}
		parts = append(parts, fmt.Sprintf("%s %s gone on side B", units.Plural(n, "benchmark"), are))
	}
	return strings.Join(parts, ", ")
}
