package prof

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/testkit/proftest"
)

var update = flag.Bool("update", false, "rewrite the golden files with go tool pprof")

// readFile reads a real profile; testdata/gen makes them.
func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parseFile(t testing.TB, name string) *profile.Profile {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := Parse(f, Limits{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p
}

func cpuOf(b *proftest.Builder, operations uint64) Capture {
	return Capture{Kind: "cpu", Profile: b.P, Operations: operations}
}

// captureFile reads a CPU profile with the operations that gen noted in it.
func captureFile(t testing.TB, name string) Capture {
	t.Helper()
	p := parseFile(t, name)
	for _, c := range p.Comments {
		if n, ok := strings.CutPrefix(c, "operations "); ok {
			operations, err := strconv.ParseUint(n, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return Capture{Kind: "cpu", Profile: p, Operations: operations}
		}
	}
	t.Fatalf("%s names no operations", name)
	return Capture{}
}
