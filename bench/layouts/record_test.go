package layouts

import (
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/judge"
)

// There are ten benchmarks and two services, with commits of the corpus or of this repository.
func TestSubjects(t *testing.T) {
	all, err := corpus.NoOps()
	if err != nil {
		t.Fatal(err)
	}
	services := 0
	for _, s := range subjects {
		if s.Benchmark == "" {
			services++
		}
		if s.Repo != corpus.Own && !slices.ContainsFunc(all,
			func(n corpus.NoOp) bool { return n.Repo == s.Repo && n.Commit.Commit == s.Commit.Commit }) {
			t.Errorf("%s is none of the corpus", s.Commit)
		}
		if !strings.HasPrefix(s.commit().Adds, "package "+s.pkg+"\n") {
			t.Errorf("%s adds %q", s.name(), s.commit().Adds)
		}
	}
	if services != 2 || len(subjects) != 12 {
		t.Errorf("%d subjects, %d of them services", len(subjects), services)
	}
}

// What was measured is not measured again, a part of the long run neither.
func TestMissing(t *testing.T) {
	c := config{orders: 30, rounds: 50, verdicts: 2, long: 1, only: subjects[:1]}
	name := subjects[0].name()
	records := []record{{Subject: name, Kind: rounds}, {Subject: name, Kind: verdict}, {Subject: "another", Kind: long}}
	want := []trial{{subjects[0], starts, 0}, {subjects[0], rounds, 1}, {subjects[0], rounds, 2},
		{subjects[0], verdict, 1}, {subjects[0], long, 0}}
	if got := c.missing(records); !slices.Equal(got, want) {
		t.Errorf("missing are %v", got)
	}
}

// The document has the order's share of the variance, verdicts that turn, and intervals that miss the long run.
func TestDocument(t *testing.T) {
	small := subjects[0].name()
	said := func(w judge.Word, low, high float64) record {
		return record{Subject: small, Kind: verdict,
			Said: &honecli.Said{Word: w, Ratio: (low + high) / 2, Low: low, High: high, Seconds: 30}}
	}
	ones := []float64{3e-8, 3e-8, 3e-8, 3e-8, 3e-8, 3e-8}
	records := []record{
		{Subject: small, Kind: starts, Plain: [][]float64{{3e-8, 3.01e-8}, {3.3e-8, 3.31e-8}},
			Aligned: [][]float64{{3e-8, 3.01e-8}, {3.01e-8, 3e-8}}},
		{Subject: small, Kind: rounds, A: ones, B: ones},
		said(judge.Same, 0.99, 1.01), said(judge.Same, 0.99, 1.01), said(judge.Slower, 1.01, 1.03),
	}
	res := &bed.Result{}
	document(res, records)
	for _, line := range []string{
		"variance of one start of a benchmark or a service: 100 (100 .. 100) %; functions at multiples of 64 bytes: 0 (0 .. 0) %",
		"contradict each other: 1 of 1; false alarms 1 of 3",
		"2 of 3, 66.7 %",
		"goal at least 95 %: missed",
		"at most 1.5 % for benchmarks of under 100 ns: 1 of 1, 100.0 % (20.7 ... 100.0); goal at least 100 %: held",
		"2 same, 1 slower",
	} {
		if !strings.Contains(res.Text(), line) {
			t.Errorf("no %q in\n%s", line, res.Text())
		}
	}
	if strings.Contains(res.Text(), "over 1 us") {
		t.Errorf("a goal without results in\n%s", res.Text())
	}
}
