package precheck

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/program/touches"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// heard is a sink that keeps the phases.
type heard struct{ phases []string }

func (h *heard) Phase(name string, _ time.Duration) { h.phases = append(h.phases, name) }
func (*heard) Tick(progress.Tick)                   {}
func (*heard) Warn(string)                          {}

// base is a repository of two modules: one package with tests, one that its tests import, one without, and a nested
// module.
func base() map[string]string {
	return map[string]string{
		"go.mod":               "module example.com/m\n\ngo 1.21\n",
		"sum/sum.go":           "package sum\n\nfunc Of(a, b int) int { return a + b }\n",
		"sum/sum_test.go":      test("sum", "Sum", `if Of(1, 2) != 3 { t.Error("want 3") }`),
		"sum/broken_test.go":   test("sum", "Always", `t.Error("fails anyway")`),
		"user/user.go":         "package user\n",
		"user/user_test.go":    "package user\n\nimport (\n\"testing\"\n\"example.com/m/sum\"\n)\n\nfunc TestUser(t *testing.T) { if sum.Of(2, 2) != 4 { t.Error(\"want 4\") } }\n",
		"none/none.go":         "package none\n\nconst X = 1\n",
		"nested/go.mod":        "module example.com/nested\n\ngo 1.21\n",
		"nested/n.go":          "package nested\n\nconst N = 1\n",
		"nested/n_test.go":     test("nested", "N", `if N < 1 { t.Error("want 1 or more") }`),
		"sum/testdata/data.go": "package data\n",
	}
}

func test(pkg, name, body string) string {
	return "package " + pkg + "\n\nimport \"testing\"\n\nfunc Test" + name + "(t *testing.T) { " + body + " }\n"
}

// check commits the files on top of the base, and checks that.
func check(t *testing.T, files map[string]string, allow ...touches.Kind) (*record.Checked, *heard, error) {
	t.Helper()
	r := moduletest.NewRepository(t)
	before := r.Commit(base())
	return checkOn(t.Context(), r, before, r.Commit(files), allow...)
}

func checkOn(ctx context.Context, r *moduletest.Repository, before, after string, allow ...touches.Kind) (*record.Checked,
	*heard, error) {
	h := &heard{}
	p, err := Run(ctx, Task{Name: "faster.diff", Dir: r.Dir, Base: before, Commit: after, Allow: allow, Progress: h})
	return p, h, err
}

