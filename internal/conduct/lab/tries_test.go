package lab

import (
	"encoding/json"
	"testing"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// Comparisons of the same two programs are counted, under whatever load and name, and those that said otherwise, too.
func TestComparisonsOfTwoProgramsAreCounted(t *testing.T) {
	l, err := ledger.Open(t.TempDir() + "/.hone")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	a := ledger.Run{Variant: "A", Label: "HEAD~1", Package: "example.com/app", Commit: "aaaa", BuildID: "1", Plan: "p"}
	b := ledger.Run{Variant: "B", Label: ".", Package: "example.com/app", Commit: "bbbb", Dirty: true, BuildID: "2", Plan: "p"}
	with := func(r ledger.Run, change func(*ledger.Run)) ledger.Run {
		change(&r)
		return r
	}
	compare := func(a, b ledger.Run, word judge.Word) *record.Tries {
		t.Helper()
		draft, err := l.BeginComparison(ledger.Comparison{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []ledger.Run{a, b} {
			r.Comparison = draft.ID()
			run, err := l.BeginRun(r)
			if err == nil {
				err = run.Finish(ledger.Complete, "", nil)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		c := &record.Comparison{Schema: record.ComparisonSchema, Contests: []record.Contest{{B: 1, Word: word}}}
		m := &Measurement{Lab: &Lab{Ledger: l}, Comparison: draft}
		m.countTries(c)
		doc, err := json.Marshal(c)
		if err == nil {
			err = draft.Finish(ledger.Comparison{Status: ledger.Complete, Word: string(word), Doc: doc})
		}
		if err != nil {
			t.Fatal(err)
		}
		return c.Contests[0].Tries
	}
	for _, c := range []struct {
		what string
		a, b ledger.Run
		word judge.Word
		want record.Tries
	}{
		{"the first", a, b, judge.Same, record.Tries{Number: 1}},
		{"once more", a, b, judge.Undecided, record.Tries{Number: 2, Contradict: 1}},
		{"under another load and name", with(a, func(r *ledger.Run) { r.Label = "aaaa" }),
			with(b, func(r *ledger.Run) { r.Plan, r.Label = "q", "/tmp/x" }), judge.Faster,
			record.Tries{Number: 3, Contradict: 1}},
		{"the commit of A built otherwise", with(a, func(r *ledger.Run) { r.BuildID = "9" }), b, judge.Faster,
			record.Tries{Number: 4, Contradict: 1}},
		{"another B", a, with(b, func(r *ledger.Run) { r.BuildID = "3" }), judge.Slower, record.Tries{Number: 1}},
		{"one program with two sets of arguments", a, with(a, func(r *ledger.Run) { r.Variant, r.Label = "B", "-x" }),
			judge.Same, record.Tries{Number: 1}},
		{"with a third", a, with(a, func(r *ledger.Run) { r.Variant, r.Label = "B", "-y" }), judge.Same,
			record.Tries{Number: 1}},
		{"with the second again", a, with(a, func(r *ledger.Run) { r.Variant, r.Label = "B", "-x" }), judge.Faster,
			record.Tries{Number: 2, Contradict: 1}},
	} {
		if got := compare(c.a, c.b, c.word); got == nil || *got != c.want {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
	}
}
