package bisect

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// digging is a subject whose history the tests make.
var digging = corpus.Subject{Repo: "example/dig", Package: "dig", Benchmark: "Dig/deep", Hot: "dig.go:Hole.Dig"}

const (
	digText  = "package dig\n\n// Hole digs.\ntype Hole struct{}\n\nfunc (*Hole) Dig(n int) int { return n + %d }\n"
	testText = "package dig\n\nimport \"testing\"\n\nfunc BenchmarkDig(b *testing.B) { b.Run(\"deep\", func(b *testing.B) { for range b.N { new(Hole).Dig(%d) } }) }\n"
)

// repository makes one of a commit for each change, files by their names, and returns the directory of clones.
func repository(t *testing.T, changes []map[string]string) corpus.Clones {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, digging.Repo)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "--quiet")
	for i, files := range changes {
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		git(t, dir, "add", ".")
		git(t, dir, "-c", "user.name=A. U. Thor", "-c", "user.email=author@localhost", "commit", "--quiet", "-m", fmt.Sprintf("change %d\n\nand why", i))
	}
	return corpus.Clones(root)
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := corpus.Git(t.Context(), dir, "", args...)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// dug is the history of a repository made of changes.
func dug(t *testing.T, changes []map[string]string) (config, history) {
	t.Helper()
	c := config{Bed: bed.New("bisect"), clones: repository(t, changes)}
	c.Dir = t.TempDir()
	h, err := c.history(t.Context(), digging, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	return c, h
}

// A stretch has one text of the benchmark, the hot function, and as few commits as are enough.
func TestStretch(t *testing.T) {
	changes := []map[string]string{
		{"README.md": "dig\n"}, {"dig_test.go": fmt.Sprintf(testText, 1)}, // there is nothing to dig
		{"dig.go": fmt.Sprintf(digText, 1)}, {"README.md": "dig deep\n"}, {"dig.go": fmt.Sprintf(digText, 2)},
		{"dig_test.go": fmt.Sprintf(testText, 2)}, {"go.mod": "module example.org/dig\n"},
	}
	_, h := dug(t, changes)
	if len(h.commits) != len(changes) || h.commits[0].hot != "" || h.commits[2].hot == "" || h.commits[5].module || !h.commits[6].module {
		t.Fatalf("%+v", h.commits)
	}
	for enough, want := range map[int][]commit{2: h.commits[5:], 3: h.commits[2:5], 9: h.commits[2:5]} {
		if got, err := h.stretch(t.Context(), enough); err != nil || !slices.Equal(got.commits, want) {
			t.Errorf("%d: %d commits, %v", enough, len(got.commits), err)
		}
	}
}

// A benchmark is of the functions that it reaches, too, in order of their mention.
func TestReached(t *testing.T) {
	all := functions([]byte("package dig\n\nfunc BenchmarkDig(b *testing.B) { run(b, deep) }\n\nfunc deep() { deep() }\n\nfunc other() {}\n\nfunc run(b *testing.B, f func()) {}\n\nfunc (Hole) deep() {}\n"))
	if got, want := reached("BenchmarkDig", all), all["BenchmarkDig"]+all["run"]+all["deep"]; got != want || len(all) != 4 {
		t.Errorf("%q of %q", got, all)
	}
	if got := reached("BenchmarkFill", all); got != "" || functions([]byte("package")) != nil {
		t.Errorf("%q is of no benchmark", got)
	}
}

// The rebuilt history has the commits of the old one, with what is planted from its place on and with files that do not build, and each commit has a go.mod.
func TestRebuild(t *testing.T) {
	changes := []map[string]string{{"dig.go": fmt.Sprintf(digText, 1), "dig_test.go": fmt.Sprintf(testText, 1)}}
	for i := range 5 {
		changes = append(changes, map[string]string{"dig.go": fmt.Sprintf(digText, i)})
	}
	changes = append(changes, map[string]string{"README.md": "dig\n"}, map[string]string{"go.mod": "module example.org/dig\n\ngo 1.24\n"})
	c, h := dug(t, changes)
	d := draw{Measure: "time", Commits: 7, Size: 0.1, At: 3, Second: -0.05, SecondAt: 5, Broken: 2, BrokenFrom: 2}
	dir, hashes, err := c.tree(t.Context(), h, d, 100)
	if err != nil || len(hashes) != len(h.commits) {
		t.Fatalf("%d commits, %v", len(hashes), err)
	}
	for at, want := range []int{0, 0, 0, 100, 100, 50, 50, 50} {
		text := git(t, dir, "show", hashes[at]+":dig.go")
		if got := strings.Contains(text, fmt.Sprintf("if plantedLoop(%d)", want)); got != (want > 0) || strings.Contains(text, "plantedLoop") != (want > 0) {
			t.Errorf("%d has %s", at, text)
		}
		files := git(t, dir, "ls-tree", "--name-only", hashes[at])
		if strings.Contains(files, brokenFile) != d.broken(at) || strings.Contains(files, "zzz_planted.go") != (want > 0) || !strings.Contains(files, "go.mod") {
			t.Errorf("%d has %s", at, files)
		}
	}
	const format = "--format=%an %ae %ad %cd %B"
	if got, want := git(t, dir, "log", format, branch), git(t, string(c.clones)+"/"+digging.Repo, "log", format); got != want {
		t.Errorf("the log is\n%s\nwant\n%s", got, want)
	}
	at := digging.At(hashes[len(hashes)-1])
	if _, err := at.Build(t.Context(), [2]string{dir, dir}, t.TempDir()); err != nil {
		t.Error(err)
	}
	changed, err := listed(t.Context(), dir, "*.go")
	if err != nil || slices.Contains(changed, hashes[6]) || slices.Contains(changed, hashes[7]) || !slices.Contains(changed, hashes[3]) {
		t.Errorf("Go files change in %v, %v", changed, err)
	}
}

// A window that the file of results has is found again, and is refused where the repository has another history.
func TestWindowAgain(t *testing.T) {
	c, h := dug(t, []map[string]string{{"a": "1"}, {"a": "2"}, {"a": "3"}, {"a": "4"}})
	w := window{First: h.commits[1].hash, Last: h.commits[2].hash, Commits: 1}
	if got, err := c.of(t.Context(), digging, w); err != nil || len(got.commits) != 2 || got.commits[0].hash != w.First {
		t.Errorf("%+v, %v", got, err)
	}
	w.Commits = 2
	if _, err := c.of(t.Context(), digging, w); err == nil {
		t.Error("another number of commits was taken")
	}
}
