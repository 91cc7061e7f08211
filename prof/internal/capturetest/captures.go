// Package capturetest makes captures for the tests of the packages that compare profiles.
package capturetest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/prof"
)

// CPU is the capture of a CPU profile that was made by hand, with so many operations.
func CPU(b *proftest.Builder, operations uint64) prof.Capture {
	return prof.Capture{Kind: "cpu", Profile: b.P, Operations: operations}
}

// ParseFile reads a real profile of prof/testdata, for a package beside it.
func ParseFile(t testing.TB, name string) *profile.Profile {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := prof.Parse(f, prof.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p
}

// CaptureFile reads a CPU profile with the operations that gen noted in it.
func CaptureFile(t testing.TB, name string) prof.Capture {
	t.Helper()
	p := ParseFile(t, name)
	for _, c := range p.Comments {
		if n, ok := strings.CutPrefix(c, "operations "); ok {
			operations, err := strconv.ParseUint(n, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return prof.Capture{Kind: "cpu", Profile: p, Operations: operations}
		}
	}
	t.Fatalf("%s names no operations", name)
	return prof.Capture{}
}
