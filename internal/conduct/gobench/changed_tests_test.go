package gobench

import (
	"os"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/testkit/moduletest"
)

// With --tests both sides have the same tests, and each imports packages of its own.
func TestInputsUnderTheTestsOfOneSide(t *testing.T) {
	const tests = "package m\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/corpus\"\n)\n\n" +
		"func BenchmarkCorpus(b *testing.B) { Parse(corpus.Text) }\n\nfunc BenchmarkPlain(b *testing.B) { Parse(\"x\") }\n"
	side := func(name, tests, corpus string) *sources.Side {
		return &sources.Side{Side: benchmarks.Side{Name: name}, Env: os.Environ(),
			Dir: moduletest.WriteFiles(t, map[string]string{
				"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": "package m\n\nfunc Parse(string) {}\n",
				"m_test.go":        tests,
				"corpus/corpus.go": "package corpus\n\nconst Text = \"" + corpus + "\"\n",
			})}
	}
	const old = "package m\n\nimport \"testing\"\n\nfunc BenchmarkPlain(b *testing.B) {}\n"
	for corpus, want := range map[string]string{"many words": "", "few": "example.com/m/corpus/corpus.go"} {
		m := &measurement{task: Task{Bench: spec.Bench{Tests: "B", Packages: []string{"."}}},
			sides: [2]*sources.Side{side("A", old, "many words"), side("B", tests, corpus)}, temp: t.TempDir(),
			result: &benchmarks.Result{}}
		var found [2][]sources.Listed
		for i, s := range m.sides {
			var err error
			if found[i], err = sources.List(t.Context(), s, m.task.Packages); err != nil {
				t.Fatal(err)
			}
		}
		packages, _, _ := pair(found[0], found[1], "B")
		if len(packages) != 1 {
			t.Fatalf("%d packages", len(packages))
		}
		if err := m.compareAllTests(t.Context(), packages); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(packages[0].tests.Behind("Corpus"), " "); got != want {
			t.Errorf("corpus %q: Corpus changed by %q, want %q", corpus, got, want)
		}
		if got := packages[0].tests.Behind("Plain"); len(got)+len(m.result.ChangedTests) > 0 {
			t.Errorf("corpus %q: Plain changed by %q, test files differ: %v", corpus, got, m.result.ChangedTests)
		}
	}
}
