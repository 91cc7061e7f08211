package changes

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/testkit/moduletest"
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
	side := func(change string) (sources.Listed, Deps) {
		mine := map[string]string{}
		for name, text := range files {
			if name == change {
				text += " // shorter"
			}
			mine[name] = text
		}
		dir := moduletest.WriteFiles(t, mine)
		at := func(name string, imports ...string) dep {
			return dep{Dir: filepath.Join(dir, name), ImportPath: "example.com/m/" + name,
				GoFiles: []string{name + ".go"}, Imports: imports}
		}
		words := at("words")
		words.EmbedFiles = []string{"words.txt"}
		l := sources.Listed{Dir: dir, ImportPath: "example.com/m", TestGoFiles: []string{"m_test.go"},
			TestEmbedFiles: []string{"texts/a.txt"}}
		l.Module = &struct{ Path string }{"example.com/m"}
		return l, Deps{
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
		found, built := [2]sources.Listed{}, [2]Deps{}
		found[0], built[0] = side("")
		found[1], built[1] = side(c.change)
		changes, err := CompareTests(found, found, built)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, name := range []string{"Corpus", "Shared", "Texts", "Plain"} {
			if behind := strings.Join(changes.Behind(name), " "); behind != "" {
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

// A package of tests alone has no other code: what its benchmarks measure is what they import.
func TestAPackageOfTestsMeasuresWhatItImports(t *testing.T) {
	library := dep{ImportPath: "example.com/library", GoFiles: []string{"library.go"}}
	for files, want := range map[string]int{"": 0, "m.go": 1} {
		d := Deps{
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
