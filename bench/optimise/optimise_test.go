package optimise

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
)

// Files of the repository that tests make: its merged commit joins words with a builder.
const (
	slowJoin = `package words

// Join has all words, with a space behind each.
func Join(words []string) string {
	text := ""
	for _, w := range words {
		text += w + " "
	}
	return text
}
`
	fastJoin = `package words

import "strings"

// Join has all words, with a space behind each.
func Join(words []string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w)
		b.WriteByte(' ')
	}
	return b.String()
}
`
	joinTest = `package words

import "testing"

func TestJoin(t *testing.T) {
	if got := Join([]string{"a", "b"}); got != "a b " {
		t.Errorf("%q: a word or a space is missing", got)
	}
}

func TestEmpty(t *testing.T) {
	if Join(nil) != "" {
		t.Error("something of nothing")
	}
}

var sink string

func BenchmarkJoin(b *testing.B) {
	words := make([]string, 100)
	for i := range words {
		words[i] = "word"
	}
	for i := 0; i < b.N; i++ {
		sink = Join(words)
	}
}
`
)

// repository makes the clone of a repository whose last commit is a task's.
func repository(t *testing.T) (corpus.Clones, task) {
	t.Helper()
	clones := t.TempDir()
	dir := filepath.Join(clones, "example", "words")
	write(t, dir, map[string]string{"go.mod": "module example.org/words\n\ngo 1.24\n", "join.go": slowJoin,
		"join_test.go": joinTest, "testdata/list.txt": "a\n", ".gitignore": "*.log\n"})
	git(t, dir, "init", "--quiet")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "--quiet", "-m", "Words")
	write(t, dir, map[string]string{"join.go": fastJoin, "join_test.go": joinTest + "// A test of the merged commit.\n",
		"doc.go": "// Package words joins words.\npackage words\n"})
	git(t, dir, "add", ".")
	git(t, dir, "commit", "--quiet", "-m", "Join words faster")
	head, err := corpus.Head(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return corpus.Clones(clones), at("example/words", head[:10], "", "Join", allocation, 0.5)
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	text, err := corpus.Git(t.Context(), dir, "", append([]string{"-c", "user.name=t", "-c", "user.email=t@localhost"},
		args...)...)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// bench is a case that asks for a task, with results of its own.
func bench(t *testing.T, clones corpus.Clones, tk task) config {
	t.Helper()
	b := bed.New("optimise")
	b.Dir, b.Records = t.TempDir(), filepath.Join(t.TempDir(), "results.jsonl")
	b.Hone = honecli.Hone{Program: "/nonexistent/hone"}
	return config{Bed: b, clones: clones, tasks: []task{tk}, limit: time.Minute, budget: 20 * time.Second,
		tests: time.Minute}
}

// writes is an agent that writes files.
func writes(t *testing.T, files map[string]string) agent {
	return agent{name: "writes", there: always, work: func(_ context.Context, j job) error {
		write(t, j.dir, files)
		return nil
	}}
}

// The agent's tree has the files of the base, and no history that has the merged commit's.
func TestTreeOfAgent(t *testing.T) {
	clones, tk := repository(t)
	dir := filepath.Join(t.TempDir(), "agent")
	if err := tk.forAgent(t.Context(), clones, dir); err != nil {
		t.Fatal(err)
	}
	if n := strings.TrimSpace(git(t, dir, "rev-list", "--count", "--all")); n != "1" {
		t.Errorf("%s commits, want 1", n)
	}
	if _, err := corpus.Git(t.Context(), dir, "", "cat-file", "-e", tk.Commit.Commit); err == nil {
		t.Error("the repository has the merged commit")
	}
	for _, name := range []string{".git/objects/info/alternates", ".git/packed-refs", ".git/refs/remotes"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("there is %s", name)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "join.go")); err != nil || string(text) != slowJoin {
		t.Errorf("%s, %v", text, err)
	}
	text := tk.text(time.Minute)
	if strings.Contains(text, tk.Commit.Commit) || !strings.Contains(text, "^BenchmarkJoin$") {
		t.Errorf("the agent is told: %s", text)
	}
	// The reference has the code of the merged commit, and the tests of the base.
	if err := tk.merged(t.Context(), clones, dir); err != nil {
		t.Fatal(err)
	}
	if changed := git(t, dir, "status", "--porcelain"); changed != " M join.go\n?? doc.go\n" {
		t.Errorf("changed are %q", changed)
	}
}

