package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/fail/failtest"
)

// Pages that are generated, and ignored by git, are embedded at every ref from the working tree:
// in two packages.
func TestACheckoutEmbedsWhatIsNotInGit(t *testing.T) {
	r := moduletest.NewRepository(t)
	dir := r.Dir
	r.Commit(map[string]string{
		"go.mod":     "module example.com/app\n\ngo 1.21\n",
		".gitignore": "dist\n*.gen\n",
		"ui/ui.go": "package ui\n\nimport (\n\t\"embed\"\n\t_ \"example.com/app/more\"\n)\n\n//go:embed " +
			"all:dist\nvar Files embed.FS\n",
		"ui/dist/a/b.html": "page",
		"ui/dist/_c.js":    "script",
		"more/more.go":     "package more\n\nimport _ \"embed\"\n\n//go:embed v*.gen\nvar V string\n",
		"more/v1.gen":      "1",
		"srv/main.go":      "package main\n\nimport _ \"example.com/app/ui\"\n\nfunc main() {}\n",
	})
	for _, v := range []Variant{{Name: "A"}, {Name: "B", NoInject: true}} {
		v.Source = "HEAD:./srv"
		o := Options{Source: source.Options{WorkDir: dir, Worktrees: t.TempDir()}, OutDir: t.TempDir()}
		b, err := Program(t.Context(), v, o)
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(b.Notes, "\n")
		if !strings.Contains(notes, "not in git: more/v*.gen, ui/dist (3 files)") {
			t.Errorf("notes %q, want what was embedded", notes)
		}
		if text, err := os.ReadFile(b.Path); err != nil || !strings.Contains(string(text), "script") {
			t.Error("the page is not in the program:", err)
		}
		if entries, err := os.ReadDir(filepath.Join(b.Checkout.Root, "ui")); err != nil || len(entries) != 1 {
			t.Errorf("the checkout has %v, want nothing added: %v", entries, err)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "ui/dist")); err != nil {
		t.Fatal(err)
	}
	_, err := Program(t.Context(), Variant{Name: "A", Source: "HEAD:./srv"},
		Options{Source: source.Options{WorkDir: dir, Worktrees: t.TempDir()}, OutDir: t.TempDir()})
	failtest.Want(t, err, fail.Subject, "pattern all:dist: no matching files found",
		"ui/dist is neither in git nor in the working tree", "prepare in hone.yaml")
}

// What go complains about is text of a stranger's repository: it leads nowhere out of the tree.
func TestEmbeddedFilesAreOfTheTree(t *testing.T) {
	tree := moduletest.WriteFiles(t, map[string]string{"in/ui/a": "x"})
	root := t.TempDir()
	if err := os.Symlink("/etc", filepath.Join(tree, "in/ui/link")); err != nil {
		t.Fatal(err)
	}
	for output, want := range map[string]int{
		"ui/x.go:3:4: pattern a: no matching files found":                                               1,
		"ui/x.go:3:4: pattern all:*: no matching files found":                                           1,
		"../x.go:3:4: pattern a: no matching files found":                                               0,
		"../../x.go:3:4: pattern in/ui/a: no matching files found":                                      0,
		"ui/x.go:3:4: pattern ../ui/a: no matching files found":                                         0,
		"ui/x.go:3:4: pattern /etc/passwd: no matching files found":                                     0,
		"/elsewhere/x.go:3:4: pattern a: no matching files found":                                       0,
		"ui/x.go:3:4: pattern link/passwd: no matching files found":                                     0,
		"ui/x.go:3:4: pattern a: cannot embed file a: invalid name a":                                   0,
		root + "/in/ui/x.go:3:4: pattern ?: no matching files found":                                    1,
		"ui/x.go:3:4: pattern [: no matching files found":                                               0,
		"x.go:1:1: pattern a: no matching files found\nui/x.go:2:2: pattern a: no matching files found": 1,
	} {
		e, err := FindEmbedded(output, filepath.Join(root, "in"), root, filepath.Join(tree))
		if err != nil || len(e.Replace) != want {
			t.Errorf("%q: %v, %v; want %d files", output, e.Replace, err, want)
		}
	}
}
