package optimise

import (
	"context"
	"errors"
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
	return config{Bed: b, clones: clones, tasks: []task{tk}, limit: time.Minute, budget: 20 * time.Second}
}

// withHone is bench with a hone that is built now.
func withHone(t *testing.T, clones corpus.Clones, tk task) config {
	t.Helper()
	c := bench(t, clones, tk)
	program, err := proc.Hone(t.Context(), "../..")
	if err == nil {
		c.Hone, err = honecli.Find(program)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
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
	if err := (job{config: bench(t, clones, tk), task: tk, dir: dir}).merge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if changed := git(t, dir, "status", "--porcelain"); changed != " M join.go\n?? doc.go\n" {
		t.Errorf("changed are %q", changed)
	}
}

// The patch of an agent has what differs from the base, without new tests. The agent's repository is not read.
func TestPatchOfAgent(t *testing.T) {
	clones, tk := repository(t)
	for name, c := range map[string]struct {
		files   map[string]string
		run     func(dir string) error
		leftOut []string
		want    []string
	}{
		"code": {files: map[string]string{"join.go": fastJoin, "more.go": "package words\n", "x.log": "",
			"README": "x"}, want: []string{"README", "join.go", "more.go"}},
		"a new test": {files: map[string]string{"more_test.go": "package words\n"}, leftOut: []string{"more_test.go"}},
		"no tests": {run: func(dir string) error { return os.Remove(filepath.Join(dir, "join_test.go")) },
			want: []string{"join_test.go"}},
		"bytes": {files: map[string]string{"x": "\x00\xff", ".gitattributes": "* -diff\n"},
			want: []string{".gitattributes", "x"}},
		"its own history": {run: func(dir string) error {
			write(t, dir, map[string]string{"join.go": fastJoin})
			_, err := corpus.Git(t.Context(), dir, "", "-c", "user.name=x", "-c", "user.email=x", "commit", "-qam", "x")
			return errors.Join(err, os.RemoveAll(filepath.Join(dir, ".git/objects")))
		}, want: []string{"join.go"}},
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
			if err := tk.base(t.Context(), clones, tree); err != nil {
				t.Fatal(err)
			}
			got, err := ofAgent(t.Context(), tree, from)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.LeftOut, c.leftOut) || !slices.Equal(got.Files, c.want) ||
				(len(got.text) == 0) != (len(c.want) == 0) {
				t.Errorf("%+v, want %+v", got, c)
			}
			if left := git(t, tree, "status", "--porcelain"); left != "" {
				t.Errorf("the tree of the base has %s", left)
			}
			if len(got.text) > 0 {
				if _, err := corpus.Git(t.Context(), tree, string(got.text), "apply", "--check", "-"); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// What hone refuses before it measures is refused, with its reason: a patch that touches more than code, and one that
// breaks a test.
func TestRefusedPatches(t *testing.T) {
	clones, tk := repository(t)
	c := withHone(t, clones, tk)
	for name, p := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"the benchmark": {map[string]string{"join_test.go": joinTest + "\n"}, []string{"touches more", "join_test.go"}},
		"linkname": {map[string]string{"a.go": "package words\n\n//go:linkname now time.now\n"},
			[]string{"linkname", "a.go"}},
		"a test": {map[string]string{"join.go": strings.Replace(fastJoin, "b.WriteByte(' ')", "", 1)},
			[]string{"TestJoin", "is missing"}},
		"no build": {map[string]string{"join.go": fastJoin + "\nvar x int = \"\"\n"}, []string{"join.go:"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := c.take(t.Context(), trial{tk, writes(t, p.files)})
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range p.want {
				if r.Outcome != refused || !strings.Contains(r.Reason, want) {
					t.Errorf("%v, want %q", r, want)
				}
			}
		})
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
	clones, tk := repository(t)
	c := withHone(t, clones, tk)
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
