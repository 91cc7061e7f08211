package changes

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/testkit/moduletest"
)

const manyTests = `package many

import (
	"math/rand"
	"testing"
)

const size = 100

type source struct{ n int }

func (s *source) next() int { s.n++; return s.n }

var words = make([]string, size)

func fill() int { return len(words) }

func local(fill int) int { return fill }

func BenchmarkDirect(b *testing.B) {
	for range b.N {
		Parse("x")
	}
}

func BenchmarkHelped(b *testing.B) {
	b.Run("sub", func(b *testing.B) { Parse(unknown{n: fill()}) })
}

func BenchmarkTyped(b *testing.B) {
	s := &source{}
	for range b.N {
		s.next()
	}
}

func BenchmarkLocal(b *testing.B) { local(1) }

func BenchmarkRandom(b *testing.B) { rand.Int() }
`

const outerTests = `package many_test

import (
	"os"
	"testing"

	"example.com/many"
)

func BenchmarkOuter(b *testing.B) { many.Fill() }

func BenchmarkData(b *testing.B) { os.ReadFile("testdata/words.txt") }
`

const exportTests = `package many

func Fill() int { return fill() }
`

// packageOf is a listed package with the tests of this file, changed by replacing old by new.
func packageOf(t *testing.T, old, new string) sources.Listed {
	t.Helper()
	files := map[string]string{"many_test.go": manyTests, "outer_test.go": outerTests, "export_test.go": exportTests,
		"testdata/words.txt": "one\n"}
	for name, text := range files {
		files[name] = strings.ReplaceAll(text, old, new)
	}
	return sources.Listed{Dir: moduletest.WriteFiles(t, files), ImportPath: "example.com/many",
		TestGoFiles: []string{"export_test.go", "many_test.go"}, XTestGoFiles: []string{"outer_test.go"}}
}

// Which benchmarks changed themselves when a part of the test files did: those that use it,
// by a function, a type, an import, a file, or through the names that tests export.
func TestWhatABenchmarkIsMadeOf(t *testing.T) {
	for _, c := range []struct{ old, new, files, changed string }{
		{"Parse(\"x\")", "Parse(\"y\")", "many_test.go", "Direct: BenchmarkDirect (many_test.go:20)"},
		{"\t\tParse(\"x\")\n", "\t\t// why\n\n\t\tParse(\n\"x\")\n", "many_test.go", ""}, // layout and comments
		{"return len(words)", "return 2 * len(words)", "many_test.go",
			"Helped/sub: fill (many_test.go:16); Outer: fill (many_test.go:16)"},
		{"size = 100", "size = 200", "many_test.go", "Helped/sub: size (many_test.go:8); Outer: size (many_test.go:8)"},
		{"s.n++;", "s.n += 2;", "many_test.go", "Typed: source.next (many_test.go:12)"},
		{"\"math/rand\"", "\"math/rand/v2\"", "many_test.go", "Random: BenchmarkRandom (many_test.go:39)"},
		{"one\n", "two\n", "testdata/words.txt", "Data: testdata/words.txt"},
		{"return fill()", "return fill() + 1", "export_test.go", "Outer: Fill (export_test.go:3)"},
		{"const size = 100", "func init() { warm() }\n\nconst size = 100", "many_test.go",
			"Direct: init (many_test.go:8); Helped/sub: init (many_test.go:8); Typed: init (many_test.go:8); Local: init " +
				"(many_test.go:8); Random: init (many_test.go:8); Outer: init (many_test.go:8); Data: init (many_test.go:8)"},
		{"nothing of this", "", "", ""},
	} {
		found := [2]sources.Listed{packageOf(t, "", ""), packageOf(t, c.old, c.new)}
		changes, err := CompareTests(found, found, [2]Deps{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, name := range []string{"Direct-2", "Helped/sub-2", "Typed-2", "Local-2", "Random-2", "Outer-2",
			"Data-2"} {
			if found := changes.Behind(name); len(found) > 0 {
				got = append(got, strings.TrimSuffix(name, "-2")+": "+strings.Join(found, ", "))
			}
		}
		if text := strings.Join(got, "; "); text != c.changed {
			t.Errorf("%q:\n got %s\nwant %s", c.new, text, c.changed)
		}
		if files := strings.Join(changes.Files, ", "); files != c.files {
			t.Errorf("%q: files %s, want %s", c.new, files, c.files)
		}
	}
}

// Where the sources cannot be read, every benchmark counts as changed.
func TestTestsThatCannotBeReadCountAsChanged(t *testing.T) {
	found := [2]sources.Listed{packageOf(t, "", ""), packageOf(t, "package many\n", "package 7\n")}
	changes, err := CompareTests(found, found, [2]Deps{})
	if err != nil || len(changes.Behind("Local-2")) != 2 {
		t.Errorf("%v, %v", changes.Behind("Local-2"), err)
	}
}
