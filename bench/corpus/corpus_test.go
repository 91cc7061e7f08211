package corpus

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The list has what the calibration needs: 600 commits of 20 libraries and 5 services, half of them of kinds that link something else.
func TestNoOps(t *testing.T) {
	all, err := NoOps()
	if err != nil {
		t.Fatal(err)
	}
	seen, of := map[string]bool{}, map[bool]map[string]bool{true: {}, false: {}}
	moved := 0
	for _, c := range all {
		if id := c.String(); seen[id] {
			t.Errorf("%s is twice in the list", id)
		} else {
			seen[id] = true
		}
		of[c.Benchmark != ""][c.Repo] = true
		if c.Kind == Tests && c.Benchmark != "" || c.Kind == Functions || c.Kind == Unused {
			moved++
		}
		if (c.Kind == Unused) != (c.Adds != "") {
			t.Errorf("%s is of the kind %s and adds %q", c, c.Kind, c.Adds)
		}
	}
	if len(all) < 600 || len(of[true]) < 20 || len(of[false]) < 5 || 2*moved < len(all) {
		t.Errorf("%d commits of %d libraries and %d services, %d of which link something else", len(all), len(of[true]), len(of[false]), moved)
	}
	for _, bad := range []string{"google/uuid 2d3c2a9\n", "google/uuid 2d3c2a9 faster\n", "someone/else 2d3c2a9 tests\n"} {
		if _, err := readNoOps(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// repository is a clone of a repository with a commit that changes a document.
func repository(t *testing.T, repo string) (clones Clones, commit string) {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, repo)
	for name, text := range map[string]string{
		"go.mod": "module example.org/dig\n\ngo 1.24\n", "README.md": "old\n",
		"dig.go":      "package dig\n\n// Hole digs.\ntype Hole struct{}\n\nfunc (*Hole) Dig(n int) int { return n + 1 }\n",
		"dig_test.go": "package dig\n\nimport \"testing\"\n\nfunc BenchmarkDig(b *testing.B) {\n\tn := 0\n\tfor range b.N {\n\t\tn = new(Hole).Dig(n)\n\t}\n\tif n < 0 {\n\t\tb.Fatal(n)\n\t}\n}\n",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	run := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "user.name=test", "-c", "user.email=test@localhost"}, args...)...)
		cmd.Dir = dir
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v: %s", args, err, text)
		}
		return strings.TrimSpace(string(text))
	}
	run("init", "--quiet")
	run("add", ".")
	run("commit", "--quiet", "-m", "old")
	write(t, filepath.Join(dir, "README.md"), "new\n")
	run("commit", "--quiet", "--all", "-m", "new")
	return Clones(root), run("rev-parse", "HEAD")
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A commit of documents links the same; an unused function moves the others; what is planted is in the hot function.
func TestTreesOfACommit(t *testing.T) {
	clones, commit := repository(t, "example/dig")
	c := Commit{Repo: "example/dig", Commit: commit, Benchmark: "Dig"}
	for _, adds := range []string{"", AddUnused("dig")} {
		c.Adds = adds
		dir := t.TempDir()
		trees, err := clones.CheckOut(t.Context(), c, dir)
		if err != nil {
			t.Fatal(err)
		}
		sides, err := c.Build(t.Context(), trees, dir)
		if err != nil {
			t.Fatal(err)
		}
		if other, err := OtherText(sides[0].Program, sides[1].Program); err != nil || other != (adds != "") {
			t.Errorf("%s: other text is %v, %v", c, other, err)
		}
		readme, err := os.ReadFile(filepath.Join(trees[0], "README.md"))
		if err != nil || (string(readme) == "old\n") != (adds == "") {
			t.Errorf("%s: A has %q, %v", c, readme, err)
		}
		if adds == "" {
			continue
		}
		if err := (Subject{Hot: "dig.go:Hole.Dig"}).Plant(t.Context(), trees[1], 7); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(filepath.Join(trees[1], "dig.go")); err != nil || !strings.Contains(string(text), "Dig(n int) int { if plantedLoop(7)") {
			t.Errorf("%s, %v", text, err)
		}
		if _, err := c.Build(t.Context(), trees, dir); err != nil {
			t.Error(err)
		}
		if err := (Subject{Hot: "dig.go:Hole.Fill"}).Plant(t.Context(), trees[1], 7); err == nil {
			t.Error("planted in a function that is not there")
		}
	}
}
