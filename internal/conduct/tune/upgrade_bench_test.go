package tune

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/gocommand/toolchaintest"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/judge"
)

// quiet hears nothing.
type quiet struct{}

func (quiet) Phase(string, time.Duration) {}
func (quiet) Tick(progress.Tick)          {}
func (quiet) Warn(string)                 {}

// Only benchmarks that differ are divided, and only in the measures in which they do.
func TestBenchmarksToDivide(t *testing.T) {
	row := func(pkg, name string, verdicts ...judge.Verdict) tuning.UpgradeBenchmark {
		return tuning.UpgradeBenchmark{Package: pkg, Name: name, Verdicts: verdicts}
	}
	same := judge.Verdict{Measure: measure.OperationTime, Word: judge.Same}
	slower := judge.Verdict{Measure: measure.OperationCPU, Word: judge.Slower}
	more := judge.Verdict{Measure: measure.OperationAllocs, Word: judge.Slower}
	rows := []tuning.UpgradeBenchmark{row("a", "Parse/x-2", same, slower), row("a", "Parse/y-2", same, slower),
		row("a", "Read-2", same, more), row("b", "Write-2", same, slower), row("c", "Other-2", same)}
	if got := toDivide(rows[0]); !slices.Equal(got, []string{measure.OperationCPU.Key}) {
		t.Errorf("divided is %v", got)
	}
	if got := packagesThatDiffer(rows); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("packages %v", got)
	}
	for pattern, want := range map[string]string{".": "^Benchmark(Parse)$", "Parse/y": "^Benchmark(Parse)$/y",
		"Parse/y|Read": "^Benchmark(Parse)$"} {
		if got := onlyThose(pattern, rows, "a"); got != want {
			t.Errorf("%s: %s, want %s", pattern, got, want)
		}
	}
}

// A release that decodes JSON with fewer bytes does so by its encoding/json, and not by its allocator.
func TestPartOfABenchmark(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it compares benchmarks by two releases of Go")
	}
	const older, newer = "go1.26.8", "go1.27.1"
	toolchaintest.Need(t, older)
	toolchaintest.Need(t, newer)
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/decoded\n\ngo 1.24\n",
		"d_test.go": `package decoded
import ("encoding/json"; "testing")
func BenchmarkDecode(b *testing.B) {
	for b.Loop() {
		var v struct{ Name string; Tags []string; N map[string]int }
		text := []byte("{\"Name\":\"abc\",\"Tags\":[\"a\",\"b\"],\"N\":{\"x\":1}}")
		if err := json.Unmarshal(text, &v); err != nil { b.Fatal(err) }
	}
}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	u, err := BenchTrial{Task: gobench.Task{WorkDir: dir, Progress: quiet{},
		Test:  spec.Test{Budget: 12 * time.Second, Seed: 1},
		Bench: spec.Bench{Packages: []string{"."}, Pattern: "Decode"}}}.Upgrade(t.Context(), []string{older, newer})
	if err != nil {
		t.Fatal(err)
	}
	if len(u.Benchmarks) != 1 || u.Benchmarks[0].Parts == nil {
		t.Fatalf("%+v", u.Benchmarks)
	}
	measures := u.Benchmarks[0].Parts.Measures
	i := slices.IndexFunc(measures, func(d tuning.Divided) bool { return d.Key == measure.OperationBytes.Key })
	if i < 0 || measures[i].Change.High > -0.2 {
		t.Fatalf("%+v", u.Benchmarks[0].Parts)
	}
	if p := measures[i].Parts; len(p) == 0 || p[0].Name != "jsonv2" || p[0].Cost.High > 0.9*measures[i].Change.Share {
		t.Errorf("%+v", p)
	}
}
