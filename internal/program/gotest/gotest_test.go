package gotest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/internal/text/fail"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const goMod = "module example.com/m\n\ngo 1.21\n"

// module makes a module with these files.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := moduletest.WriteFiles(t, files)
	moduletest.WriteFile(t, filepath.Join(dir, "go.mod"), goMod)
	return dir
}

func run(t *testing.T, dir string, packages ...string) *Result {
	t.Helper()
	r, err := Run(t.Context(), Task{Dir: dir, Packages: packages})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What failed has its package, its test and the line that says why; a test that failed by a subtest is not named.
func TestFailures(t *testing.T) {
	dir := module(t, map[string]string{
		"a/a_test.go": `package a
import "testing"
func TestRight(t *testing.T) {}
func TestWrong(t *testing.T) {
	t.Run("fine", func(t *testing.T) {})
	t.Run("bad", func(t *testing.T) { t.Error("want 1") })
}
func TestSkipped(t *testing.T) { t.Skip() }
`,
		"broken/b.go":        "package broken\n",
		"broken/b_test.go":   "package broken\n\nvar x int = \"text\"\n",
		"panics/p_test.go":   "package panics\nimport \"testing\"\nfunc TestPanic(t *testing.T) { panic(\"oh\") }\n",
		"exits/e_test.go":    "package exits\nimport (\"os\"; \"testing\")\nfunc TestMain(m *testing.M) { os.Exit(3) }\n",
		"none/none.go":       "package none\n",
		"nested/go.mod":      "module example.com/nested\n\ngo 1.21\n",
		"nested/n_test.go":   "package nested\nimport \"testing\"\nfunc TestNested(t *testing.T) { t.Fatal() }\n",
		"tagged/tag_test.go": "//go:build never\n\npackage tagged\n",
	})
	r := run(t, dir, "./...")
	want := map[string]string{
		"example.com/m/a TestWrong/bad":  "a_test.go:6: want 1",
		"example.com/m/broken ":          `b_test.go:3:13: cannot use "text"`,
		"example.com/m/panics TestPanic": "p_test.go:3",
		"example.com/m/exits ":           "",
	}
	for _, f := range r.Failed {
		line, known := want[f.Package+" "+f.Test]
		delete(want, f.Package+" "+f.Test)
		if !known || f.Package != "example.com/m/panics" && !strings.Contains(f.Line, line) {
			t.Errorf("%q %q: %q", f.Package, f.Test, f.Line)
		}
	}
	if len(want) > 0 || r.Passed != 2 {
		t.Errorf("%d passed; not among the failed: %v", r.Passed, want)
	}
	if r := run(t, dir, "./none"); r.Passed != 0 || len(r.Failed) != 0 {
		t.Errorf("a package without tests: %+v", r)
	}
	if r := run(t, filepath.Join(dir, "nested"), "."); len(r.Failed) != 1 || r.Failed[0].Test != "TestNested" {
		t.Errorf("the nested module: %+v", r)
	}
}

func TestHas(t *testing.T) {
	r := &Result{Failed: []Failure{{Package: "a", Test: "TestX"}, {Package: "b"}}}
	for f, want := range map[Failure]bool{{Package: "a", Test: "TestX"}: true, {Package: "a", Test: "TestY"}: false,
		{Package: "a"}: false, {Package: "b", Test: "TestZ"}: true, {Package: "c"}: false} {
		if r.Has(f) != want {
			t.Errorf("%v: %v", f, !want)
		}
	}
	for f, want := range map[Failure]string{{Package: "p", Test: "TestX/a b"}: "go test -run '^TestX$' p",
		{Package: "p"}: "go test p"} {
		if f.Command() != want {
			t.Errorf("%q, want %q", f.Command(), want)
		}
	}
}

// A result of the cache would say nothing of what is there now: the test counts its executions outside of the module.
func TestNothingIsCached(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "count")
	dir := module(t, map[string]string{"a_test.go": `package a
import ("os"; "testing")
func TestWrites(t *testing.T) {
	f, err := os.OpenFile(` + strconv.Quote(outside) + `, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil { _, err = f.WriteString("x"); f.Close() }
	if err != nil { t.Fatal(err) }
	if err := os.WriteFile("inside", nil, 0o600); err != nil { t.Fatal(err) }
}
`})
	for range 2 {
		if r := run(t, dir, "."); r.Passed != 1 || len(r.Failed) != 0 {
			t.Fatalf("%+v", r)
		}
	}
	if text, err := os.ReadFile(outside); err != nil || string(text) != "xx" {
		t.Errorf("%q, %v: want two executions", text, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "inside")); err != nil {
		t.Errorf("tests run in the directory of their package: %v", err)
	}
}

