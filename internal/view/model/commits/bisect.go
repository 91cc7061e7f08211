package commits

import (
	"fmt"
	"math"
	"strings"

	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

// Bisect is what a search for a commit has to say.
type Bisect struct {
	// Sentence is the outcome, Tone what it means for the measure.
	Sentence string     `json:"sentence"`
	Tone     model.Tone `json:"tone"`
	// Under are the lines below it: the ends, what is left, how it was found.
	Under []string     `json:"under"`
	Steps []BisectStep `json:"steps,omitempty"`
	// Skipped are the commits that could not be measured, with the reason.
	Skipped []model.Row `json:"skipped,omitempty"`
	// Probes are the comparisons in their order.
	Probes []model.Row `json:"probes,omitempty"`
}

// BisectStep is one commit that changed the measure.
type BisectStep struct {
	// Sentence says what it did.
	Sentence string     `json:"sentence"`
	Tone     model.Tone `json:"tone"`
	// Commits are the commit, or all that it may be.
	Commits []model.Row `json:"commits"`
	// Why are lines, Hunks the change of the source, More how many hunks are left out.
	Why   []string            `json:"why,omitempty"`
	Hunks []commitsearch.Hunk `json:"hunks,omitempty"`
	More  int                 `json:"more_hunks,omitempty"`
	// Command compares the commit with the one before again.
	Command string `json:"command,omitempty"`
}

// BisectOf is what a result has to say.
func BisectOf(r *commitsearch.Result) Bisect {
	b := Bisect{Tone: model.Neutral}
	for _, s := range r.Steps {
		b.Steps = append(b.Steps, bisectStep(r, s))
	}
	b.Sentence, b.Tone = bisectSentence(r, b.Steps)
	b.Under = bisectUnder(r)
	for _, p := range r.Probes {
		row := model.Row{Name: p.Commit.String(), Text: probeText(p), Note: units.Seconds(p.Took)}
		b.Probes = append(b.Probes, row)
		if p.Skipped != "" {
			b.Skipped = append(b.Skipped, model.Row{Name: p.Commit.String(), Text: p.Skipped})
		}
	}
	return b
}

func bisectSentence(r *commitsearch.Result, steps []BisectStep) (string, model.Tone) {
	switch r.Stopped {
	case commitsearch.Nothing:
		if r.Whole == nil || r.Target == nil || r.Whole.Same {
			return fmt.Sprintf("there is nothing to find: %s and %s have the same code", r.BadRef, r.GoodRef), model.Neutral
		}
		return fmt.Sprintf("there is nothing to find: %s and %s differ by less than %s in %s", r.BadRef, r.GoodRef,
			units.Share(r.Whole.Below), r.Target.Measure.Name), model.Neutral
	case commitsearch.NotSure:
		if r.Whole == nil || r.Whole.Verdict == nil {
			return "undecided whether there is anything to find", model.Neutral
		}
		return fmt.Sprintf("undecided whether there is anything to find: %s %s, from %s to %s", r.Target,
			change(*r.Whole.Verdict), r.GoodRef, r.BadRef), model.Neutral
	}
	if len(steps) > 0 {
		return steps[0].Sentence, steps[0].Tone
	}
	switch r.Stopped {
	case commitsearch.Found:
		return "no single commit has a step of this size", model.Neutral
	case commitsearch.TooMany:
		return fmt.Sprintf("not found in %s: %s", units.Plural(len(r.Probes), "probe"), leftOf(r)), model.Neutral
	case commitsearch.Interrupted:
		return fmt.Sprintf("interrupted after %s: %s", units.Plural(len(r.Probes), "probe"), leftOf(r)), model.Neutral
	}
	return "no commit was found whose comparison with the one before confirms it", model.Neutral
}

// leftOf names the range of commits that holds most of what is known.
func leftOf(r *commitsearch.Result) string {
	first, last := -1, -1
	for i, p := range r.Curve {
		if p.Probability > 0.01/float64(len(r.Curve)) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	switch {
	case first < 0:
		return "nothing is known yet"
	case first == last:
		return "most likely it is " + r.Curve[first].Commit.Short()
	}
	return fmt.Sprintf("it is one of the %s from %s to %s", units.Plural(last-first+1, "commit"),
		r.Curve[first].Commit.Short(), r.Curve[last].Commit.Short())
}

// change is a change with its interval: "+12.3 % (+11.0 ... +13.6)".
func change(v judge.Verdict) string {
	if !v.Bounded() || v.Low == v.High {
		return units.Percent(v.Ratio - 1)
	}
	return fmt.Sprintf("%s (%s)", units.Percent(v.Ratio-1), units.Span(v.Low-1, v.High-1))
}

func bisectStep(r *commitsearch.Result, s commitsearch.Step) BisectStep {
	out := BisectStep{Tone: model.Neutral, Hunks: s.Hunks, More: s.More, Command: s.Command}
	who := "one of " + units.Plural(len(s.Commits), "commit")
	switch {
	case len(s.Commits) == 0:
		who = "a commit that is not named"
	case r.Module != "":
		who = s.Commits[len(s.Commits)-1].Subject // the module and its version
	case len(s.Commits) == 1:
		who = s.Commits[0].Short()
	}
	switch v := s.Verdict; {
	case v == nil:
		out.Sentence = fmt.Sprintf("%s changed %s, most likely; it could not be compared with the commit before: %s",
			who, r.Target, s.Refused)
	case !v.Word.Different():
		out.Sentence = fmt.Sprintf("%s most likely changed %s (%.0f %%), but the comparison with the commit before does "+
			"not confirm it: %s", who, r.Target, 100*s.Probability, change(*v))
	default:
		confirmed := ""
		if v.Confirmed() {
			confirmed = ", confirmed"
		}
		out.Sentence = fmt.Sprintf("%s changed %s by %s%s", who, r.Target, change(*v), confirmed)
		out.Tone = model.Worse
		if v.Word == judge.Faster {
			out.Tone = model.Better
		}
	}
	for _, c := range s.Commits {
		out.Commits = append(out.Commits, commitRow(c))
	}
	if s.Merged != nil {
		out.Why = append(out.Why, "merged by "+s.Merged.String())
	}
	for _, m := range s.Modules {
		out.Why = append(out.Why, moduleLine(m))
	}
	if s.Benchmark != nil {
		out.Why = append(out.Why, model.WhyOfBenchmark(*s.Benchmark)...)
	}
	if s.Contest != nil {
		out.Why = append(out.Why, model.WhyLines(*s.Contest)...)
	}
	return out
}

func commitRow(c git.Commit) model.Row {
	return model.Row{Name: c.Hash[:min(12, len(c.Hash))], Text: c.Subject,
		Note: fmt.Sprintf("%s, %s", c.Author, c.Date.Format("2006-01-02"))}
}

func moduleLine(m commitsearch.Module) string {
	switch {
	case m.Before == "":
		return fmt.Sprintf("go.mod: %s %s is new", m.Path, m.After)
	case m.After == "":
		return fmt.Sprintf("go.mod: %s %s is gone", m.Path, m.Before)
	}
	return fmt.Sprintf("go.mod: %s %s -> %s", m.Path, m.Before, m.After)
}

// bisectUnder are the lines below the sentence.
func bisectUnder(r *commitsearch.Result) (lines []string) {
	if r.Whole != nil && r.Whole.Verdict != nil && len(r.Steps) > 0 {
		lines = append(lines, fmt.Sprintf("%s against %s: %s %s", r.BadRef, r.GoodRef, r.Target,
			change(*r.Whole.Verdict)))
	}
	if r.Whole != nil && len(r.Whole.Others) > 0 {
		lines = append(lines, alsoDiffer(r))
	}
	of := "commits"
	if r.Module != "" {
		of = "versions"
	}
	if rest := r.Rest; rest > 0 && r.Whole != nil && r.Whole.Verdict != nil {
		whole := r.Whole.Verdict.Ratio - 1
		switch {
		case (rest-1)*whole > 0 && (rest-1)/whole > 0.15:
			lines = append(lines, fmt.Sprintf("other %s make up the rest, %s: --all finds them", of,
				units.Percent(rest-1)))
		case (rest-1)*whole < 0 && (rest-1)/whole < -0.15:
			lines = append(lines, fmt.Sprintf("other %s take back a part, %s: --all finds them", of,
				units.Percent(rest-1)))
		}
	}
	quiet := ""
	if r.Quiet > 0 {
		quiet = fmt.Sprintf(", %s of which change nothing that is built or read", units.Count(uint64(r.Quiet)))
	}
	if len(r.Probes) > 0 || len(r.Steps) > 0 {
		lines = append(lines, fmt.Sprintf("%s in %s%s; %s", units.Plural(len(r.Probes), "probe"),
			units.Plural(r.Commits, "commit"), quiet, units.Seconds(r.Elapsed)))
	}
	return append(lines, r.Notes...)
}

// mostOthers is how many other differences are named.
const mostOthers = 3

// alsoDiffer names what else differs between the ends, how much of it the commits that were found explain, and how to
// follow what they leave.
func alsoDiffer(r *commitsearch.Result) string {
	var parts []string
	follow := ""
	for i, t := range r.Whole.Others {
		explained, rest := explainedBy(r.Steps, t)
		if i < mostOthers {
			parts = append(parts, fmt.Sprintf("%s %s%s", t.Target, units.Percent(t.Verdict.Ratio-1), explained))
		}
		if follow == "" && rest && t.Target.Measure.Key != r.Target.Measure.Key {
			follow = fmt.Sprintf("; --measure %s follows %s", t.Target.Measure.Key, t.Target)
		}
	}
	text := "also differ: " + strings.Join(parts, ", ")
	if n := len(r.Whole.Others) - mostOthers; n > 0 {
		text += fmt.Sprintf(", and %d more", n)
	}
	return text + follow
}

// mostUnexplained is the part of a difference that may be left where the commits that were found are said to make it.
const mostUnexplained = 0.15

// explainedBy says how much of another difference between the ends comes with the commits that were found, as the end
// of a sentence; rest says whether any of it may be left for other commits. Without a measurement of it there is
// nothing to say, and all of it may be left.
func explainedBy(steps []commitsearch.Step, t commitsearch.TargetVerdict) (text string, rest bool) {
	log, found := 0.0, false
	for _, s := range steps {
		if v := verdictOfStep(s, t.Target); v != nil {
			log, found = log+math.Log(v.Ratio), true
		}
	}
	who := "this commit"
	if len(steps) > 1 {
		who = "these commits"
	}
	whole := math.Log(t.Verdict.Ratio)
	switch {
	case !found || whole == 0:
		return "", true
	case math.Abs(log/whole-1) <= mostUnexplained:
		return fmt.Sprintf(" (by %s)", who), false
	}
	return fmt.Sprintf(" (%s by %s, so other commits make the rest)", units.Percent(math.Expm1(log)), who), true
}

// verdictOfStep is what the comparison of a commit with the one before says of a target; nil if it was not measured.
func verdictOfStep(s commitsearch.Step, t commitsearch.Target) *judge.Verdict {
	var verdicts []judge.Verdict
	switch {
	case s.Benchmark != nil && s.Benchmark.Package == t.Package && s.Benchmark.Name == t.Benchmark:
		verdicts = s.Benchmark.Verdicts
	case s.Contest != nil && t.Benchmark == "":
		verdicts = s.Contest.Verdicts
	}
	for i := range verdicts {
		if verdicts[i].Measure.Key == t.Measure.Key {
			return &verdicts[i]
		}
	}
	return nil
}

func probeText(p commitsearch.Trial) string {
	switch {
	case p.Skipped != "":
		return "skipped: " + p.Skipped
	case p.Same != "":
		return "the same code as the " + p.Same + " end"
	}
	return fmt.Sprintf("%s (%s)", units.Percent(p.Ratio-1), units.Span(p.Low-1, p.High-1))
}

// BisectSummary is the size of what was found; "-" if there is nothing.
func BisectSummary(r *commitsearch.Result) string {
	for _, s := range r.Steps {
		if s.Verdict != nil {
			return change(*s.Verdict)
		}
	}
	return "-"
}

// BisectEnds are what the user calls both ends of a search.
func BisectEnds(r *commitsearch.Result) []string { return []string{r.GoodRef, r.BadRef} }

// BisectArguments are both ends of a search, as a command names them: what the user calls them, or words that stand for
// them where that is not a plain name.
func BisectArguments(r *commitsearch.Result) [2]string {
	ends := [2]string{r.GoodRef, r.BadRef}
	for i, word := range []string{"GOOD", "BAD"} {
		if !git.PlainRef(ends[i]) {
			ends[i] = word
		}
	}
	return ends
}
