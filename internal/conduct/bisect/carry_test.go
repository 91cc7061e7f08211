package bisect

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree writes files below a new directory, and opens it as a root. What begins with "-> " is a link.
func tree(t *testing.T, files map[string]string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		to, link := strings.CutPrefix(files[name], "-> ")
		if link {
			err = root.Symlink(to, name)
		} else {
			err = root.WriteFile(name, []byte(files[name]), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// contents are the files of a tree, links as tree writes them.
func contents(t *testing.T, root *os.Root) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if e.Type() == fs.ModeSymlink {
			to, err := root.Readlink(name)
			all[name] = "-> " + to
			return err
		}
		text, err := root.ReadFile(name)
		all[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Test files and test data come from one checkout, all else stays.
func TestCarryTests(t *testing.T) {
	from := tree(t, map[string]string{"p/a_test.go": "new", "p/b_test.go": "-> a_test.go", "p/code.go": "new",
		"p/testdata/x/1": "new", "p/testdata/out": "-> /etc", "q/q_test.go": "new"})
	to := tree(t, map[string]string{"p/a_test.go": "old", "p/gone_test.go": "old", "p/code.go": "old",
		"p/testdata/2": "old", "p/dir_test.go/keep": "old"})
	for _, dir := range []string{"p", "q"} {
		if err := carryTests(from, to, dir); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{"p/a_test.go": "new", "p/b_test.go": "new", "p/code.go": "old", "p/testdata/x/1": "new",
		"p/testdata/out": "-> /etc", "p/dir_test.go/keep": "old"}
	if got := contents(t, to); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A commit can hold a link where another has a directory or a file. Nothing outside of the checkouts is removed,
// planted or read.
func TestCarryTestsLeavesNoCheckout(t *testing.T) {
	normal := map[string]string{"p/a_test.go": "new", "p/testdata/planted": "new"}
	for name, c := range map[string]struct{ from, to map[string]string }{
		"package":         {normal, map[string]string{"p": "-> VICTIM"}},
		"relative":        {normal, map[string]string{"p": "-> UP"}},
		"directory above": {map[string]string{"p/sub/a_test.go": "new"}, map[string]string{"p": "-> VICTIM"}},
		"test data":       {normal, map[string]string{"p/testdata": "-> VICTIM", "p/p.go": ""}},
		"test file":       {normal, map[string]string{"p/a_test.go": "-> VICTIM/mine_test.go"}},
		"their test file": {map[string]string{"p/a_test.go": "-> VICTIM/mine_test.go"},
			map[string]string{"p/p.go": ""}},
		"their test data": {map[string]string{"p/testdata": "-> VICTIM"}, map[string]string{"p/p.go": ""}},
		"their package":   {map[string]string{"p": "-> VICTIM"}, map[string]string{"p/p.go": ""}},
		"link in their data": {map[string]string{"p/testdata/a": "-> VICTIM", "p/testdata/b": "-> UP/mine_test.go"},
			map[string]string{"p/testdata/a/mine_test.go": ""}},
	} {
		mine := map[string]string{"mine_test.go": "mine", "testdata/golden": "mine", "sub/mine_test.go": "mine"}
		victim := tree(t, mine)
		from, to := tree(t, c.from), tree(t, c.to)
		for _, root := range []*os.Root{from, to} {
			for file, text := range contents(t, root) {
				if link, is := strings.CutPrefix(text, "-> "); is {
					up, err := filepath.Rel(filepath.Dir(filepath.Join(root.Name(), file)), victim.Name())
					if err != nil {
						t.Fatal(err)
					}
					link = strings.NewReplacer("VICTIM", victim.Name(), "UP", up).Replace(link)
					if err := root.Remove(file); err != nil {
						t.Fatal(err)
					}
					if err := root.Symlink(link, file); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		dir := "p"
		if _, deeper := c.from["p/sub/a_test.go"]; deeper {
			dir = "p/sub"
		}
		err := carryTests(from, to, dir)
		if !maps.Equal(contents(t, victim), mine) {
			t.Errorf("%s: outside there is now %v", name, contents(t, victim))
		}
		for file, text := range contents(t, to) {
			if text == "mine" {
				t.Errorf("%s: %s was copied from outside", name, file)
			}
		}
		refused := err != nil && strings.Contains(err.Error(), "escapes")
		if copied := name == "test data" || name == "test file" || name == "link in their data"; refused == copied {
			t.Errorf("%s: %v", name, err)
		}
	}
}
