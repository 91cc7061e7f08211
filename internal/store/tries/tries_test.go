package tries

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/ledger"
)

// Comparisons are tries of each other if their programs are of one tree or one build, and they came to their end. A
// commit that was made anew with the same files is the same, and one that another package was built from is not.
func TestTriesAreOfTheSamePrograms(t *testing.T) {
	l, err := ledger.Open(t.TempDir() + "/.hone")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	tree := func(commit string) string {
		return map[string]string{"base": "t0", "one": "t1", "amended": "t1"}[commit]
	}
	compare := func(status ledger.Status, doc any, runs ...ledger.Run) string {
		t.Helper()
		draft, err := l.BeginComparison(ledger.Comparison{})
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range runs {
			r.Comparison, r.Variant = draft.ID(), string(rune('A'+i))
			run, err := l.BeginRun(r)
			if err == nil {
				err = run.Finish(ledger.Complete, "", nil)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		text, err := json.Marshal(doc)
		if err == nil {
			err = draft.Finish(ledger.Comparison{Status: status, Doc: text})
		}
		if err != nil {
			t.Fatal(err)
		}
		return draft.ID()
	}
	type place struct{ at, of int }
	placeOf := func(id string, letters ...string) place {
		t.Helper()
		h, err := Read(l, tree)
		if err != nil {
			t.Fatal(err)
		}
		all := h.Of(id, letters...)
		if !slices.IsSortedFunc(all, func(a, b Try) int { return a.Comparison.Started.Compare(b.Comparison.Started) }) {
			t.Errorf("%+v are not in order", all)
		}
		return place{Place(all, id), len(all)}
	}
	none := struct{}{}
	a := ledger.Run{Package: "x", Commit: "base", BuildID: "0"}
	b := ledger.Run{Package: "x", Commit: "one", BuildID: "1"}
	dirty := ledger.Run{Package: "x", Commit: "one", Dirty: true, BuildID: "2"}
	first := compare(ledger.Complete, none, a, b)
	compare(ledger.Partial, none, a, b)
	again := compare(ledger.Complete, none, a, ledger.Run{Package: "x", Commit: "amended", BuildID: "9"})
	compare(ledger.Complete, none, a, dirty)
	compare(ledger.Complete, none, b, a)
	compare(ledger.Complete, none, ledger.Run{Package: "y", Commit: "base"}, ledger.Run{Package: "y", Commit: "one"})
	three := compare(ledger.Complete, none, a, dirty, b)
	for _, c := range []struct {
		name    string
		id      string
		letters []string
		want    place
	}{
		{"the first", first, []string{"A", "B"}, place{1, 3}},
		{"amended", again, []string{"A", "B"}, place{2, 3}},
		{"a third variant", three, []string{"A", "C"}, place{3, 3}},
		{"a working tree", three, []string{"A", "B"}, place{2, 2}},
		{"all three", three, []string{"A", "B", "C"}, place{1, 1}},
	} {
		if got := placeOf(c.id, c.letters...); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	bench := func(a, b benchmarks.Side, names ...string) string {
		r := &benchmarks.Result{Schema: benchmarks.Schema, Sides: [2]benchmarks.Side{a, b}}
		for _, name := range names {
			r.Benchmarks = append(r.Benchmarks, benchmarks.Benchmark{Package: "x", Name: name})
		}
		return compare(ledger.Complete, r)
	}
	base, head := benchmarks.Side{Name: "A", Commit: "base"}, benchmarks.Side{Name: "B", Commit: "one"}
	changed := benchmarks.Side{Name: "B", Commit: "one", Dirty: true}
	bench(base, head, "Parse", "Join")
	bench(base, head, "Other")
	bench(base, changed, "Parse")
	if got := placeOf(bench(base, head, "Join"), "A", "B"); got != (place{2, 2}) {
		t.Errorf("a benchmark again: %+v", got)
	}
	if got := placeOf(bench(base, changed, "Parse"), "A", "B"); got != (place{1, 1}) {
		t.Errorf("files that no commit has: %+v", got)
	}
	if got := placeOf(first, "A", "B"); got != (place{1, 3}) {
		t.Errorf("a service after comparisons of benchmarks: %+v", got)
	}
}
