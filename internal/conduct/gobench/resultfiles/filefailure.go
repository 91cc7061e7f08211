package resultfiles

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/gohone/hone/internal/store/benchmarks"
)

var (
	// A benchmark's own text may stand before it in the line.
	benchmarkEnd = regexp.MustCompile(`--- (FAIL|SKIP): (Benchmark\S+)(?: \([0-9.]+s\))?\s*$`)
	packageEnd   = regexp.MustCompile(`^FAIL\s+(\S+)(?:\s+(\[.*\]))?`)
	packageLine  = regexp.MustCompile(`^pkg: (\S+)`)
)

// failuresIn finds what go test reports of failures: a benchmark by its own line, and a package
// if none of its benchmarks has one.
func failuresIn(text []byte, name, label string) []benchmarks.FileFailure {
	var found []benchmarks.FileFailure
	pkg, named := "", false
	line := 0
	for raw := range bytes.Lines(text) {
		line++
		raw = bytes.TrimRight(raw, "\r\n")
		f := benchmarks.FileFailure{File: label, At: fmt.Sprintf("%s:%d", name, line), Package: pkg}
		if m := packageLine.FindSubmatch(raw); m != nil {
			if next := string(m[1]); next != pkg {
				pkg, named = next, false
			}
		} else if m := benchmarkEnd.FindSubmatch(raw); m != nil {
			f.Name, f.Skipped, f.Text = strings.TrimPrefix(string(m[2]), "Benchmark"), string(m[1]) == "SKIP",
				"it failed"
			if f.Skipped {
				f.Text = "it skipped itself"
			}
			named = named || !f.Skipped
			found = append(found, f)
		} else if m := packageEnd.FindSubmatch(raw); m != nil {
			f.Package, f.Text = string(m[1]), "it failed"
			if why := strings.Trim(string(m[2]), "[]"); why != "" {
				f.Text += ": " + why
			}
			if !named || f.Package != pkg {
				found = append(found, f)
			}
			pkg, named = "", false
		}
	}
	return found
}
