package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/fail/failtest"
)

// patched is a repository with one commit, and a cache of its own.
func patched(t *testing.T, files map[string]string) (r *moduletest.Repository, base string) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	r = moduletest.NewRepository(t)
	r.Commit(files)
	return r, r.Git("rev-parse", "HEAD")
}

// everything is all that a repository holds, by name and content.
func everything(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all.WriteString(path + "\x00" + string(text) + "\x00")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

const lines = "package a\n\nfunc One() int {\n\treturn 1\n}\n\nfunc Two() int {\n\treturn 2\n}\n"

// A patch becomes a commit that any git of hone finds, always the same one, and the user's repository stays as it is.
func TestAPatchIsACommit(t *testing.T) {
	r, base := patched(t, map[string]string{"a.go": lines, "b/b.go": "package b\n", "old.txt": "one\ntwo\nthree\n",
		"x.sh": "echo\n"})
	change := func(make func()) string {
		make()
		r.Git("add", "-A")
		text := r.Git("diff", "--cached", "--binary", "-M") + "\n"
		r.Git("reset", "-q", "--hard")
		return text
	}
	edit := func() { moduletest.WriteFile(t, filepath.Join(r.Dir, "a.go"), strings.Replace(lines, "1", "11", 1)) }
	all := change(func() {
		edit()
		moduletest.WriteFile(t, filepath.Join(r.Dir, "new/n.go"), "package n\n")
		moduletest.WriteFile(t, filepath.Join(r.Dir, "bin"), "\x00\x01\xff")
		r.Git("mv", "old.txt", "renamed.txt")
		r.Git("rm", "-q", "b/b.go")
		if err := os.Chmod(filepath.Join(r.Dir, "x.sh"), 0o644); err != nil {
			t.Fatal(err)
		}
	})
	before := everything(t, r.Dir)
	first, err := Apply(t.Context(), r.Dir, base, PatchText{"p.diff", []byte(all)})
	if err != nil {
		t.Fatal(err)
	}
	second, err := Apply(t.Context(), r.Dir, base, PatchText{"-", []byte(all)})
	if err != nil || *second != *first {
		t.Errorf("again: %+v, %v, want %+v", second, err, first)
	}
	if everything(t, r.Dir) != before {
		t.Error("the repository of the user has changed")
	}
	if got, err := FindCommit(t.Context(), r.Dir, first.Commit[:12]); got != first.Commit {
		t.Errorf("found %q, %v", got, err)
	}
	changed, err := TreeChanges(t.Context(), r.Dir, base, first.Commit)
	var names []string
	for _, c := range changed {
		names = append(names, c.Path)
	}
	if got := strings.Join(names, " "); got != "a.go b/b.go bin new/n.go old.txt renamed.txt x.sh" || err != nil {
		t.Errorf("changed: %s, %v", got, err)
	}
	tree := filepath.Join(t.TempDir(), "tree")
	if err := Checkout(t.Context(), r.Dir, first.Commit, tree); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(tree, "x.sh")); err != nil || info.Mode()&0o100 != 0 {
		t.Errorf("x.sh: %v, %v", info, err)
	}
	if text, err := os.ReadFile(filepath.Join(tree, "bin")); string(text) != "\x00\x01\xff" {
		t.Errorf("bin: %q, %v", text, err)
	}
}