// What is the same on both sides may not be changed, and a new test is left out.
func TestHeldEqual(t *testing.T) {
	clones, tk := repository(t)
	for name, c := range map[string]struct {
		files   map[string]string
		run     func(dir string) error
		refused string
		leftOut []string
		changed []string
	}{
		"code": {files: map[string]string{"join.go": fastJoin, "more.go": "package words\n", "x.log": "",
			"README": "x"}, changed: []string{"README", "join.go", "more.go"}},
		"a new test": {files: map[string]string{"more_test.go": "package words\n"},
			leftOut: []string{"more_test.go"}},
		"the benchmark": {files: map[string]string{"join_test.go": joinTest + "\n"}, refused: "join_test.go"},
		"test data":     {files: map[string]string{"testdata/list.txt": "b\n"}, refused: "testdata/list.txt"},
		"new test data": {files: map[string]string{"testdata/new/x.go": "package x\n"}, refused: "testdata/new/x.go"},
		"go.mod": {files: map[string]string{"go.mod": "module example.org/words\n\ngo 1.25\n"},
			refused: "go.mod"},
		"a profile": {files: map[string]string{"default.pgo": "x"}, refused: "default.pgo"},
		"linkname": {files: map[string]string{"a.go": "package words\n\n//go:linkname now time.now\n"},
			refused: "linkname"},
		"cgo": {files: map[string]string{"a.go": "package words\n\nimport \"C\"\n"}, refused: `import "C"`},
		"no tests": {run: func(dir string) error { return os.Remove(filepath.Join(dir, "join_test.go")) },
			refused: "join_test.go"},
		"a link": {run: func(dir string) error { return os.Symlink("/etc", filepath.Join(dir, "etc")) },
			refused: "etc a link"},
		"its own history": {run: func(dir string) error {
			write(t, dir, map[string]string{"join.go": fastJoin})
			_, err := corpus.Git(t.Context(), dir, "", "-c", "user.name=x", "-c", "user.email=x", "commit", "-qam", "x")
			return errors.Join(err, os.RemoveAll(filepath.Join(dir, ".git/objects")))
		}, changed: []string{"join.go"}},
	} {
		t.Run(name, func(t *testing.T) {
			from, tree := filepath.Join(t.TempDir(), "agent"), filepath.Join(t.TempDir(), "judged")
			if err := tk.forAgent(t.Context(), clones, from); err != nil {
				t.Fatal(err)
			}
			write(t, from, c.files)
			if c.run != nil {
				if err := c.run(from); err != nil {
					t.Fatal(err)
				}
			}
			base, err := tk.checkOut(t.Context(), clones, tree)
			if err != nil {
				t.Fatal(err)
			}
			got, err := take(t.Context(), tree, base, from)
			if err != nil {
				t.Fatal(err)
			}
			if (got.refused == "") != (c.refused == "") || !strings.Contains(got.refused, c.refused) ||
				!slices.Equal(got.LeftOut, c.leftOut) || c.changed != nil && !slices.Equal(got.Files, c.changed) {
				t.Errorf("%+v, want %+v", got, c)
			}
			if _, err := os.Stat(filepath.Join(tree, "more_test.go")); err == nil {
				t.Error("the new test is in the judged tree")
			}
			text, err := os.ReadFile(filepath.Join(tree, "join.go"))
			if want := cmp.Or(c.files["join.go"], slowJoin); c.run == nil && (err != nil || string(text) != want) {
				t.Errorf("the judged tree has %s, %v", text, err)
			}
		})
	}
}

// A change that breaks a test is refused before anything is measured, with the test and what it said.
func TestBroken(t *testing.T) {
	clones, tk := repository(t)
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"a test": {map[string]string{"join.go": strings.Replace(fastJoin, "b.WriteByte(' ')", "", 1)},
			[]string{"TestJoin:", "is missing"}},
		"no build": {map[string]string{"join.go": fastJoin + "\nvar x int = \"\"\n"},
			[]string{"TestEmpty, TestJoin", "join.go:"}},
		"a panic": {map[string]string{"more.go": "package words\n\nfunc init() { panic(\"no\") }\n"},
			[]string{"TestEmpty, TestJoin", "panic: no"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := bench(t, clones, tk).take(t.Context(), trial{tk, writes(t, c.files)})
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range c.want {
				if r.Outcome != refused || !strings.Contains(r.Reason, want) {
					t.Errorf("%v, want %q", r, want)
				}
			}
		})
	}
}

