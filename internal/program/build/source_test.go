package build

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/fail/failtest"
)

func TestSourceByDirectoryAndImportPath(t *testing.T) {
	dir := moduletest.WriteFiles(t, map[string]string{
		"go.mod":             "module example.com/app\n\ngo 1.21\n",
		"cmd/server/main.go": "package main\n\nfunc main() {}\n",
		"cmd/tool/main.go":   "package main\n\nfunc main() {}\n",
		"lib/lib.go":         "package lib\n",
		"lib/sub/x/main.go":  "package main\n\nfunc main() {}\n",
		"empty/README":       "",
		"file":               "",
		"server.bin":         "",
	})
	for name, mode := range map[string]os.FileMode{"file": 0o600, "server.bin": 0o700} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ workDir, source, pkg string }{
		{".", "./cmd/server", "example.com/app/cmd/server"},
		{".", "cmd/server", "example.com/app/cmd/server"},
		{"cmd/server", ".", "example.com/app/cmd/server"},
		{"cmd/server", "../tool", "example.com/app/cmd/tool"},
		{"lib", "example.com/app/cmd/tool", "example.com/app/cmd/tool"},
		{"lib", filepath.Join(dir, "cmd/tool"), "example.com/app/cmd/tool"},
	} {
		s, err := source.Resolve(t.Context(), c.source, source.Options{WorkDir: filepath.Join(dir, c.workDir)})
		if err != nil || s.Package != c.pkg || s.Module != "example.com/app" ||
			s.Dir != filepath.Join(dir, strings.TrimPrefix(c.pkg, "example.com/app/")) {
			t.Errorf("%+v: %+v %v", c, s, err)
		}
	}
	for named, want := range map[string][]string{
		"./lib": {"package example.com/app/lib is not a main package",
			"main packages below it: ./lib/sub/x"},
		"example.com/app/lib": {"package example.com/app/lib is not a main package",
			"main packages below it: ./lib/sub/x"},
		".":            {"no Go files in", "main packages here: ./cmd/server ./cmd/tool ./lib/sub/x"},
		"./empty":      {"no Go files in"},
		"./cmd/sever":  {"does not exist", "./cmd/server"},
		"./file":       {"is not a directory"},
		"./server.bin": {"is an executable file", "hone compare v1.0:./cmd/server ./cmd/server"},
		"server.bin":   {"is an executable file"},
		"http://127.0.0.1:8080/items": {"is an address",
			"hone load http://127.0.0.1:8080/items loads what runs already"},
		"localhost:8080":                {"is an address", "hone load http://localhost:8080/ "},
		"cmd/server/x_test.go":          {"is a test file", "hone bench ./cmd/server "},
		"example.com/app/nope":          {"example.com/app/nope", "./cmd/server"},
		"example.com/else":              {"example.com/else"},
		"./...":                         {"does not exist"},
		"example.com/app/...":           {"not the import path of one package"},
		"-toolexec=x":                   {"not the import path of one package"},
		"example.com/x/...@latest":      {"is a pattern for packages"},
		"HEAD:cmd/server":               {"is not in a git repository", "run hone inside the repository"},
		"nope.go":                       {"there is no file", "./cmd/server"},
		"lib/lib.go":                    {"the files are of package lib, not of a main package"},
		"cmd/server/main.go lib/lib.go": {"the files are not in one directory"},
	} {
		t.Setenv("GOPROXY", "off")
		_, err := source.Resolve(t.Context(), named, source.Options{WorkDir: dir, Worktrees: t.TempDir()})
		failtest.Want(t, err, fail.BadInput, want...)
	}
}

