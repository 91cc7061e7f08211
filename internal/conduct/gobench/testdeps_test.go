package gobench

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
)

// What only tests import is the benchmark's input: a benchmark changed itself if its source leads there, also through
// another package, and not if the package that is measured imports it, too. So is what a directory of //go:embed holds.
func TestInputsThatAreCompiled(t *testing.T) {
	const tests = `package m

import (
	"embed"
	"testing"

	"example.com/m/corpus"
	"example.com/m/shared"
)

//go:embed texts
var texts embed.FS

func BenchmarkCorpus(b *testing.B) { Parse(corpus.Text()) }

func BenchmarkShared(b *testing.B) { Parse(shared.Text()) }

func BenchmarkTexts(b *testing.B) { texts.Open("texts/" + one) }

func BenchmarkPlain(b *testing.B) { Parse("x") }
`
	files := map[string]string{"m_test.go": tests, "texts/a.txt": "one", "corpus/corpus.go": "package corpus",
		"words/words.go": "package words", "words/words.txt": "many words",
		"shared/shared.go": "package shared"}
	side := func(change string) (listed, deps) {
		mine := map[string]string{}
		for name, text := range files {
			if name == change {
				text += " // shorter"
			}
			mine[name] = text
		}
		dir := tree(t, mine)
		at := func(name string, imports ...string) dep {
			return dep{Dir: filepath.Join(dir, name), ImportPath: "example.com/m/" + name,
				GoFiles: []string{name + ".go"}, Imports: imports}
		}
		words := at("words")
		words.EmbedFiles = []string{"words.txt"}
		l := listed{Dir: dir, ImportPath: "example.com/m", TestGoFiles: []string{"m_test.go"},
			TestEmbedFiles: []string{"texts/a.txt"}}
		l.Module = &struct{ Path string }{"example.com/m"}
		return l, deps{
			"example.com/m": {Dir: dir, ImportPath: "example.com/m", GoFiles: []string{"m.go"},
				Imports: []string{"example.com/m/shared"}},
			"example.com/m [example.com/m.test]": {Dir: dir, ImportPath: "example.com/m",
				Imports: []string{"embed", "testing", "example.com/m/corpus", "example.com/m/shared"}},
			"example.com/m/corpus": at("corpus", "example.com/m/words"),
			"example.com/m/words":  words,
			"example.com/m/shared": at("shared"),
		}
	}
	for _, c := range []struct {
		change string
		want   []string
	}{
		{"", nil},
		{"corpus/corpus.go", []string{"Corpus"}},
		{"words/words.go", []string{"Corpus"}},
		{"words/words.txt", []string{"Corpus"}},
		{"shared/shared.go", nil},
		{"texts/a.txt", []string{"Texts"}},
	} {
		p, built := &pkg{path: "example.com/m"}, [2]deps{}
		p.found[0], built[0] = side("")
		p.found[1], built[1] = side(c.change)
		changes, err := compareTests(p, p.found, built)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, name := range []string{"Corpus", "Shared", "Texts", "Plain"} {
			if behind := strings.Join(changes.behind(name), " "); behind != "" {
				if got = append(got, name); !strings.Contains(behind, c.change) {
					t.Errorf("%s: %s is said to have changed by %s", c.change, name, behind)
				}
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: changed themselves: %v, want %v", c.change, got, c.want)
		}
	}
}

// With --tests both sides have the same tests, and each imports packages of its own.
func TestInputsUnderTheTestsOfOneSide(t *testing.T) {
	const tests = "package m\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/corpus\"\n)\n\n" +
		"func BenchmarkCorpus(b *testing.B) { Parse(corpus.Text) }\n\nfunc BenchmarkPlain(b *testing.B) { Parse(\"x\") }\n"
	side := func(name, tests, corpus string) *builtSide {
		return &builtSide{Side: benchmarks.Side{Name: name}, env: os.Environ(), dir: tree(t, map[string]string{
			"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": "package m\n\nfunc Parse(string) {}\n",
			"m_test.go":        tests,
			"corpus/corpus.go": "package corpus\n\nconst Text = \"" + corpus + "\"\n",
		})}
	}
	const old = "package m\n\nimport \"testing\"\n\nfunc BenchmarkPlain(b *testing.B) {}\n"
	for corpus, want := range map[string]string{"many words": "", "few": "example.com/m/corpus/corpus.go"} {
		m := &measurement{task: Task{Bench: spec.Bench{Tests: "B", Packages: []string{"."}}},
			sides: [2]*builtSide{side("A", old, "many words"), side("B", tests, corpus)}, temp: t.TempDir(),
			result: &benchmarks.Result{}}
		var found [2][]listed
		for i, s := range m.sides {
			var err error
			if found[i], err = list(t.Context(), s, m.task); err != nil {
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
		if got := strings.Join(packages[0].tests.behind("Corpus"), " "); got != want {
			t.Errorf("corpus %q: Corpus changed by %q, want %q", corpus, got, want)
		}
		if got := packages[0].tests.behind("Plain"); len(got)+len(m.result.ChangedTests) > 0 {
			t.Errorf("corpus %q: Plain changed by %q, test files differ: %v", corpus, got, m.result.ChangedTests)
		}
	}
}

// A package of tests alone has no other code: what its benchmarks measure is what they import.
func TestAPackageOfTestsMeasuresWhatItImports(t *testing.T) {
	library := dep{ImportPath: "example.com/library", GoFiles: []string{"library.go"}}
	for files, want := range map[string]int{"": 0, "m.go": 1} {
		d := deps{
			"example.com/m": {ImportPath: "example.com/m", GoFiles: strings.Fields(files)},
			"example.com/m [example.com/m.test]": {ImportPath: "example.com/m",
				Imports: []string{"example.com/library"}},
			"example.com/library": library,
		}
		if only := d.testOnly("example.com/m"); len(only) != want {
			t.Errorf("with %q: %v", files, only)
		}
	}
}
