package gobench

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/store/benchmarks"
)

// Test binaries are scripts here, told by their flags: which tests fail where a benchmark is chosen, and without.
func TestCodeThatNoticesTheBenchmark(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no scripts here")
	}
	const (
		passes  = "echo '--- PASS: TestSum (0.00s)'; echo PASS"
		fails   = "echo '    --- FAIL: TestSum/part (0.00s)'; echo '--- FAIL: TestSum (0.00s)'; echo FAIL; exit 1"
		notices = "case \"$*\" in *-test.bench=*) " + fails + ";; esac; " + passes
		byHone  = "test -z \"$HONE_BENCH_TURNS\" || { " + fails + "; }; " + passes
		dies    = "echo 'panic: no network' >&2; exit 2"
		rarely  = "test -e seen || { touch seen; " + fails + "; }; " + passes
		waits   = "case \"$*\" in *-test.bench=*) read line;; esac; " + passes
	)
	for _, c := range []struct {
		name, a, b string
		want       string
	}{
		{"the flag", passes, notices, "TestSum"},
		{"hone's variable", passes, byHone, "TestSum"},
		{"both sides do", notices, notices, ""},
		{"neither", passes, passes, ""},
		{"it fails in any case", passes, fails, ""},
		{"B's tests end their process", passes, dies, ""},
		{"A's tests end their process", dies, notices, ""},
		{"a test that fails now and then", passes, rarely, ""},
		{"tests that wait at the end of the input", passes, waits, ""},
	} {
		dir, p := t.TempDir(), &pkg{path: "example.com/p"}
		for side, text := range []string{c.a, c.b} {
			p.binaries[side] = process.Program{Path: filepath.Join(dir, []string{"a", "b"}[side]), Dir: dir, Env: os.Environ()}
			if err := os.WriteFile(p.binaries[side].Path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		m := &measurement{result: &benchmarks.Result{}, rng: rand.New(rand.NewPCG(1, 2))}
		failed, err := m.noticed(t.Context(), p, "^BenchmarkSum$", 1)
		if got := strings.Join(failed, " "); got != c.want || err != nil {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}
