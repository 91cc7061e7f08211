package gobench

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// FileFailure is a benchmark of which a file has no result, or a package: it failed, it skipped itself,
// or its result cannot be read. There is nothing of it to compare.
type FileFailure struct {
	// File is the name of the column, At the place in the file.
	File string `json:"file"`
	At   string `json:"at"`
	// Package is empty where the file does not say it, and Name for a package.
	Package string `json:"package,omitempty"`
	Name    string `json:"name,omitempty"`
	Skipped bool   `json:"skipped,omitempty"`
	Unread  bool   `json:"unread,omitempty"`
	Text    string `json:"text"`
}

var (
	// A benchmark's own text may stand before it in the line.
	benchmarkEnd = regexp.MustCompile(`--- (FAIL|SKIP): (Benchmark\S+)(?: \([0-9.]+s\))?\s*$`)
	packageEnd   = regexp.MustCompile(`^FAIL\s+(\S+)(?:\s+(\[.*\]))?`)
	packageLine  = regexp.MustCompile(`^pkg: (\S+)`)
)

// failuresIn finds what go test reports of failures: a benchmark by its own line, and a package
// if none of its benchmarks has one.
func failuresIn(text []byte, name, label string) []FileFailure {
	var found []FileFailure
	pkg, named := "", false
	line := 0
	for raw := range bytes.Lines(text) {
		line++
		raw = bytes.TrimRight(raw, "\r\n")
		f := FileFailure{File: label, At: fmt.Sprintf("%s:%d", name, line), Package: pkg}
		if m := packageLine.FindSubmatch(raw); m != nil {
			if next := string(m[1]); next != pkg {
				pkg, named = next, false
			}
		} else if m := benchmarkEnd.FindSubmatch(raw); m != nil {
			f.Name, f.Skipped, f.Text = strings.TrimPrefix(string(m[2]), "Benchmark"), string(m[1]) == "SKIP", "it failed"
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

// Failed says whether something failed: else there is only no result.
func (f FileFailure) Failed() bool { return !f.Skipped && !f.Unread }

// of says whether the failure is of the benchmark with this name. Before its first result go test
// writes a name without -GOMAXPROCS.
func (f FileFailure) of(name string) bool {
	procs, longer := strings.CutPrefix(name, f.Name+"-")
	return f.Name != "" && (f.Name == name || longer && strings.Trim(procs, "0123456789") == "")
}

// String is a line of text about the failure.
func (f FileFailure) String() string {
	what := "package " + f.Package
	if f.Name != "" {
		what = "Benchmark" + f.Name
	}
	return fmt.Sprintf("%s: %s: %s", f.At, what, f.Text)
}
