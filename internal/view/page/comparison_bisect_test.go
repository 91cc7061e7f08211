package page

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/model/commits"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/judge"
)

// searched is what a search among five places found: the fourth took an eighth more time, and the third does not build.
func searched() *commitsearch.Result {
	commit := func(i int) git.Commit {
		return git.Commit{Hash: strings.Repeat(fmt.Sprint(i), 40), Author: "Ada", Date: started.AddDate(0, 0, i-5),
			Subject: fmt.Sprintf("change %d", i)}
	}
	verdict := &judge.Verdict{Measure: measure.OperationTime, Word: judge.Slower, A: 800, B: 900, Ratio: 1.125,
		Low: 1.1, High: 1.15, Conf: 0.95, Method: judge.SignFlip, Starts: 12}
	const broken = "it does not build"
	r := &commitsearch.Result{Schema: commitsearch.Schema, Good: commit(0), Bad: commit(4), GoodRef: "v1",
		BadRef: "main", Commits: 5, Quiet: 1,
		Target: &commitsearch.Target{Package: "example.com/a", Benchmark: "Sort", Measure: measure.OperationTime},
		Whole:  &commitsearch.Whole{Verdict: verdict, Comparison: "0000000a"}, Rest: 1,
		Probes: []commitsearch.Trial{
			{Commit: commit(2), Skipped: broken, Took: time.Second},
			{Commit: commit(1), Ratio: 1.01, Low: 0.98, High: 1.04, Took: 30 * time.Second},
			{Commit: commit(3), Same: "bad", Took: time.Second},
		},
		Curve: []commitsearch.Point{
			{Commit: commit(0), Commits: 1, Ratio: 1, Low: 1, High: 1},
			{Commit: commit(1), Commits: 2, Probability: 0.01, Ratio: 1.01, Low: 0.98, High: 1.04},
			{Commit: commit(2), Commits: 1, Probability: 0.49, Skipped: broken},
			{Commit: commit(3), Commits: 1, Probability: 0.49, Ratio: 1.125, Low: 1.1, High: 1.15},
			{Commit: commit(4), Commits: 1, Ratio: 1.125, Low: 1.1, High: 1.15},
		},
		Stopped: commitsearch.Found, Started: started, Elapsed: 2 * time.Minute}
	r.Steps = []commitsearch.Step{{Commits: []git.Commit{commit(2), commit(3)}, Before: commit(1), Probability: 0.98,
		Verdict: verdict, Comparison: "0000000b",
		Modules: []commitsearch.Module{{Path: "example.com/lib", Before: "v1.2.0", After: "v1.3.0"}},
		Hunks: []commitsearch.Hunk{{File: "sort.go", Function: "less", Named: true,
			Lines: []string{"@@ -3,2 +3,2 @@", " func less(a, b int) bool {", "-\treturn a < b",
				"+\treturn slow(a, b)"}}},
		More: 1, Command: "hone bench --vs 111111111111 --bench '^Sort$' ./a"}}
	return r
}

// searchIn puts a search into a ledger, and returns its page.
func searchIn(t *testing.T, r *commitsearch.Result, status ledger.Status, reason string) (*Library, *Comparison) {
	t.Helper()
	l := testLedger(t)
	d, err := l.BeginComparison(ledger.Comparison{Started: started})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Finish(ledger.Comparison{Status: status, Reason: reason, Word: string(r.Stopped),
		Sentence: commits.BisectOf(r).Sentence, Doc: json.RawMessage(marshal(t, r))}); err != nil {
		t.Fatal(err)
	}
	lib := &Library{Stored: &stored.Library{Ledger: l}}
	p, err := lib.Comparison(d.ID())
	if err != nil {
		t.Fatal(err)
	}
	return lib, p
}

func TestBisectGolden(t *testing.T) {
	_, p := searchIn(t, searched(), ledger.Complete, "")
	golden(t, "bisect.json", string(marshal(t, p))+"\n")
}

// What the page of a search says stands in the terminal, word for word.
func TestBisectShowsWhatTheTerminalPrints(t *testing.T) {
	r := searched()
	_, p := searchIn(t, r, ledger.Complete, "")
	var b strings.Builder
	if err := report.Bisect(&b, r); err != nil {
		t.Fatal(err)
	}
	texts := append([]string{p.Verdicts[0].Text}, p.Under...)
	for _, s := range p.Bisect.Steps {
		texts = append(append(texts, s.Sentence, s.Command), s.Why...)
		for _, c := range s.Commits {
			texts = append(texts, c.Name, c.Text, c.Note)
		}
	}
	for _, s := range p.Bisect.Skipped {
		texts = append(texts, s.Name, s.Text)
	}
	for _, text := range texts {
		if text == "" || !strings.Contains(b.String(), text) {
			t.Errorf("the page says %q, the terminal does not:\n%s", text, &b)
		}
	}
}

// The history has the sentence of a search, and whether the step is for the worse.
func TestHistoryHasSearches(t *testing.T) {
	lib, page := searchIn(t, searched(), ledger.Complete, "")
	h, err := lib.History(history.Query{})
	if err != nil {
		t.Fatal(err)
	}
	want := Entry{Kind: KindBisect, ID: page.ID, Started: started, Title: "v1 to main", Status: "complete",
		Text: page.Verdicts[0].Text, Tone: model.Worse}
	if len(h.Newest) != 1 || !h.Newest[0].Started.Equal(started) {
		t.Fatalf("%+v", h.Newest)
	}
	if h.Newest[0].Started = started; h.Newest[0] != want {
		t.Errorf("%+v, want %+v", h.Newest[0], want)
	}
}

// A commit that a merge brought is marked where the merge stands.
func TestMergedCommitsAreMarkedAtTheirMerge(t *testing.T) {
	r := searched()
	r.Steps[0].Merged, r.Steps[0].Commits = &r.Curve[3].Commit,
		[]git.Commit{{Hash: strings.Repeat("f", 40), Subject: "on a branch"}}
	_, p := searchIn(t, r, ledger.Complete, "")
	for i, place := range p.Bisect.Places {
		if place.Found != (i == 3) {
			t.Errorf("place %d is marked as found: %v", i, place.Found)
		}
	}
}

// A search that was interrupted says once that it was, and what is known; one that goes on has no places yet.
func TestSearchesWithoutAnAnswerHavePages(t *testing.T) {
	r := searched()
	r.Stopped, r.Steps = commitsearch.Interrupted, nil
	_, p := searchIn(t, r, ledger.Interrupted, "interrupted after 3 probes")
	if len(p.Verdicts) != 1 || !strings.HasPrefix(p.Verdicts[0].Text,
		"interrupted after 3 probes: it is one of the ") || len(p.Bisect.Places) != 5 {
		t.Errorf("verdicts %+v, %d places", p.Verdicts, len(p.Bisect.Places))
	}
	_, p = searchIn(t, &commitsearch.Result{Schema: commitsearch.Schema, GoodRef: "v1", BadRef: "main"}, ledger.Partial,
		"disk full")
	if text := string(marshal(t, p)); len(p.Verdicts) != 1 || !strings.Contains(p.Verdicts[0].Text, "disk full") ||
		strings.Contains(text, "null") {
		t.Errorf("%s", text)
	}
}
