package receipts

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/judge/repeat"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/internal/view/receipt"
	"github.com/gohone/hone/judge"
)

const (
	slow = "package sum\n\nfunc Sum(n int) int { return n + 40 }\n"
	code = "package sum\n\nimport \"testing\"\n\nfunc BenchmarkSum(b *testing.B) {}\n\nfunc BenchmarkOther(b *testing.B) {}\n"
)

// verdict is one with its interval, as the judge makes it.
func verdict(m judge.Measure, word judge.Word, a, low, high float64) judge.Verdict {
	ratio := math.Sqrt(low * high)
	return judge.Verdict{Measure: m, Word: word, A: a, B: a * ratio, Ratio: ratio, Low: low, High: high, Conf: 0.95,
		EquivalenceLow: math.Sqrt(low * ratio), EquivalenceHigh: math.Sqrt(high * ratio), P: 0.01, Level: 0.02,
		Starts: 9, Pairs: 200, Alpha: 0.05, Delta: 0.01, Resolution: math.Sqrt(high/low) - 1, Method: judge.SignFlip}
}

// honest is a receipt of a patch in a repository, which makes the benchmark Sum 8 % faster; dir is the repository.
func honest(t *testing.T, word judge.Word, low, high float64) (r *receipt.Receipt, dir string) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	repo := moduletest.NewRepository(t)
	base := repo.Commit(map[string]string{"go.mod": "module example.com/sum\n\ngo 1.24\n", "sum.go": slow,
		"sum_test.go": code})
	text := "--- a/sum.go\n+++ b/sum.go\n@@ -1,3 +1,3 @@\n package sum\n \n-func Sum(n int) int { return n + 40 }\n" +
		"+func Sum(n int) int { return n + 10 }\n"
	made, err := git.Apply(t.Context(), repo.Dir, base, git.PatchText{Name: "x", Text: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	var sides [2]receipt.Side
	for i, commit := range []string{base, made.Commit} {
		tree, err := git.TreeOf(t.Context(), repo.Dir, commit)
		if err != nil {
			t.Fatal(err)
		}
		sides[i] = receipt.Side{Name: string(rune('A' + i)), Commit: commit, Tree: tree, GoVersion: "go1.26.8"}
	}
	g, err := gate.ParseOf("time<+5%", measure.OfBenchmarks)
	if err != nil {
		t.Fatal(err)
	}
	v := verdict(g.Measure, word, 14000, low, high)
	outcome, reason := g.Judge(v)
	return &receipt.Receipt{Comparison: "0123abcd", Document: strings.Repeat("0f", 32), Started: time.Unix(1.8e9, 0).UTC(),
		Elapsed: 3e10, Tries: receipt.Tries{Place: 1, Of: 1}, Repository: receipt.Repository{Below: "."}, Sides: sides[:],
		Patch: &receipt.Patch{Base: base, SHA256: sum(text), Text: text},
		Line:  spec.Line{"bench", "--bench=^BenchmarkSum$", "--gate=time<+5%", "--vs=" + base},
		Claims: []receipt.Claim{{Of: "example.com/sum.Sum", Word: word, Leads: g.Measure.Key,
			Verdicts: []judge.Verdict{v}, Gates: []gate.Result{{Gate: g, Variant: "B", Outcome: outcome, Reason: reason}}}},
	}, repo.Dir
}

// textOf is the text of a receipt.
func textOf(t *testing.T, r *receipt.Receipt) string {
	t.Helper()
	text, err := written(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := receipt.Read(t.Context(), "r.json", []byte(text)); err != nil {
		t.Fatal(err)
	}
	return text
}

// With care a forged receipt is read, so that only trees and a second measurement show it; without, it is refused when
// it is read, but for a commit, a tree or a load, which a reader cannot know.
func TestForgedReceipts(t *testing.T) {
	unreadable := map[kind]bool{"edited figures": true, "edited interval": true, "digest of another report": true,
		"A was disturbed": true, "edited gate": true, "edited words": true}
	mine, dir := honest(t, judge.Faster, 0.90, 0.94)
	text := textOf(t, mine)
	other, _ := honest(t, judge.Faster, 0.5, 0.52)
	theirs := textOf(t, other)
	same, _ := honest(t, judge.Same, 0.995, 1.005)
	for _, k := range kinds {
		for _, careful := range []bool{true, false} {
			read := func(text string) *receipt.Receipt {
				r, err := receipt.Read(t.Context(), "r.json", []byte(text))
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			f := &forging{ctx: t.Context(), rng: draws(1), tree: dir, text: text, receipt: read(text), careful: careful,
				others: []*receipt.Receipt{read(theirs)},
				try:    func(...string) (string, error) { return textOf(t, same), nil }}
			if !k.fits(f.receipt) {
				t.Errorf("%s: no receipt of a patch can be forged", k.kind)
				continue
			}
			if err := k.do(f); err != nil {
				t.Errorf("%s: %v", k.kind, err)
				continue
			}
			forged := f.text
			if forged == text {
				var err error
				if forged, err = written(f.receipt); err != nil {
					t.Fatal(err)
				}
			}
			_, err := receipt.Read(t.Context(), "r.json", []byte(forged))
			switch refused := err != nil; {
			case forged == text:
				t.Errorf("%s, careful %v: nothing is forged", k.kind, careful)
			case k.kind == "edited words": // the words of one measure, which say what its figures do not
				if !refused {
					t.Errorf("%s, careful %v: it is read", k.kind, careful)
				}
			case refused != (unreadable[k.kind] && !careful):
				t.Errorf("%s, careful %v: %v", k.kind, careful, err)
			}
		}
	}
}

// A receipt is made first, verified when it is old enough, and forged by its number, each once.
func TestTodo(t *testing.T) {
	now := time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC)
	r, _ := honest(t, judge.Faster, 0.90, 0.94)
	text := textOf(t, r)
	all := subjects()
	if len(all) != 30 {
		t.Errorf("%d subjects, want 30", len(all))
	}
	c := config{some: all[:3], forged: 2 * len(kinds), age: 20 * time.Hour, forgeries: kinds,
		now: func() time.Time { return now }}
	made := func(s subject, age time.Duration) record {
		return record{Entry: bed.Entry{At: now.Add(-age)}, Subject: s.String(), Repo: s.Repo, Receipt: text}
	}
	records := []record{made(all[0], 21*time.Hour), made(all[1], 19*time.Hour)}
	names := func() (names []string) {
		trials, err := c.todo(context.Background(), &bed.Journal[record]{Records: records})
		if err != nil {
			t.Fatal(err)
		}
		for _, trial := range trials {
			names = append(names, trial.Name)
		}
		return names
	}
	first := names()
	if len(first) != 2+2*len(kinds) || first[0] != "make the receipt of "+all[2].String() ||
		first[1] != "verify that of "+all[0].String() || first[2] != "forged 1: edited figures of "+all[0].String() {
		t.Errorf("%d trials: %q", len(first), first)
	}
	done := made(all[0], 0)
	done.Receipt, done.Said = "", &said{}
	forged := made(all[0], 0)
	forged.Forged, forged.Number, forged.Said = kinds[0].kind, 1, &said{Exit: refuted}
	records = append(records, done, forged)
	if then := names(); len(then) != len(first)-2 || strings.Contains(strings.Join(then, "\n"), "forged 1:") {
		t.Errorf("%d trials: %q", len(then), then)
	}
}

// A forged receipt that holds counts against the goal, and so does an honest one that is left open.
func TestDocument(t *testing.T) {
	answer := func(subject string, k kind, n, exit int) record {
		return record{Subject: subject, Forged: k, Number: n, Age: 21 * time.Hour,
			Said: &said{Exit: exit, Answer: repeat.Holds, Reason: "x", Seconds: 30}}
	}
	records := []record{answer("a", "", 0, holds), answer("b", "", 0, refuted), answer("b", "", 0, holds),
		answer("c", "", 0, open), answer("a", "edited words", 1, refused), answer("a", "edited figures", 2, refuted),
		answer("a", "edited figures", 3, holds), answer("b", "edited figures", 4, open)}
	res := &bed.Result{}
	document(res, records)
	text := res.Text()
	for _, want := range []string{
		"honest receipts that hold when they are verified later: 2 of 3",
		"forged receipts that do not hold: 3 of 4",
		"1 are refused when they are read, or break a test, 1 are excluded by the second measurement, 1 are left open, 1 hold; of 4",
		"edited figures  3  0        1              1     1",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