// All that is called a patch is read: mails, plain diffs, other roots, CRLF; and is the same commit.
func TestFormsOfPatches(t *testing.T) {
	r, base := patched(t, map[string]string{"d/a.go": lines})
	r.Commit(map[string]string{"d/a.go": strings.Replace(lines, "1", "11", 1)})
	git := r.Git("diff", "HEAD~1", "HEAD") + "\n"
	mail := r.Git("format-patch", "--stdout", "HEAD~1") + "\n"
	r.Commit(map[string]string{"d/a.go": strings.Replace(strings.Replace(lines, "1", "11", 1), "2", "22", 1)})
	mails := r.Git("format-patch", "--stdout", "HEAD~2") + "\n"
	want, err := Apply(t.Context(), r.Dir, base, PatchText{"p", []byte(git)})
	if err != nil {
		t.Fatal(err)
	}
	plain := strings.NewReplacer("a/d/a.go", "d/a.go", "b/d/a.go", "d/a.go").Replace(git)
	_, hunk, _ := strings.Cut(git, "@@")
	below := "--- a.go\t2026-01-01\n+++ a.go\t2026-01-02\n@@" + hunk
	for _, c := range []struct{ name, dir, text, note string }{
		{"mail", ".", mail, ""},
		{"no prefix", ".", plain, ""},
		{"text before", ".", "Hello,\n\nthis is faster:\n\n" + git, ""},
		{"diff -u", ".", "--- old/d/a.go\n+++ new/d/a.go\n@@" + hunk, ""},
		{"of a directory", "d", below, ""},
		{"CRLF", ".", strings.ReplaceAll(git, "\n", "\r\n"), "CRLF"},
	} {
		got, err := Apply(t.Context(), filepath.Join(r.Dir, c.dir), base, PatchText{"p", []byte(c.text)})
		if err != nil || got.Commit != want.Commit || !strings.Contains(got.Note, c.note) || c.note == "" && got.Note != "" {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
	two, err := Apply(t.Context(), r.Dir, base, PatchText{"p", []byte(mails)})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := Run(t.Context(), r.Dir, "rev-parse", two.Commit+"^{tree}"); got != r.Git("rev-parse", "HEAD^{tree}") {
		t.Errorf("two mails: tree %s", got)
	}
}

// A patch that cannot be applied is refused with file, hunk and next step.
func TestPatchesThatAreRefused(t *testing.T) {
	r, base := patched(t, map[string]string{"a.go": lines})
	header := func(name string) string { return "--- a/" + name + "\n+++ b/" + name + "\n" }
	fresh := func(name, mode, text string) string {
		return "diff --git a/" + name + " b/" + name + "\nnew file mode " + mode + "\n--- /dev/null\n+++ b/" + name +
			"\n@@ -0,0 +1 @@\n+" + text + "\n"
	}
	hunk := "@@ -4,1 +4,1 @@ func\n-\treturn 1\n+\treturn 11\n"
	whole := "@@ -1,5 +1,5 @@\n package a\n \n func One() int {\n-\treturn 1\n+\treturn 11\n }\n"
	wrong := "@@ -6,4 +6,4 @@\n \n func Two() int {\n-\treturn 3\n+\treturn 22\n }\n"
	link := func(target string) string {
		return "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+" + target +
			"\n\\ No newline at end of file\n"
	}
	for _, c := range []struct{ name, text, want, hint string }{
		{"empty", " \n", "p.diff is empty", "git diff"},
		{"no patch", "hello\n", "holds no change", "git diff"},
		{"other lines", header("a.go") + whole + wrong, "hunk 2 of 2 of a.go (p.diff:10) expects other lines at a.go:6",
			"name the commit that the patch is for"},
		{"no file", header("no.go") + whole, `there is no file "no.go"`, "name the commit"},
		{"is there", fresh("a.go", "100644", "package a"), `adds the file "a.go", which is there already`, "git diff"},
		{"cut", header("a.go") + "@@ -1,9 +1,9 @@\n package a\n", "the patch is damaged", "as git wrote it"},
		{"up", fresh("../x.go", "100644", "package x"), `changes "../x.go", which is outside`, "leave"},
		{"git", fresh(".git/hooks/post-checkout", "100755", "#!/bin/sh"), `changes ".git/hooks/post-checkout"`, "leave"},
		{"other case", fresh(".GIT/config", "100644", "x"), `changes ".GIT/config"`, "leave"},
		{"absolute", "--- /dev/null\n+++ /etc/x\n@@ -0,0 +1 @@\n+x\n", `p.diff:2: "/etc/x" is an absolute path`, "root"},
		{"link", link("/etc"), `makes "l" a symbolic link to "/etc"`, "leave the link"},
		{"link up", link("../x"), `a symbolic link to "../x"`, "leave the link"},
		{"link later up", link("d/../../x"), `a symbolic link to "d/../../x"`, "leave the link"},
		{"binary", "diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n", "p.diff:3: the content of the binary",
			"--binary"},
		{"UTF-16", "\xff\xfed\x00", "UTF-16", "--output"},
		{"encoded", "From: a\nContent-Transfer-Encoding: quoted-printable\n\n" + header("a.go") + whole, "encoded mail",
			"git am"},
		{"escape", header("\x1b[2J") + whole, `there is no file "?[2J"`, "name the commit"},
		{"nothing", "diff --git a/a.go b/a.go\nold mode 100644\nnew mode 100644\n", "", ""},
		{"no context", header("a.go") + hunk, "", ""},
	} {
		_, err := Apply(t.Context(), r.Dir, base, PatchText{"p.diff", []byte(c.text)})
		if c.want == "" {
			if fail.KindOf(err) != fail.BadInput {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		failtest.Want(t, err, fail.BadInput, c.want, c.hint)
	}
}

// A link of the tree stays in it, whatever other links there are.
func TestStaysWithin(t *testing.T) {
	for _, c := range []struct {
		at, target string
		want       bool
	}{
		{"l", "d/x", true}, {"d/l", "../x", true}, {"d/l", "..", true}, {"l", "..", false}, {"l", "../x", false},
		{"d/l", "../../x", false}, {"d/e/l", "../m/../../x", false}, {"l", "/x", false}, {"l", "d..x", true},
	} {
		if got := staysWithin(c.at, c.target); got != c.want {
			t.Errorf("%s -> %s: %v", c.at, c.target, got)
		}
	}
}

// The text of a patch's commit makes the same commit again, whatever the patch looked like, also where its cache is gone.
// Other commits have none.
func TestAPatchComesBackFromItsCommit(t *testing.T) {
	r, base := patched(t, map[string]string{"a.go": lines, "b.txt": "no end of line"})
	edit := strings.Replace(lines, "1", "11", 1)
	moduletest.WriteFile(t, filepath.Join(r.Dir, "a.go"), edit)
	moduletest.WriteFile(t, filepath.Join(r.Dir, "b.txt"), "another one\n")
	moduletest.WriteFile(t, filepath.Join(r.Dir, "new/bin"), "\x00\x01\xff")
	r.Git("add", "-A")
	text := r.Git("diff", "--cached", "--binary") + "\n"
	r.Git("reset", "-q", "--hard")
	first, err := Apply(t.Context(), r.Dir, base, PatchText{Name: "p", Text: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	p, of, err := PatchOf(t.Context(), r.Dir, first.Commit)
	if err != nil || p == nil || of != base {
		t.Fatalf("%v of %s, want %s: %v", p, of, base, err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	again, err := Apply(t.Context(), r.Dir, base, *p)
	if err != nil || again.Commit != first.Commit {
		t.Errorf("%+v, want %s: %v", again, first.Commit, err)
	}
	if p, _, err := PatchOf(t.Context(), r.Dir, base); p != nil || err != nil {
		t.Errorf("a commit of the user is %+v: %v", p, err)
	}
}
