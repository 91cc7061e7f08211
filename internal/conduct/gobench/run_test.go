package gobench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/prof"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// watcher keeps warnings, and calls onTick at every pair.
type watcher struct {
	warnings []string
	onTick   func()
}

func (*watcher) Phase(string, time.Duration) {}
func (w *watcher) Tick(progress.Tick) {
	if w.onTick != nil {
		w.onTick()
	}
}
func (w *watcher) Warn(text string) { w.warnings = append(w.warnings, text) }

// outIn are files for the results.
func outIn(t *testing.T) [2]string {
	dir := t.TempDir()
	return [2]string{filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt")}
}

const frames = `package frames

import "testing"

func BenchmarkFrames(b *testing.B) {
	n := 0
	for range b.N {
		for i := range 1000 {
			n += i
		}
	}
	b.ReportMetric(float64(n%7)+1, "odd/op")
	b.ReportMetric(3, "frames/s")
}

func BenchmarkNever(b *testing.B) { b.Skip("not here") }
`

// A module that vendors what it needs, with an older directory to compare with. The
// package reads a file of its own directory, so the binary has to run there.
func TestAVendoredModuleAgainstADirectory(t *testing.T) {
	files := map[string]string{
		"go.mod":                        "module example.com/outer\n\ngo 1.21\n\nrequire example.com/dep v1.0.0\n",
		"vendor/modules.txt":            "# example.com/dep v1.0.0\n## explicit; go 1.21\nexample.com/dep\n",
		"vendor/example.com/dep/dep.go": "package dep\n\nfunc Add(a, b int) int { return a + b }\n",
		"sub/data.txt":                  "three words here",
		"sub/sub.go": "package sub\n\nimport \"example.com/dep\"\n\n" +
			"func Twice(n int) int { return dep.Add(n, n) }\n",
		"sub/sub_test.go": "package sub_test\n\nimport (\n\t\"os\"\n\t\"testing\"\n\n" +
			"\t\"example.com/outer/sub\"\n)\n\nfunc BenchmarkTwice(b *testing.B) {\n\tdata, err := os.ReadFile(\"data.txt\")\n" +
			"\tif err != nil {\n\t\tb.Fatal(err)\n\t}\n\tfor i := 0; i < b.N; i++ {\n\t\tsub.Twice(i + len(data))\n\t}\n}\n",
		"plain/plain.go": "package plain\n",
		"only/only.go":   "package only\n",
	}
	old := moduletest.WriteFiles(t, files)
	files["sub/sub.go"] = strings.Replace(files["sub/sub.go"], "dep.Add(n, n)", "dep.Add(n, dep.Add(n, 0))", 1)
	files["only/only_test.go"] = "package only\n\nimport \"testing\"\n\nfunc BenchmarkOnly(b *testing.B) {}\n"
	r := Task{Test: spec.Test{Count: 6}, Bench: spec.Bench{Vs: old, Packages: []string{"./..."},
		BenchTime: 5 * time.Millisecond, Procs: []int{1,
			2}}, WorkDir: moduletest.WriteFiles(t, files), Block: 10 * time.Millisecond,
		Out: outIn(t), Progress: &watcher{}}
	// both sides compile to the same code
	r.All, r.Options.Env = true, []string{"GOTOOLCHAIN=local", "GOFLAGS=-mod=vendor"}
	result, err := Run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, b := range result.Benchmarks {
		names = append(names, b.Package+" "+b.Name)
		if b.Rounds != 6 && b.Word() == "undecided" {
			t.Errorf("%s took part in %d rounds", b.Name, b.Rounds)
		}
		if b.Layouts != b.Rounds || b.Verdicts[0].Starts != b.Rounds {
			t.Errorf("%s has %d link orders and %d starts in %d rounds", b.Name, b.Layouts, b.Verdicts[0].Starts,
				b.Rounds)
		}
	}
	if got := strings.Join(names, ", "); got != "example.com/outer/sub Twice, example.com/outer/sub Twice-2" {
		t.Errorf("measured %s", got)
	}
	notes := ""
	for _, n := range result.Notes {
		notes += n.Package + " " + n.Text + "; "
	}
	if !strings.Contains(notes, "example.com/outer/only has no benchmarks on side A") ||
		!strings.Contains(notes, "packages without benchmarks: 1") {
		t.Errorf("notes: %s", notes)
	}
}

func TestCustomMetricsAndTheSameCode(t *testing.T) {
	files := map[string]string{"go.mod": "module example.com/frames\n\ngo 1.24\n", "frames_test.go": frames}
	old, now := moduletest.WriteFiles(t, files), moduletest.WriteFiles(t, files)
	r := Task{Test: spec.Test{Count: 3}, Bench: spec.Bench{Vs: old, BenchTime: 5 * time.Millisecond}, WorkDir: now,
		Block: 10 * time.Millisecond, Out: outIn(t), Progress: &watcher{}}
	result, err := Run(t.Context(), r)
	if err != nil || len(result.Unchanged) != 2 || len(result.Benchmarks) != 0 {
		t.Fatalf("the same code: %+v, %v", result, err)
	}
	r.Pattern = "^BenchmarkAbsent$"
	if result, err = Run(t.Context(), r); result != nil || fail.KindOf(err) != fail.BadInput ||
		!strings.Contains(err.Error(), "BenchmarkAbsent") {
		t.Fatalf("no benchmark matches: %+v, %v, want an error that names the pattern", result, err)
	}
	r.Pattern = ""
	w := &watcher{}
	r.All, r.Progress = true, w
	if result, err = Run(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if len(result.Benchmarks) != 1 || result.Rounds != 3 {
		t.Fatalf("measured %+v in %d rounds", result.Benchmarks, result.Rounds)
	}
	units := map[string]bool{}
	for _, v := range result.Benchmarks[0].Verdicts {
		units[v.Measure.Key] = true
	}
	for _, want := range []string{"time", "bytes", "allocs", "odd/op", "frames/s"} {
		if !units[want] {
			t.Errorf("no verdict on %s: %v", want, units)
		}
	}
	if len(w.warnings) != 1 || !strings.Contains(w.warnings[0], "cannot show a difference") {
		t.Errorf("warnings %q, want that three rounds are too few", w.warnings)
	}
}

// What was measured before the interrupt is in the files, and nothing runs on.
func TestInterruptKeepsWhatThereIs(t *testing.T) {
	files := map[string]string{"go.mod": "module example.com/frames\n\ngo 1.24\n", "frames_test.go": frames}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := Task{Test: spec.Test{Budget: time.Hour, Layouts: 1},
		Bench: spec.Bench{Vs: moduletest.WriteFiles(t, files), All: true,
			BenchTime: 5 * time.Millisecond}, WorkDir: moduletest.WriteFiles(t, files),
		Block: 10 * time.Millisecond, Out: outIn(t), Progress: &watcher{onTick: cancel}}
	result, err := Run(ctx, r)
	if fail.ExitCode(err) != int(fail.Interrupted) || result == nil || result.Stopped != benchmarks.StoppedInterrupted {
		t.Fatalf("interrupted: %v, %+v", err, result)
	}
	for _, path := range r.Out {
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), "BenchmarkFrames") {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
	if b := result.Benchmarks[0]; b.Rounds != 1 || b.Word() != "undecided" {
		t.Errorf("after one pair: %d rounds, %s", b.Rounds, b.Word())
	}
}

func TestARefIsCheckedOutWithoutHooksAndGivenBack(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git command here")
	}
	dir := moduletest.WriteFiles(t, map[string]string{
		"go.mod": "module example.com/frames\n\ngo 1.24\n", "in/frames_test.go": frames, ".gitignore": "*.html\n",
		"in/embeds_test.go": "package frames\n\nimport _ \"embed\"\n\n//go:embed page.html\nvar page string\n\n" +
			"func init() {\n\tif page == \"\" {\n\t\tpanic(\"no page\")\n\t}\n}\n",
	})
	gitIn := func(args ...string) string {
		t.Helper()
		plain := exec.Command("git", append([]string{"-c", "user.name=dev", "-c", "user.email=dev@example.com"},
			args...)...)
		plain.Dir = dir
		out, err := plain.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	gitIn("init", "-q")
	gitIn("add", ".")
	gitIn("commit", "-q", "-m", "one")
	if err := os.WriteFile(filepath.Join(dir, "in", "page.html"), []byte("generated, and not in git"),
		0o600); err != nil {
		t.Fatal(err)
	}
	marker := filepath.Join(dir, "hook-was-run")
	if err := os.WriteFile(filepath.Join(dir, ".git", "hooks", "post-checkout"),
		[]byte("#!/bin/sh\ntouch "+marker+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := Task{Test: spec.Test{Count: 1}, Bench: spec.Bench{Vs: "HEAD", BenchTime: 5 * time.Millisecond},
		WorkDir: filepath.Join(dir, "in"), Block: 10 * time.Millisecond, Out: outIn(t), Progress: &watcher{}}
	if _, err := Run(t.Context(), r); fail.ExitCode(err) != 2 || !strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("the same commit on both sides: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "in", "new.go"), []byte("package frames\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	result, err := Run(t.Context(), r)
	if err != nil || !result.Sides[1].Dirty || result.Sides[0].Commit != gitIn("rev-parse", "HEAD") {
		t.Errorf("against HEAD: %+v, %v", result, err)
	}
	// What the tests embed is generated, and the checkout does not have it: that of the working tree is seen.
	if notes := fmt.Sprint(result.Notes); !strings.Contains(notes,
		"embedded from the working tree, since they are not in git: in/page.html (1 file)") {
		t.Errorf("notes %s", notes)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("a hook of the repository was run")
	}
	if trees := gitIn("worktree", "list"); strings.Count(trees, "\n") != 0 {
		t.Errorf("checkouts are left: %s", trees)
	}
}

func TestValidateReportsAllFaultsAtOnce(t *testing.T) {
	err := Task{Test: spec.Test{Count: -1, Alpha: 2},
		Bench: spec.Bench{Pattern: "(", Packages: []string{"-race"}}}.Validate()
	for _, want := range []string{"--vs", "--bench", "--count", "-race", "alpha"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %s", err, want)
		}
	}
	if fail.ExitCode(err) != 2 {
		t.Errorf("exit code %d, want 2", fail.ExitCode(err))
	}
}

// The profiles of a benchmark are of so many operations, on each side.
func TestRunTakesProfiles(t *testing.T) {
	files := map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "frames_test.go": frames}
	old := moduletest.WriteFiles(t, files)
	files["frames_test.go"] = strings.Replace(frames, "n += i", "n += 2 * i", 1)
	kept := map[string][]prof.Capture{}
	r, err := Run(t.Context(), Task{Test: spec.Test{Count: 2, Seed: 1}, Bench: spec.Bench{Vs: old, Pattern: "Frames"},
		WorkDir: moduletest.WriteFiles(t, files), Block: 20 * time.Millisecond, Out: outIn(t), Progress: &watcher{},
		KeepProfiles: func(row ledger.Run, module string, captures []prof.Capture) (string, error) {
			kept[row.Label] = captures
			if row.Package != "example.com/m" || module != "example.com/m" {
				t.Errorf("package %q of module %q", row.Package, module)
			}
			return "run of " + row.Label, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	if len(kept) != 2 || len(r.Benchmarks) != 1 || !strings.HasPrefix(r.Benchmarks[0].Profiles[1], "run of Frames") {
		t.Fatalf("kept %d, %+v", len(kept), r.Benchmarks)
	}
	for label, captures := range kept {
		kinds := map[string]int{}
		for _, c := range captures {
			kinds[c.Kind]++
			if c.Operations == 0 || c.Duration <= 0 || c.Profile == nil {
				t.Errorf("%s: %+v", label, c)
			}
		}
		if kinds["cpu"] != profilePasses || kinds["allocs"] != profilePasses {
			t.Errorf("%s: %v", label, kinds)
		}
	}
}