// A test that hangs fails its package, by go test's own limit; the end of the caller's context is an error.
func TestHanging(t *testing.T) {
	dir := module(t, map[string]string{"a_test.go": `package a
import ("testing"; "time")
func TestHangs(t *testing.T) { time.Sleep(time.Hour) }
`})
	r, err := Run(t.Context(), Task{Dir: dir, Packages: []string{"."}, Time: time.Second})
	if err != nil || len(r.Failed) != 1 || r.Failed[0].Package != "example.com/m" ||
		!strings.Contains(r.Failed[0].Line, "timed out after 1s") {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := Run(ctx, Task{Dir: dir, Packages: []string{"."}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the context ends: %v", err)
	}
}

// What a test leaves in the background ends with the tests.
func TestNothingIsLeft(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("hone finds what is left by its mark on Linux only")
	}
	file := filepath.Join(t.TempDir(), "pid")
	dir := module(t, map[string]string{"a_test.go": `package a
import ("os"; "os/exec"; "strconv"; "testing")
func TestLeaves(t *testing.T) {
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil { t.Fatal(err) }
	if err := os.WriteFile(` + strconv.Quote(file) + `, []byte(strconv.Itoa(cmd.Process.Pid)), 0o600); err != nil { t.Fatal(err) }
}
`})
	if r := run(t, dir, "."); r.Passed != 1 {
		t.Fatalf("%+v", r)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if syscall.Kill(pid, 0) == nil {
		stat, _ := os.ReadFile(filepath.Join("/proc", string(text), "stat"))
		if !strings.Contains(string(stat), ") Z ") {
			t.Errorf("process %d is still there: %s", pid, stat)
		}
	}
}

func TestErrors(t *testing.T) {
	dir := module(t, map[string]string{"a.go": "package a\n"})
	if _, err := Run(t.Context(), Task{Dir: dir, Flags: []string{"-mod=nosuch"}, Packages: []string{"."}}); err == nil ||
		fail.KindOf(err) != fail.Subject {
		t.Errorf("a flag that go refuses: %v", err)
	}
	if r, err := Run(t.Context(), Task{Dir: dir, Packages: []string{"./missing"}}); err == nil && len(r.Failed) == 0 {
		t.Error("a package that is not there: no error, and no failure")
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Run(t.Context(), Task{Dir: dir, Packages: []string{"."}}); fail.KindOf(err) != fail.Environment ||
		fail.HintOf(err) == "" {
		t.Errorf("without go: %v", err)
	}
}

// An event that is longer than a line may be, and output without end, do not fill the memory.
func TestMostKept(t *testing.T) {
	dir := module(t, map[string]string{"a_test.go": `package a
import ("strings"; "testing")
func TestLoud(t *testing.T) {
	for range 200 { t.Log(strings.Repeat("x", 5000)) }
	t.Error(strings.Repeat("y", 3<<20))
}
`})
	moduletest.WriteFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.22\n")
	r := run(t, dir, ".")
	if len(r.Failed) != 1 || r.Failed[0].Test != "TestLoud" || len(r.Failed[0].Line) > mostKept {
		t.Errorf("%d failed", len(r.Failed))
	}
}

// results gives one result after the other, and the last one again.
func results(all ...any) func() (*Result, error) {
	return func() (*Result, error) {
		one := all[0]
		all = all[min(1, len(all)-1):]
		if err, ok := one.(error); ok {
			return nil, err
		}
		return one.(*Result), nil
	}
}

func TestCompare(t *testing.T) {
	x, y, pkg := Failure{"p", "TestX", "x:1"}, Failure{"p", "TestY", "y:1"}, Failure{"p", "", "does not build"}
	of := func(failed ...Failure) *Result { return &Result{Passed: 3, Failed: failed} }
	hangs := fail.New(fail.Subject, "hangs")
	for name, c := range map[string]struct {
		with, without       func() (*Result, error)
		broken, both, shaky []Failure
	}{
		"passes":                  {results(of()), results(errors.New("not asked")), nil, nil, nil},
		"breaks":                  {results(of(x)), results(of()), []Failure{x}, nil, nil},
		"fails anyway":            {results(of(x)), results(of(x)), nil, []Failure{x}, nil},
		"one breaks":              {results(of(x, y)), results(of(x)), []Failure{y}, []Failure{x}, nil},
		"now and then":            {results(of(x), of()), results(of()), nil, nil, []Failure{x}},
		"no build on both sides":  {results(of(pkg)), results(of(pkg)), nil, []Failure{pkg}, nil},
		"no build without it":     {results(of(x)), results(of(pkg)), nil, []Failure{x}, nil},
		"new package":             {results(of(x)), results((*Result)(nil)), []Failure{x}, nil, nil},
		"nothing known of before": {results(of(x)), results(hangs), nil, []Failure{x}, nil},
	} {
		s, err := Compare(t.Context(), c.with, c.without)
		if err != nil || !slices.Equal(s.Broken, c.broken) || !slices.Equal(s.Both, c.both) ||
			!slices.Equal(s.Shaky, c.shaky) || s.Passed != 3 {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	if _, err := Compare(t.Context(), results(hangs), results(of())); !errors.Is(err, hangs) {
		t.Errorf("%v", err)
	}
	no := fail.New(fail.Environment, "no go")
	if _, err := Compare(t.Context(), results(of(x)), results(no)); !errors.Is(err, no) {
		t.Errorf("%v", err)
	}
}
