package build

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/testkit/moduletest"
)

// listing is what a program sees of a directory: names, sizes and times, without git's own and the ledger's content.
func listing(t *testing.T, dir string) (lines []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if d.IsDir() {
			name += "/"
		} else {
			name += info.ModTime().UTC().Format(" " + time.RFC3339Nano)
		}
		lines = append(lines, name)
		if d.IsDir() && (d.Name() == ".git" || d.Name() == ledgerDir) {
			return filepath.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// A checkout that is compared with the user's directory looks as that does: with what git does not track, ignored or
// not, and with the same times. What the ref has stays as it is.
func TestACheckoutLooksLikeTheUsersDirectory(t *testing.T) {
	r := moduletest.NewRepository(t)
	r.Commit(map[string]string{
		"go.mod": "module example.com/r\n\ngo 1.21\n", "main.go": "package main\n\nfunc main() {}\n",
		".gitignore": "*.db\n",
		"page.txt":   "old",
	})
	moduletest.WriteFile(t, filepath.Join(r.Dir, "page.txt"), "new")
	moduletest.WriteFile(t, filepath.Join(r.Dir, "local.env"), "A=b")
	moduletest.WriteFile(t, filepath.Join(r.Dir, "data/shop.db"), "rows")
	moduletest.WriteFile(t, filepath.Join(r.Dir, ledgerDir, "runs/1"), strings.Repeat("x", 1000))
	if err := os.Symlink("shop.db", filepath.Join(r.Dir, "data/latest.db")); err != nil {
		t.Fatal(err)
	}
	long := time.Date(2026, 1, 2, 3, 4, 5, 678, time.UTC)
	for _, name := range []string{"main.go", "page.txt", "data/shop.db"} {
		if err := os.Chtimes(filepath.Join(r.Dir, name), long, long); err != nil {
			t.Fatal(err)
		}
	}
	b := mustBuild(t, Variant{Name: "A", Source: "HEAD:."}, r.Dir, t.TempDir())
	p, err := b.Place(r.Dir, "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if left, err := p.AddUntracked(t.Context(), r.Dir); err != nil || left != nil {
		t.Fatal(left, err)
	}
	got, want := listing(t, p.Root), listing(t, r.Dir)
	drop := func(lines []string) []string { // a link has a time of its own
		return slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "data/latest.db ") })
	}
	if got, want = drop(got), drop(want); !slices.Equal(got, want) {
		t.Errorf("the checkout has\n%s\nand the directory\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for name, want := range map[string]string{"page.txt": "old", "local.env": "A=b", "data/latest.db": "rows"} {
		if text, err := os.ReadFile(filepath.Join(p.Root, name)); string(text) != want {
			t.Errorf("%s: %q, %v, want %q", name, text, err, want)
		}
	}
	if names := p.Written(); names != nil {
		t.Errorf("the program wrote nothing yet, but %q", names)
	}
	if entries, err := os.ReadDir(filepath.Join(p.Root, ledgerDir)); err != nil || len(entries) > 0 {
		t.Errorf("the ledger was copied: %v, %v", entries, err)
	}
}

// The copy may lie in the user's directory, as may hone's checkouts: it does not hold itself.
func TestACopyWithinTheUsersDirectory(t *testing.T) {
	r := moduletest.NewRepository(t)
	r.Commit(map[string]string{"go.mod": "module example.com/r\n\ngo 1.21\n",
		"main.go": "package main\n\nfunc main() {}\n"})
	b := mustBuild(t, Variant{Name: "A", Source: "HEAD:."}, r.Dir, t.TempDir())
	moduletest.WriteFile(t, filepath.Join(r.Dir, "tmp/hone-1/other"), "x")
	moduletest.WriteFile(t, filepath.Join(r.Dir, "tmp/notes"), "x")
	p, err := b.Place(r.Dir, "", filepath.Join(r.Dir, "tmp", "hone-1"))
	if err != nil {
		t.Fatal(err)
	}
	if left, err := p.AddUntracked(t.Context(), r.Dir); err != nil || left != nil {
		t.Fatal(left, err)
	}
	if entries, err := os.ReadDir(filepath.Join(p.Root, "tmp", "hone-1")); err != nil || len(entries) > 0 {
		t.Errorf("hone's own files were copied: %v, %v", entries, err)
	}
	if _, err := os.Stat(filepath.Join(p.Root, "tmp", "notes")); err != nil {
		t.Error(err)
	}
}

// What is too large is named and left out; nothing is written through a link of the checkout that leads out of it.
func TestWhatACheckoutDoesNotGet(t *testing.T) {
	r := moduletest.NewRepository(t)
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(r.Dir, "out")); err != nil {
		t.Fatal(err)
	}
	r.Commit(map[string]string{"go.mod": "module example.com/r\n\ngo 1.21\n",
		"main.go": "package main\n\nfunc main() {}\n"})
	if err := os.Remove(filepath.Join(r.Dir, "out")); err != nil {
		t.Fatal(err)
	}
	moduletest.WriteFile(t, filepath.Join(r.Dir, "out/planted"), "x")
	moduletest.WriteFile(t, filepath.Join(r.Dir, "large/data.bin"), "x")
	if err := os.Truncate(filepath.Join(r.Dir, "large/data.bin"), mostUntrackedBytes+1); err != nil {
		t.Fatal(err)
	}
	moduletest.WriteFile(t, filepath.Join(r.Dir, "small.txt"), "x")
	b := mustBuild(t, Variant{Name: "A", Source: "HEAD:."}, r.Dir, t.TempDir())
	p, err := b.Place(r.Dir, "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	left, err := p.AddUntracked(t.Context(), r.Dir)
	if err != nil || len(left) != 1 || !strings.HasPrefix(left[0], "large (over ") {
		t.Errorf("left out: %q, %v, want the large directory", left, err)
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
		t.Errorf("outside there are %v, %v", entries, err)
	}
	if _, err := os.Stat(filepath.Join(p.Root, "small.txt")); err != nil {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.AddUntracked(ended, r.Dir); err == nil {
		t.Error("a copy that was ended has no error")
	}
}
