package bench

import (
	"fmt"
	"slices"
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

// unchangedSentence counts the benchmarks that were not measured, by the reason: "2 benchmarks are unchanged: same code".
func unchangedSentence(r *benchmarks.Result) string {
	var parts []string
	for _, reason := range []string{benchmarks.SameCode, benchmarks.NotExecuted} {
		n := 0
		for _, u := range r.Unchanged {
			if u.Why() == reason {
				n++
			}
		}
		switch {
		case n == 1:
			parts = append(parts, "1 benchmark is unchanged: "+reason)
		case n > 1 && reason == benchmarks.NotExecuted:
			parts = append(parts, fmt.Sprintf("%d benchmarks are unchanged: they execute nothing that changed", n))
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d benchmarks are unchanged: %s", n, reason))
		}
	}
	return strings.Join(parts, "; ")
}

// executesNothing says that nothing was measured, since some benchmarks execute nothing that changed.
func executesNothing(r *benchmarks.Result) bool {
	return slices.ContainsFunc(r.Unchanged, func(u benchmarks.Unchanged) bool { return u.Why() == benchmarks.NotExecuted })
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

// benchUnchanged names the benchmarks that were not measured, by package and reason.
func benchUnchanged(r *benchmarks.Result) (all []BenchAside) {
	type group struct{ path, reason string }
	names, groups := map[group][]string{}, []group{}
	for _, u := range r.Unchanged {
		g := group{u.Package, u.Why()}
		if names[g] == nil {
			groups = append(groups, g)
		}
		names[g] = append(names[g], u.Name)
	}
	for _, g := range groups {
		verb := "reach"
		if g.reason == benchmarks.NotExecuted {
			verb = "execute"
		}
		all = append(all, BenchAside{What: "unchanged, not measured", Of: g.path + ": " + units.FirstOf(names[g], mostListed),
			Text: "nothing that they " + verb + " differs between A and B (--all measures them)"})
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