// The tests of what changed run with the patch, and those of packages whose tests import it; one that fails without it,
// too, is a note.
func TestPasses(t *testing.T) {
	p, _, err := check(t, map[string]string{"sum/sum.go": "package sum\n\nfunc Of(a, b int) int { return b + a }\n"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(p.Packages, []string{"sum", "user"}) || p.Tests != 2 || p.Files != 1 || len(p.Notes) != 1 ||
		!strings.Contains(p.Notes[0], "fails on both sides") || !strings.Contains(p.Notes[0], "TestAlways") {
		t.Errorf("%+v", p)
	}
}

// A test that passes without the patch and fails with it refuses it, also one of another package.
func TestBreaks(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"a test": {map[string]string{"sum/sum.go": "package sum\n\nfunc Of(a, b int) int { if a == 1 { return 0 }; return a + b }\n"},
			[]string{"TestSum of example.com/m/sum", "want 3"}},
		"a test of another package": {map[string]string{
			"sum/sum.go": "package sum\n\nfunc Of(a, b int) int { if a == 2 { return 0 }; return a + b }\n"},
			[]string{"TestUser of example.com/m/user", "want 4"}},
		"the build": {map[string]string{"sum/sum.go": "package sum\n\nfunc Of(a, b int) int { return \"\" }\n"},
			[]string{"breaks the tests of a package", "sum.go:3"}},
		"the nested module": {map[string]string{"nested/n.go": "package nested\n\nconst N = 0\n"},
			[]string{"TestN of example.com/nested", "want 1 or more"}},
	} {
		_, _, err := check(t, c.files)
		if err == nil || fail.KindOf(err) != fail.Subject || !strings.Contains(fail.HintOf(err), "go test") {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, w := range append(c.want, "faster.diff", "nothing was measured") {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: no %q in %v", name, w, err)
			}
		}
	}
}

// Only the module that changed is tested; a package without tests, and one that is gone, have nothing to show.
func TestNothingToTest(t *testing.T) {
	p, h, err := check(t, map[string]string{"none/none.go": "package none\n\nconst X = 2\n"})
	if err != nil || len(p.Packages) != 0 || len(h.phases) != 0 ||
		!slices.Equal(p.Notes, []string{"no package that changed has tests"}) {
		t.Errorf("%+v, %v, %v", p, h.phases, err)
	}
	p, _, err = check(t, map[string]string{"nested/n.go": "package nested\n\nconst N = 2\n"})
	if err != nil || !slices.Equal(p.Packages, []string{"nested"}) || p.Tests != 1 || len(p.Notes) != 0 {
		t.Errorf("%+v, %v", p, err)
	}
	r := moduletest.NewRepository(t)
	before := r.Commit(base())
	r.Git("rm", "-q", "-r", "none")
	r.Git("commit", "-q", "-m", "gone")
	if p, _, err := checkOn(t.Context(), r, before, r.Git("rev-parse", "HEAD")); err != nil || len(p.Packages) != 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

// A new package has no tests without the patch: those that fail in it are the patch's.
func TestANewPackage(t *testing.T) {
	files := map[string]string{"new/new.go": "package new\n\nconst X = 1\n",
		"new/new_test.go": test("new", "New", `if X != 2 { t.Error("want 2") }`)}
	if _, _, err := check(t, files, touches.Tests); err == nil || !strings.Contains(err.Error(), "TestNew of example.com/m/new") {
		t.Errorf("%v", err)
	}
}

// A test that fails now and then is executed again before it counts.
func TestNowAndThen(t *testing.T) {
	once := filepath.Join(t.TempDir(), "once")
	body := `if _, err := os.Stat(` + "`" + once + "`" + `); err != nil { os.WriteFile(` + "`" + once + "`" +
		`, nil, 0o600); if Of(0, 0) == 7 { t.Error("the first time") } }`
	r := moduletest.NewRepository(t)
	files := base()
	delete(files, "sum/broken_test.go")
	files["sum/once_test.go"] = "package sum\n\nimport (\n\"os\"\n\"testing\"\n)\n\n" +
		"func TestOnce(t *testing.T) { " + body + " }\n"
	before := r.Commit(files)
	after := r.Commit(map[string]string{"sum/sum.go": "package sum\n\n" +
		"func Of(a, b int) int { if a+b == 0 { return 7 }; return a + b }\n"})
	p, _, err := checkOn(t.Context(), r, before, after)
	if err != nil || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "passed when it was executed again") {
		t.Errorf("%+v, %v", p, err)
	}
}

// Tests write into checkouts of their own: the work tree stays as it is, and what is measured is not what they leave.
func TestTheWorkTreeStays(t *testing.T) {
	r := moduletest.NewRepository(t)
	files := base()
	files["sum/broken_test.go"] = `package sum

import (
	"os"
	"testing"
)

func TestWrites(t *testing.T) {
	if err := os.WriteFile("left.txt", nil, 0o600); err != nil {
		t.Fatal(err)
	}
}
`
	before := r.Commit(files)
	after := r.Commit(map[string]string{"sum/sum.go": "package sum\n\nfunc Of(a, b int) int { return b + a }\n"})
	r.SetTraps()
	p, _, err := checkOn(t.Context(), r, before, after)
	if err != nil || p.Tests != 3 {
		t.Fatalf("%+v, %v", p, err)
	}
	if _, err := os.Stat(r.Trap); err == nil {
		t.Error("a hook of the repository was executed")
	}
	if said := r.Git("-c", "core.fsmonitor=false", "status", "--porcelain"); said != "" {
		t.Errorf("the work tree has changes: %s", said)
	}
}

// What a patch touches besides code is refused before any test runs, and is said where it is allowed.
func TestTouches(t *testing.T) {
	files := map[string]string{"sum/sum_test.go": test("sum", "Sum", ""), "go.mod": "module example.com/m\n\ngo 1.22\n"}
	_, h, err := check(t, files)
	if err == nil || fail.KindOf(err) != fail.BadInput || len(h.phases) != 0 ||
		!strings.Contains(fail.HintOf(err), "--allow") || !strings.Contains(err.Error(), "go.mod") ||
		!strings.Contains(err.Error(), "sum/sum_test.go") {
		t.Errorf("%v, %v", err, h.phases)
	}
	p, _, err := check(t, map[string]string{"sum/sum_test.go": test("sum", "Sum", "")}, touches.Tests)
	if err != nil || len(p.Allowed) == 0 || !slices.Equal(p.Packages, []string{"sum", "user"}) {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestInterrupted(t *testing.T) {
	r := moduletest.NewRepository(t)
	before := r.Commit(base())
	after := r.Commit(map[string]string{"sum/sum_test.go": test("sum", "Sum", "select {}")})
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	if _, _, err := checkOn(ctx, r, before, after, touches.Tests); err == nil || ctx.Err() == nil {
		t.Errorf("%v, %v", err, ctx.Err())
	}
}
