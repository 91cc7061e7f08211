package tune

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/insight/rewrite"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/judge"
)

func TestWhatBenchmarksSay(t *testing.T) {
	of := func(name string, word judge.Word, low, ratio, high float64, caveats ...record.Caveat) benchmarks.Benchmark {
		return benchmarks.Benchmark{Name: name, Caveats: caveats, Verdicts: []judge.Verdict{{Measure: measure.OperationTime,
			Word: word, Low: low, Ratio: ratio, High: high, Conf: 0.95, Starts: 6}}}
	}
	faster, slower := of("A", judge.Faster, 0.7, 0.8, 0.9), of("B", judge.Slower, 1.1, 1.2, 1.3)
	same, little := of("C", judge.Same, 0.99, 1, 1.01), of("D", judge.Same, 0.98, 0.99, 0.995)
	changed := of("E", benchmarks.ItselfChanged, 0.1, 0.2, 0.3)
	changed.Changed = []string{"BenchmarkE"}
	doubted := of("F", judge.Undecided, 0.4, 0.5, 0.6, record.Caveat{Name: benchmarks.CaveatSeen, Open: true, Text: "sees it"})
	for name, c := range map[string]struct {
		all   []benchmarks.Benchmark
		claim tuning.Claim
		by    string
	}{
		"faster":                   {[]benchmarks.Benchmark{same, faster, changed}, tuning.Less, "A"},
		"another one is slower":    {[]benchmarks.Benchmark{faster, slower}, tuning.More, "B"},
		"the same":                 {[]benchmarks.Benchmark{same}, tuning.None, "C"},
		"less than what counts":    {[]benchmarks.Benchmark{same, little}, tuning.None, "D"},
		"faster only when watched": {[]benchmarks.Benchmark{doubted}, tuning.None, "F"},
	} {
		r := &tuning.Rewritten{}
		if err := judgeByBenchmarks(r, &benchmarks.Result{Benchmarks: c.all}); err != nil || r.Claim != c.claim ||
			r.Benchmark != c.by || r.Pays() != (c.claim == tuning.Less) {
			t.Errorf("%s: %v %s, %v", name, r.Claim, r.Benchmark, err)
		}
	}
	for name, r := range map[string]*benchmarks.Result{
		"executes nothing that changed": {Unchanged: []benchmarks.Unchanged{{Name: "A", Reason: benchmarks.NotExecuted}}},
		"does not build":                {Failures: []benchmarks.Failure{{Text: "does not build"}}},
		"its time does not grow":        {Untimed: []benchmarks.Untimed{{Text: "its time does not grow"}}},
	} {
		err := judgeByBenchmarks(&tuning.Rewritten{}, r)
		if err == nil || !strings.Contains(err.Error(), name) || !ofTheChange(t.Context(), err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestChosen(t *testing.T) {
	packages, pattern := chosen([]Benchmark{{"p", "BenchmarkA"}, {"p", "BenchmarkB"}, {"q", "BenchmarkA"}})
	if strings.Join(packages, " ") != "p q" || pattern != "^Benchmark(A|B)$" {
		t.Errorf("%q %q", packages, pattern)
	}
}

type silent struct{}

func (silent) Phase(string, time.Duration) {}
func (silent) Tick(progress.Tick)          {}
func (silent) Warn(string)                 {}

const perCall = `package p

import "regexp"

func isWord(text string) bool {
	return regexp.MustCompile("^[a-z]+$").MatchString(text)
}

func isNumber(text string) bool {
	return regexp.MustCompile("^[0-9]+$").MatchString(text)
}
`

// Each change is compared on top of those that were kept, in checkouts that lie outside of the work tree. What breaks no
// test and is not executed by one has to be refused.
func TestFixByBenchmarks(t *testing.T) {
	r := moduletest.NewRepository(t)
	base := r.Commit(map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n", "p/p.go": perCall,
		"p/p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestWord(t *testing.T) { if !isWord(\"a\") || !isNumber(\"1\") { t.Error() } }\n",
		"q/q.go":      strings.Replace(perCall, "package p", "package q", 1)})
	at := func(file string, line int, name string) *Candidate {
		return &Candidate{Finding: tuning.Rewritten{Rule: "compile-per-call", Place: file}, How: rewrite.For("compile-per-call"),
			Place: rewrite.Place{File: file, Line: line}, Options: rewrite.Options{Module: r.Dir},
			Benchmarks: []Benchmark{{"example.com/m/p", name}}}
	}
	var texts [][2]string
	var asked []string
	by := Benchmarks{Dir: r.Dir, Base: base, Compare: func(dirs [2]string, packages []string, pattern string,
		budget time.Duration, alpha float64) (*benchmarks.Result, error) {
		var both [2]string
		for i, dir := range dirs {
			text, err := os.ReadFile(filepath.Join(dir, "p", "p.go"))
			if err != nil || strings.HasPrefix(dir, r.Dir) {
				t.Errorf("%s: %v", dir, err)
			}
			both[i] = string(text)
		}
		texts, asked = append(texts, both), append(asked, pattern)
		return &benchmarks.Result{ID: "abc", Elapsed: budget, Benchmarks: []benchmarks.Benchmark{{Name: "X",
			Verdicts: []judge.Verdict{{Measure: measure.OperationTime, Word: judge.Faster, Low: 0.4, Ratio: 0.5, High: 0.6,
				Conf: 1 - alpha, Starts: 6}}}}}, nil
	}}
	var tried []*tuning.Rewritten
	kept := 0
	err := Fixing{By: by, Budget: time.Minute, Progress: silent{},
		Keep:  func(*tuning.Rewritten, *rewrite.Change) error { kept++; return nil },
		Tried: func(r *tuning.Rewritten) { tried = append(tried, r) },
	}.Fix(t.Context(), []*Candidate{at("p/p.go", 6, "BenchmarkWord"), at("q/q.go", 6, "BenchmarkQ"),
		at("p/p.go", 10, "BenchmarkNumber")})
	if err != nil || len(tried) != 3 || kept != 2 || len(texts) != 2 {
		t.Fatalf("%d tried, %d kept, %d compared, %v", len(tried), kept, len(texts), err)
	}
	if !strings.Contains(tried[1].Refused, "the package has no tests") {
		t.Errorf("without a test: %+v", tried[1])
	}
	if asked[0] != "^Benchmark(Word)$" || texts[0][0] != perCall || texts[1][0] != texts[0][1] ||
		strings.Count(texts[1][1], "regexp.MustCompile") != 2 || strings.Contains(texts[1][1], "return regexp.MustCompile") {
		t.Errorf("%q\n%q", asked, texts)
	}
	if text, err := os.ReadFile(filepath.Join(r.Dir, "p", "p.go")); err != nil || string(text) != perCall {
		t.Errorf("the work tree has changed: %v", err)
	}
	// An error that is not the change's ends it; the user's Ctrl-C, too.
	full := fail.New(fail.Storage, "no space left")
	by.Compare = func([2]string, []string, string, time.Duration, float64) (*benchmarks.Result, error) {
		return nil, full
	}
	err = Fixing{By: by, Progress: silent{}, Tried: func(*tuning.Rewritten) {}}.Fix(t.Context(),
		[]*Candidate{at("p/p.go", 6, "BenchmarkWord")})
	if !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (Fixing{By: by, Progress: silent{}}).Fix(ctx, []*Candidate{at("p/p.go", 6, "BenchmarkWord")}); err == nil {
		t.Error("it goes on after the end of its context")
	}
}
