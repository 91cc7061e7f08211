package gotest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What is not a result of the one benchmark is refused.
func TestSecondsPerOperation(t *testing.T) {
	const head = "goos: linux\ngoarch: amd64\npkg: example.org/dig\n"
	read := func(text string) ([]float64, error) {
		all, err := secondsPerOperation([]byte(head + text))
		if err != nil {
			return nil, err
		}
		return ofOne(all, 2)
	}
	got, err := read("BenchmarkDig-2 \t 100 \t 1500 ns/op\t 3 B/op\nBenchmarkDig-2 \t 100 \t 2.5 ns/op\nPASS\n")
	if err != nil || len(got) != 2 || got[0] != 1.5e-6 || got[1] != 2.5e-9 {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{
		"",
		"BenchmarkDig-2 100 1500 ns/op\n",
		"BenchmarkDig-2 100 1500 ns/op\nBenchmarkHide-2 100 1500 ns/op\n",
		"BenchmarkDig-2 100 7 holes/op\nBenchmarkDig-2 100 7 holes/op\n",
	} {
		if got, err := read(bad); err == nil {
			t.Errorf("%q was read as %v", bad, got)
		}
	}
}

const slowByUnits = `package dig

import (
	"os"
	"testing"
	"time"
)

func BenchmarkDig(b *testing.B) {
	for b.Loop() {
		for range len(os.Getenv("UNITS")) {
			time.Sleep(time.Millisecond)
		}
	}
}
`

// module is a new module with the test file text.
func module(t *testing.T, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/dig\n\ngo 1.24\n", "dig_test.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A side that sleeps three times as long is slower by the classic way, and by the long run.
func TestWays(t *testing.T) {
	dir, slow := module(t, slowByUnits), module(t, strings.Replace(slowByUnits, "Millisecond", "Millisecond * 9", 1))
	binary, err := Build(t.Context(), dir, filepath.Join(t.TempDir(), "dig.test"))
	if err != nil {
		t.Fatal(err)
	}
	a, b := Side{binary, "^BenchmarkDig$", []string{"UNITS=1"}}, Side{binary, "^BenchmarkDig$", []string{"UNITS=111"}}
	if c, err := OldThenNew(t.Context(), a, b, 400*time.Millisecond); err != nil || c.P > 0.05 || c.Ratio < 1.5 {
		t.Errorf("%+v, %v", c, err)
	}
	t.Setenv("UNITS", "1")
	if r, err := Truth(t.Context(), dir, slow, "^BenchmarkDig$", t.TempDir(), 6, 20*time.Millisecond); err != nil ||
		!r.Bounded() || r.Low < 1.5 {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := Build(t.Context(), t.TempDir(), filepath.Join(t.TempDir(), "none.test")); err == nil {
		t.Error("a directory without a package was built")
	}
}
