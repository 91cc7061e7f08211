package sources

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/text/fail"
)

// Listed is what is read of go list's answer (go help list).
type Listed struct {
	Dir, ImportPath           string
	Module                    *struct{ Path string }
	TestGoFiles, XTestGoFiles []string
	// TestEmbedFiles and XTestEmbedFiles are what //go:embed of the test files names.
	TestEmbedFiles, XTestEmbedFiles []string
	Error                           *struct{ Err string }
}

// Key is the package's place in its module: modules of two sides may differ in name.
func (l Listed) Key() string {
	if l.Module == nil {
		return l.ImportPath
	}
	return strings.TrimPrefix(l.ImportPath, l.Module.Path)
}

// benchmarkFunc is how every benchmark begins in its source.
var benchmarkFunc = regexp.MustCompile(`(?m)^func\s+Benchmark`)

// HasBenchmarks looks into the test files before anything is built.
func (l Listed) HasBenchmarks() bool {
	for _, name := range slices.Concat(l.TestGoFiles, l.XTestGoFiles) {
		text, err := os.ReadFile(filepath.Join(l.Dir, name))
		if err != nil || benchmarkFunc.Match(text) {
			return true // what cannot be read, the build will report
		}
	}
	return false
}

// List resolves the patterns on one side. The working tree has to have what is asked
// for; that the older side lacks it is not an error.
func List(ctx context.Context, s *Side, patterns []string) ([]Listed, error) {
	args := append([]string{"list", "-e", "-find",
		"-json=Dir,ImportPath,Module,TestGoFiles,XTestGoFiles,TestEmbedFiles,XTestEmbedFiles,Error"}, s.Flags...)
	args = append(args, "-buildvcs=false", "--") // without a stamp go runs no git
	out, err := GoCommand(ctx, s, func(why error) error {
		return fail.New(fail.BadInput, "list packages of side %s (%s): %w", s.Name, s.Label, why).
			WithHint("run it alone in the same directory: go list %s", strings.Join(patterns, " "))
	}, append(args, patterns...)...)
	if err != nil {
		return nil, err
	}
	packages, err := gocommand.Documents[Listed]([]byte(out))
	var all []Listed
	for _, l := range packages {
		switch {
		case l.Error == nil || l.Dir != "":
			all = append(all, l)
		case s.Name == "B":
			return nil, fail.New(fail.BadInput, "find package %s: %s", l.ImportPath, strings.TrimSpace(l.Error.Err)).
				WithHint("name packages as for go test, for example ./... or ./internal/parse")
		}
	}
	return all, err
}

// ModulePath is the path of the package's module; empty where it is in none.
func (l Listed) ModulePath() string {
	if l.Module == nil {
		return ""
	}
	return l.Module.Path
}
