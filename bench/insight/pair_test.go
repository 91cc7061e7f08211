package insight

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

// recorded reads what hone printed of a pair.
func recorded(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("insight/testdata", name))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func pairNamed(t *testing.T, name string) *program {
	t.Helper()
	c, err := openCorpus(false, "")
	if err != nil {
		t.Fatal(err)
	}
	return c.named(name)
}

// The recorded comparison of a pair is right; one of its lines names the handler that calls both causes, which is neither of them.
func TestJudgeRecordedComparison(t *testing.T) {
	var d comparisonDocument
	recorded(t, "compare.json", &d)
	said, err := d.said("cpu")
	if err != nil {
		t.Fatal(err)
	}
	j := judgePair(pairNamed(t, "allotments"), *said)
	if !j.Right || !j.Explained || j.True != 1.64 || !*j.Near || j.On != "cpu" {
		t.Errorf("%+v, want it right and explained, with a ratio near the true one", j)
	}
	if len(j.Placed) != 5 || len(j.False) != 1 || !strings.Contains(j.False[0], "main.(*api).listPlots") {
		t.Errorf("%d lines, false: %q", len(j.Placed), j.False)
	}
	if said, err = d.said("memory"); err != nil || said.On != "resident" || said.Word != judge.Undecided {
		t.Errorf("the verdict on memory is %v: %v", said, err)
	}
	d.Comparison.Word, d.Comparison.Reason = judge.Invalid, "rate short"
	if _, err := d.said("cpu"); err == nil || !strings.Contains(err.Error(), "rate short") {
		t.Errorf("an invalid comparison: %v", err)
	}
	d.Comparison.Contests = nil
	if _, err := d.said("cpu"); err == nil {
		t.Error("want an error for a comparison without a contest")
	}
}

// The recorded benchmarks of versions that do the same are undecided, which is not wrong.
func TestJudgeRecordedBenchmarks(t *testing.T) {
	var d benchmarks.Result
	recorded(t, "bench.json", &d)
	p := pairNamed(t, "tidyurl")
	said, err := benchSaid(p, &d)
	if err != nil || said.Word != judge.Undecided || said.Ratio != d.Geomean[0].Ratio {
		t.Fatalf("%v: %v", said, err)
	}
	if j := judgePair(p, *said); !j.Right || j.Near != nil || len(j.Placed) > 0 {
		t.Errorf("%+v, want it right", j)
	}
	d.Benchmarks[1].Verdicts[0].Word = judge.Slower
	if said, err := benchSaid(p, &d); err != nil || judgePair(p, *said).Right {
		t.Errorf("one is slower, and that is right: %v %v", said, err)
	}
	one := program{truth: truth{Causes: []cause{{Benchmark: "BenchmarkTidy"}}}}
	if said, err := benchSaid(&one, &d); err != nil || said.Word != judge.Undecided || said.Ratio != d.Benchmarks[0].Verdicts[0].Ratio {
		t.Errorf("of the benchmark of the cause: %v %v", said, err)
	}
	one.Causes[0].Benchmark = "BenchmarkElse"
	if _, err := benchSaid(&one, &d); err == nil {
		t.Error("want an error for a benchmark that was not measured")
	}
}

