package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/corpus"
)

// story is a repository whose commits each change one file, in which the benchmark Dig reaches dig, the type Hole with its method
// Depth, and the package spade.
var story = map[string]string{
	"go.mod":         "module example.org/dig\n\ngo 1.24\n",
	"README.md":      "old\n",
	"dig.go":         "package dig\n\nimport \"example.org/dig/spade\"\n\ntype Hole struct{ n int }\n\nfunc (h Hole) Depth() int { return h.n }\n\nfunc (h Hole) Girth() int { return 1 }\n\nfunc dig(h Hole) int { return spade.Use(h.Depth()) }\n\nfunc fill() int { return 2 }\n",
	"dig_test.go":    "package dig\n\nimport \"testing\"\n\nfunc TestFill(t *testing.T) { fill() }\n\nfunc BenchmarkDig(b *testing.B) {\n\tfor range b.N {\n\t\tdig(Hole{})\n\t}\n}\n",
	"spade/spade.go": "package spade\n\nfunc Use(n int) int { return n }\n\nfunc Clean() {}\n",
	"rake/rake.go":   "package rake\n\nfunc Use() {}\n",
}

// A commit that changes what the benchmark may reach is left out. Every other commit gets its kind.
func TestClassify(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "user.name=test", "-c", "user.email=test@localhost"}, args...)...)
		cmd.Dir = dir
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v: %s", args, err, text)
		}
		return strings.TrimSpace(string(text))
	}
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "--quiet")
	for name, text := range story {
		write(name, text)
	}
	git("add", ".")
	git("commit", "--quiet", "-m", "old")
	parent := git("rev-parse", "HEAD")
	known, err := interfaceMethods()
	if err != nil || !known["String"] || !known["Less"] || known["plantedLoop"] {
		t.Fatalf("%d methods of interfaces, %v", len(known), err)
	}
	s := &subject{repository: &repository{dir: dir, files: map[string]*file{}}, dir: ".", root: "BenchmarkDig", tests: true, known: known, trees: map[string]*tree{}}
	for _, c := range []struct {
		file, old, young string
		want             corpus.Kind // "" for none
	}{
		{"README.md", "old", "new", corpus.Documents},
		{"rake/rake.go", "{}", "{ println() }", corpus.Packages},
		{"dig.go", "func dig", "// dig digs.\nfunc dig", corpus.Comments},
		{"dig.go", "func dig", "//go:noinline\nfunc dig", ""},
		{"dig.go", "return 2", "return 3", corpus.Functions},
		{"dig.go", "return 1", "return 3", corpus.Functions},
		{"dig.go", "return h.n", "return h.n + 1", ""},
		{"dig.go", "struct{ n int }", "struct{ n, m int }", ""},
		{"dig.go", "func fill", "func (h Hole) String() string { return \"\" }\n\nfunc fill", ""},
		{"dig.go", "func fill", "func init() { println() }\n\nfunc fill", ""},
		{"dig.go", "func fill", "var _ = fill()\n\nfunc fill", ""},
		{"dig.go", "func fill", "func rest() {}\n\nfunc fill", corpus.Functions},
		{"spade/spade.go", "return n", "return n + 1", ""},
		{"spade/spade.go", "Clean() {}", "Clean() { println() }", corpus.Functions},
		{"dig_test.go", "fill() }", "fill(); fill() }", corpus.Tests},
		{"dig_test.go", "dig(Hole{})", "dig(Hole{1})", ""},
		{"go.mod", "1.24", "1.25", ""},
		{"testdata/hole", "", "deep", ""},
	} {
		git("checkout", "--quiet", parent)
		write(c.file, strings.Replace(story[c.file], c.old, c.young, 1))
		git("add", ".")
		git("commit", "--quiet", "-m", c.young)
		got, err := s.classify(parent, git("rev-parse", "HEAD"))
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q for %q is %q, %v; want %q", c.file, c.young, c.old, got, err, c.want)
		}
	}
}