// Packages of another module than that of the task have tests of their own, which do not run.
func TestModules(t *testing.T) {
	tree := t.TempDir()
	text := "package words\n\nimport \"testing\"\n\nfunc Test%s(t *testing.T) {}\n"
	for dir, name := range map[string]string{"": "Root", "part": "Part", "tools": "Tools", "tools/more": "More"} {
		write(t, filepath.Join(tree, dir), map[string]string{"words_test.go": strings.Replace(text, "%s", name, 1)})
	}
	write(t, tree, map[string]string{"go.mod": "module example.org/words\n\ngo 1.24\n",
		"tools/go.mod": "module example.org/tools\n\ngo 1.24\n"})
	for _, c := range []struct {
		packages []string
		want     map[[2]string]bool
	}{
		{[]string{".", "part", "tools", "tools/more", "gone"}, map[[2]string]bool{
			{"example.org/words", "TestRoot"}: true, {"example.org/words/part", "TestPart"}: true}},
		{[]string{"tools/more", "tools", "."}, map[[2]string]bool{
			{"example.org/tools", "TestTools"}: true, {"example.org/tools/more", "TestMore"}: true}},
	} {
		got, err := suite(t.Context(), tree, c.packages, "", time.Minute)
		if err != nil || !maps.Equal(got.passed, c.want) {
			t.Errorf("%v: %v, %v", c.packages, got, err)
		}
	}
}

// An agent is a command. Its time is limited, and what it leaves in the background ends with it.
func TestCommand(t *testing.T) {
	clones, tk := repository(t)
	for _, bad := range []string{"", "improve", "none {dir}"} {
		if a, err := commandAgent("", bad); err == nil {
			t.Errorf("%q is an agent: %v", bad, a)
		}
	}
	dir := filepath.Join(t.TempDir(), "it's here")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(dir, "task.txt")
	write(t, dir, map[string]string{"task.txt": "be fast"})
	c := bench(t, clones, tk)
	a, err := commandAgent("", "/bin/cp {task} {dir}/copy; sleep 600 & echo $! > {dir}/pid; pwd > {dir}/pwd")
	if err != nil || a.name != "cp" {
		t.Fatal(a, err)
	}
	if err := a.work(t.Context(), job{c, tk, dir, text}); err != nil {
		t.Fatal(err)
	}
	if copied, err := os.ReadFile(filepath.Join(dir, "copy")); err != nil || string(copied) != "be fast" {
		t.Errorf("%s, %v", copied, err)
	}
	pid, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	state, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
	if err == nil && !strings.Contains(string(state), ") Z ") {
		t.Errorf("the process that it left still runs: %s", state)
	}
	a, err = commandAgent("mine", "cd {dir} && echo so sad >&2 && exit 3")
	if err != nil {
		t.Fatal(err)
	}
	if err := a.work(t.Context(), job{c, tk, dir, text}); err == nil || !strings.Contains(err.Error(), "so sad") {
		t.Errorf("error %v, want what it said", err)
	}
	a, err = commandAgent("slow", "cd {dir}; sleep 600")
	if err != nil {
		t.Fatal(err)
	}
	c.limit = 10 * time.Millisecond
	gaveUp, err := c.work(t.Context(), trial{tk, a}, t.TempDir(), dir)
	if err != nil || !strings.Contains(gaveUp, "time was over") {
		t.Errorf("%q, %v", gaveUp, err)
	}
}

// TestOptimisersAreJudged has hone judge an agent that improves, and one that does nothing.
func TestOptimisersAreJudged(t *testing.T) {
	program, err := proc.Hone(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	clones, tk := repository(t)
	c := bench(t, clones, tk)
	if c.Hone, err = honecli.Find(program); err != nil {
		t.Fatal(err)
	}
	improves := writes(t, map[string]string{"join.go": strings.Replace(slowJoin, `text := ""`, `text := ""
	if n := len(words); n > 1 {
		return Join(words[:n/2]) + Join(words[n/2:])
	}`, 1)})
	c.agents = []agent{builtIn[0], improves}
	if err := c.calibration().Run(t.Context(), c.Bed); err != nil {
		t.Fatal(err)
	}
	records, err := bed.Read[record](c.Records, schema)
	if err != nil {
		t.Fatal(err)
	}
	all := last(records)
	if r := all[key{"none", tk.Name()}]; r.Outcome != nothing || r.Score != 0 {
		t.Errorf("none: %+v", r)
	}
	switch r := all[key{"writes", tk.Name()}]; {
	case r.Outcome == nothing || r.Outcome == unscored:
		t.Logf("this machine is too busy to measure: %+v", r)
	case r.Outcome != faster || r.Score <= 0.1 || r.Score > 0.95 || !slices.Equal(r.Files, []string{"join.go"}):
		t.Errorf("improves: %+v", r)
	}
	if left := missing(records, c.agents, c.tasks); len(left) != 0 {
		t.Errorf("%v would be done again", left)
	}
}