func TestJudgePair(t *testing.T) {
	p := shop(t)
	if err := put(filepath.Join(p.dir, next, "b.go"), []byte("package main\n\n\n\n\n\nkept = append(kept, x)\n")); err != nil {
		t.Fatal(err)
	}
	p.truth = truth{Part: "pair", Measure: "cpu", Word: "faster", Load: load{Connections: 1}, Change: map[string]float64{"cpu": 0.5}, Causes: []cause{
		{Side: now, At: []spot{{"store/a.go", "for {"}}, Function: "(*store).all"},
		{Side: next, At: []spot{{"b.go", "kept = append(kept, x)"}}, Function: "keep"},
	}}
	if err := p.check(p.dir); err != nil {
		t.Error(err)
	}
	const (
		first  = "why: sort.Slice in shop.list (shop/store/a.go:10) is gone: -5.0 of -10 us"
		second = "but: main.run (b.go:8) is new: +9 us"
		other  = "why: sort.Slice in main.other (shop/b.go:1) takes less: -1 of -10 us"
		all    = "why: sort.Slice in main.(*store).all (shop/c.go:3) is gone: -5.0 of -10 us"
		keep   = "why: main.keep takes less: -1 of -10 us"
		allOf  = "why: main.(*store).allOf (c.go:3) takes less: -1 of -10 us"
		line   = "why: main.x (shop/c.go:7) takes less: -1 of -10 us"
	)
	for name, c := range map[string]struct {
		word                   judge.Word
		ratio                  float64
		lines                  []string
		right, near, explained bool
		wrong                  []string
	}{
		"right":                         {judge.Faster, 0.6, []string{first, second, "not explained by functions: -9 % of -50 %"}, true, true, true, nil},
		"by its function":               {judge.Faster, 0.5, []string{all}, true, true, true, nil},
		"another ratio":                 {judge.Faster, 0.8, []string{first}, true, false, true, nil},
		"another place first":           {judge.Faster, 0.5, []string{other, first}, true, true, false, []string{other}},
		"the other cause first":         {judge.Faster, 0.5, []string{keep, first}, true, true, false, nil},
		"latency first":                 {judge.Faster, 0.5, []string{"why p50 latency: -9 us queue", first}, true, true, true, nil},
		"another verdict":               {judge.Slower, 0.5, []string{first}, false, true, false, nil},
		"a longer name of a function":   {judge.Faster, 0.5, []string{allOf}, true, true, false, []string{allOf}},
		"the line of the other version": {judge.Faster, 0.5, []string{line}, true, true, false, []string{line}},
		"no line":                       {judge.Faster, 0.5, nil, true, true, false, nil},
	} {
		j := judgePair(p, compared{Word: c.word, On: "cpu", Ratio: c.ratio, Lines: c.lines})
		if j.Right != c.right || *j.Near != c.near || j.Explained != c.explained || !slices.Equal(j.False, c.wrong) {
			t.Errorf("%s: right %v, near %v, explained %v, false %q", name, j.Right, *j.Near, j.Explained, j.False)
		}
	}
}

// Growth is said by a line; of versions that do the same no line may explain anything, with a place or without one.
func TestJudgePairsOfOtherWords(t *testing.T) {
	p := shop(t)
	p.truth = truth{Measure: "growth", Word: grows, Causes: []cause{{Side: next, At: []spot{{"store/a.go", "for {"}}}}}
	grown := "growth, new in B: a.go:30 main.keep: a slice only grows (unbounded-growth)"
	if j := judgePair(p, compared{Word: judge.Slower, On: "resident", Ratio: 2, Lines: []string{grown}}); !j.Right || !j.Explained || j.Near != nil {
		t.Errorf("%+v, want it right and explained", j)
	}
	more := compared{Word: judge.Slower, On: "resident", Ratio: 2}
	if judgePair(p, more).Right {
		t.Error("more memory is not growth")
	}
	p.Measure, p.Change = "memory", map[string]float64{"live": 2.1}
	if j := judgePair(p, more); !j.Right || !*j.Near || j.Explained {
		t.Errorf("%+v, want it right and not explained", j)
	}
	p.truth = truth{Measure: "none", Word: same, Change: map[string]float64{"cpu": 1}}
	lines := []string{"why: garbage collector takes more: +9 of +9 us", grown, "not explained by functions: 9 %"}
	if j := judgePair(p, compared{Word: judge.Undecided, On: "cpu", Ratio: 1.3, Lines: lines}); !j.Right || len(j.False) != 2 || j.Near != nil {
		t.Errorf("%+v, want it right with two false lines", j)
	}
}

// Each version is a module of its own, and has no files of the other one.
func TestLayOut(t *testing.T) {
	dir := t.TempDir()
	if err := pairNamed(t, "nightbus").layOut(dir); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		"now/go.mod": true, "next/go.mod": true, "now/nightbus/main.go": true, "next/nightbus/main.go": true,
		"now/nightbus/departures.go": false, "next/nightbus/departures.go": true, "next/nightbus/next": false,
	} {
		if _, err := os.Stat(filepath.Join(dir, path)); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}
