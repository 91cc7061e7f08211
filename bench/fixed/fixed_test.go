package fixed

import (
	"errors"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/judge"
)

// The repositories are 20 and more, each once, of both kinds, as the rule of the package says.
func TestSubjects(t *testing.T) {
	known, kinds := map[string]bool{}, map[string]int{}
	for _, s := range subjects() {
		if known[s.Repo] || corpus.SubjectOf(s.Repo) == nil {
			t.Errorf("%s: want a repository of the corpus, once", s.Repo)
		}
		known[s.Repo] = true
		kinds[kindOf(s)]++
	}
	if len(known) < wanted || kinds["library"] != (len(corpus.Libraries)+1)/2 ||
		kinds["service"] != len(corpus.Services)+len(corpus.MoreServices) {
		t.Errorf("%v", kinds)
	}
}

func TestOutcomes(t *testing.T) {
	v := &judge.Verdict{Measure: measure.OperationTime, Low: 0.7, Ratio: 0.8, High: 0.9}
	r := record{Repo: "a/b"}
	r.take(&tuning.Fix{Without: 3, FewSamples: []string{"BenchmarkX"}, Tried: []*tuning.Rewritten{
		{Rule: "kept", Commit: "c0ffee", Claim: tuning.Less, Decides: v, Benchmark: "Sum-2", Tested: true},
		{Rule: "none", Claim: tuning.None, Decides: v, Tested: true},
		{Rule: "costs", Claim: tuning.More, Decides: v, Tested: true},
		{Rule: "refused", Refused: "finding x is not rewritten: a.go:1: no\nmore", Why: errors.New("no")},
		{Rule: "vet", Refused: "vet the rewritten package: undefined: x"},
		{Rule: "broke", Refused: "test the rewritten package: TestX of p: x_test.go:3: want 1"},
		{Rule: "differs", Different: "100 % other content", Tested: true},
	}})
	want := []outcome{gained, noGain, costs, refused, noBuild, broke, different}
	for i, x := range r.Rewrites {
		if x.Outcome != want[i] || strings.Contains(x.Why, "\n") {
			t.Errorf("%s: %s %q, want %s", x.Rule, x.Outcome, x.Why, want[i])
		}
	}
	if r.Findings != 10 || r.measured() != 6 || r.wrong() != 2 || r.tested() != 4 || r.FewSamples != 1 ||
		r.Rewrites[0].Of != "Sum-2" || r.Rewrites[1].Of != "time per operation" {
		t.Errorf("%+v", r)
	}
	if r.Broken = []string{"TestY"}; r.wrong() != 3 {
		t.Errorf("%d wrong with a branch that breaks a test", r.wrong())
	}
}

// A wrong rewrite misses the goal; what was not measured is said.
func TestDocument(t *testing.T) {
	all := subjects()
	var records []record
	for _, s := range all[:5] {
		records = append(records, record{Repo: s.Repo, Kind: kindOf(s), Findings: 2,
			Rewrites: []rewrite{{Rule: "map-growth", Outcome: gained, Ratio: 0.8, Low: 0.7, High: 0.9}}})
	}
	records = append(records, record{Repo: all[5].Repo, Failed: "it does not build"})
	res := &bed.Result{}
	document(res, records)
	text := res.Text()
	for _, want := range []string{"0 of 5", "held", "5 of 20 repositories measured, 10 findings, 5 with a rewrite, 5 tried, 5 gains",
		"not measured: it does not build", "-20.0 (-30.0 to -10.0)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	records[0].Rewrites[0].Outcome = different
	res = &bed.Result{}
	if document(res, records); !strings.Contains(res.Text(), "missed") {
		t.Errorf("a wrong answer does not miss the goal:\n%s", res.Text())
	}
	c := config{only: all}
	todo, err := c.todo(t.Context(), &bed.Journal[record]{Records: records})
	if err != nil || len(todo) != len(all)-6 {
		t.Errorf("%d to do, %v", len(todo), err)
	}
}