// The same program at two commits and as it lies there: each build runs what its
// source says, nothing of the repository's own configuration runs, and the user's
// repository is as it was but for entries of worktrees that go away again.
func TestSourceAtRef(t *testing.T) {
	r := moduletest.NewRepository(t)
	program := func(says string) string {
		return "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"" + says + "\\n\") }\n"
	}
	old := r.Commit(map[string]string{"go.mod": "module example.com/r\n\ngo 1.21\n", "cmd/x/main.go": program("old"),
		".gitignore": "*.gen.go\n"})
	r.Git("tag", "v1.0", "-m", "annotated")
	now := r.Commit(map[string]string{"cmd/x/main.go": program("new"), "cmd/y/main.go": program("y")})
	r.SetTraps()
	index, err := os.ReadFile(filepath.Join(r.Dir, ".git/index"))
	if err != nil {
		t.Fatal(err)
	}
	out, work := t.TempDir(), filepath.Join(r.Dir, "cmd")
	check := func(v Variant, says, commit string, dirty bool) *Binary {
		t.Helper()
		b := mustBuild(t, v, work, out)
		if b.Commit != commit || b.Dirty != dirty || b.Package != "example.com/r/cmd/x" {
			t.Errorf("%s: %+v", v.Source, b)
		}
		if _, first := run(t, b.Path, ""); first != says {
			t.Errorf("%s says %q, want %q", v.Source, first, says)
		}
		return b
	}
	check(Variant{Name: "A", Source: "HEAD:./x"}, "new", now, false)
	check(Variant{Name: "B", Source: "./x"}, "new", now, false)
	b := check(Variant{Name: "C", Source: "v1.0:cmd/x", BuildFlags: []string{"-buildvcs=auto"}}, "old", old, false)
	moduletest.WriteFile(t, filepath.Join(r.Dir, "cmd/x/main.go"), program("changed"))
	check(Variant{Name: "D", Source: "./x", BuildFlags: []string{"-buildvcs=auto"}}, "changed", now, true)

	t.Run("checkout is used again while it is clean", func(t *testing.T) {
		file := filepath.Join(b.Dir, "main.go")
		before, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		check(Variant{Name: "C", Source: "v1.0:cmd/x"}, "old", old, false)
		after, err := os.Stat(file)
		if err != nil || !os.SameFile(before, after) {
			t.Errorf("made anew: %v", err)
		}
		for _, change := range []func() error{
			func() error { return os.WriteFile(file, []byte(program("tampered")), 0o600) },
			func() error {
				return os.WriteFile(filepath.Join(b.Dir, "z.gen.go"), []byte("package nonsense\n"), 0o600)
			},
			func() error { return os.RemoveAll(filepath.Dir(filepath.Dir(b.Dir))) },
		} {
			if err := change(); err != nil {
				t.Fatal(err)
			}
			check(Variant{Name: "C", Source: "v1.0:cmd/x"}, "old", old, false)
		}
	})
	t.Run("wrong refs and directories", func(t *testing.T) {
		for named, want := range map[string][]string{
			"v2:cmd/x":                     {`git ref "v2" does not exist`, "branches and tags:", "main", "v1.0"},
			"--all:cmd/x":                  {`git ref "--all" does not exist`},
			":cmd/x":                       {`git ref "" does not exist`},
			"v1.0:cmd/y":                   {`no directory "cmd/y" at git ref "v1.0"`, "directories in v1.0:cmd: x"},
			"v1.0:a/b/c":                   {`no directory "a/b/c" at git ref "v1.0"`, "directories in v1.0: cmd"},
			"main:go.mod":                  {`no directory "go.mod"`},
			"main:":                        {"no Go files in", "./cmd/x ./cmd/y"},
			"main:cmd":                     {"no Go files in", "./x ./y"},
			"main:.":                       {"no Go files in", "./x ./y"},
			"main:./cmd/x":                 {`no directory "cmd/cmd/x"`, "did you mean main:cmd/x?"},
			"main:x":                       {`no directory "x"`, "did you mean main:./x?"},
			"main:../../x":                 {"is not within the repository", "main:cmd/server in the root"},
			"main:/etc":                    {"is not within the repository"},
			"main:x.go":                    {`no file "x.go"`},
			"main:x/main.go":               {`no directory "x"`, "did you mean main:./x/main.go?"},
			"v1.0:./x/y.go":                {`no file "cmd/x/y.go" at git ref "v1.0"`, "Go files there: main.go"},
			"main:./x/main.go ./y/main.go": {"not in one directory"},
			"v1.0^{tree}:.":                {"does not exist"},
		} {
			_, err := source.Resolve(t.Context(), named,
				source.Options{WorkDir: work, Worktrees: filepath.Join(out, "worktrees")})
			failtest.Want(t, err, fail.BadInput, want...)
		}
	})
	if sprung, err := os.ReadFile(r.Trap); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("hone ran what the repository configures: %s %v", sprung, err)
	}
	if after, err := os.ReadFile(filepath.Join(r.Dir, ".git/index")); err != nil || string(after) != string(index) {
		t.Errorf("hone wrote into the user's index: %v", err)
	}
	r.Git("status")
	if _, err := os.Stat(r.Trap); err != nil {
		t.Errorf("the traps do not work: %v", err)
	}
	t.Run("old and vanished checkouts are forgotten", func(t *testing.T) {
		root := filepath.Dir(filepath.Dir(b.Dir))
		long := time.Now().Add(-4 * 7 * 24 * time.Hour)
		if err := os.Chtimes(root, long, long); err != nil {
			t.Fatal(err)
		}
		mine := filepath.Join(t.TempDir(), "mine")
		r.Git("worktree", "add", "-q", "--detach", mine)
		if err := os.RemoveAll(mine); err != nil { // a drive that is not plugged in, perhaps
			t.Fatal(err)
		}
		// as earlier hones did
		r.Git("worktree", "add", "-q", "--detach", filepath.Join(filepath.Dir(root), "registered"))
		check(Variant{Name: "A", Source: "main:cmd/x"}, "new", now, false)
		if _, err := os.Stat(root); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there: %v", root, err)
		}
		if list := r.Git("worktree", "list"); strings.Contains(list, "registered") || !strings.Contains(list, "mine") {
			t.Errorf("worktrees of the repository:\n%s", list)
		}
	})
}
