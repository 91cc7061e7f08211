package benchmarks

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/spec"
)

// partOf is part k of 2 of five functions, of which one has a sub-benchmark; all parts say that New is new on side B.
func partOf(k int) *Result {
	all := []string{"p.A", "p.B", "p.C", "q.A", "q.B"}
	names := map[int][]string{1: {"A-2", "C/sub-2", "B-2"}, 2: {"B-2", "A-2"}}[k]
	packages := map[int][]string{1: {"p", "p", "q"}, 2: {"p", "q"}}[k]
	r := &Result{Schema: Schema, Alpha: 0.05, Stopped: map[int]string{1: "decided", 2: "budget used up"}[k],
		Shard:    &Shard{Shard: spec.Shard{Index: k, Of: 2}, Functions: all},
		OneSided: []OneSided{{Package: "p", Name: "New-2", Side: "B"}}, Rounds: 10 * k}
	for i, name := range names {
		r.Benchmarks = append(r.Benchmarks, Benchmark{Package: packages[i], Name: name})
	}
	both, own := Unchanged{Package: "p", Name: "Same"}, Unchanged{Package: "p", Name: map[int]string{1: "D", 2: "E"}[k],
		Reason: NotExecuted}
	r.Unchanged = []Unchanged{both, own}
	r.Reach = &reach.Table{Functions: []reach.Function{{Name: "p.F", Package: "p"}, {Name: "p.G", Package: "p"}}}
	r.Reach.Functions[k-1].Executed = []reach.Kind{reach.Benchmark}
	r.Reach.Functions[k-1].Benchmarks = []string{names[0]}
	return r
}

func TestPartsBecomeOneResult(t *testing.T) {
	all, err := Join([]*Result{partOf(2), partOf(1)}, []string{"two", "one"})
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, b := range all.Benchmarks {
		order = append(order, b.Package+"."+b.Name)
	}
	if want := []string{"p.A-2", "p.B-2", "p.C/sub-2", "q.A-2", "q.B-2"}; !slices.Equal(order, want) {
		t.Errorf("got %v, want %v", order, want)
	}
	for i, f := range all.Reach.Functions {
		if !f.During(reach.Benchmark) || len(f.Benchmarks) != 1 {
			t.Errorf("function %d is executed by %v", i, f.Benchmarks)
		}
	}
	if len(all.Unchanged) != 3 {
		t.Errorf("unchanged: %+v", all.Unchanged)
	}
	if len(all.OneSided) != 1 || all.Rounds != 20 || all.Stopped != "decided, budget used up" || all.Shard != nil {
		t.Errorf("%+v", all)
	}
}

func TestPartsThatDoNotBelongTogether(t *testing.T) {
	other := func(change func(*Result)) *Result {
		r := partOf(2)
		change(r)
		return r
	}
	for name, test := range map[string]struct {
		parts []*Result
		want  string
	}{
		"none":      {nil, "nothing to join"},
		"missing":   {[]*Result{partOf(1)}, "part 2/2 is missing"},
		"twice":     {[]*Result{partOf(1), partOf(1)}, "a and b are both part 1/2"},
		"whole":     {[]*Result{partOf(1), other(func(r *Result) { r.Shard = nil })}, "b: it is not a part"},
		"of others": {[]*Result{partOf(1), other(func(r *Result) { r.Shard.Of = 3 })}, "a is part 1/2, and b is part 2/3"},
		"of another commit": {[]*Result{partOf(1), other(func(r *Result) { r.Sides[1].Commit = "1" })},
			"other commits or toolchains"},
		"fewer": {[]*Result{partOf(1), other(func(r *Result) { r.Shard.Functions = r.Shard.Functions[1:] })},
			"not asked for the same benchmarks: 5 and 4"},
	} {
		if _, err := Join(test.parts, []string{"a", "b"}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

func TestFilesThatAreNoResult(t *testing.T) {
	newer := partOf(1)
	newer.Schema = "hone.bench/9"
	text, err := json.Marshal(newer)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range [][2]string{{string(text), "hone.bench/9"}, {"BenchmarkX 1 2 ns/op", "invalid character"}} {
		path := filepath.Join(t.TempDir(), "part.json")
		if err := os.WriteFile(path, []byte(test[0]), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), test[1]) {
			t.Errorf("%v, want %q", err, test[1])
		}
	}
}

// Each index is in one part, and the parts differ by one at most.
func TestIndicesAreDealtOut(t *testing.T) {
	for of := 1; of < 9; of++ {
		for n := range 20 {
			held, least, most := 0, n+1, 0
			for k := 1; k <= of; k++ {
				s, here := spec.Shard{Index: k, Of: of}, 0
				for i := range n {
					if s.Holds(i) {
						here++
					}
				}
				held, least, most = held+here, min(least, here), max(most, here)
			}
			if held != n || most-least > 1 {
				t.Errorf("%d parts of %d: %d held, from %d to %d", of, n, held, least, most)
			}
		}
	}
}
