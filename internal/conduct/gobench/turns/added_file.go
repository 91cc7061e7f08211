package turns

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/template"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
)

// turnsText is the test file that hone adds to a package, so that its test binary stays
// alive and runs a benchmark when it is told to. It reaches benchmarks as the testing
// package does: flags, sub-benchmarks, timers and reported metrics keep their meaning.
//
//go:embed added_file.go.tmpl
var turnsText string

var turnsTemplate = template.Must(template.New("turns").Parse(turnsText))

// turnEnds begins the last line of an answer.
const turnEnds = "hone-bench-turn-ends"

// TestNames are the names of the added test functions: in the package itself, and in its
// external tests (package x_test).
var TestNames = [2]string{"TestHoneBenchTurnsInPackage", "TestHoneBenchTurnsOutside"}

// turnsFile is what the template takes.
type turnsFile struct {
	sources.BenchmarkFunctions
	Test, End string
}

// Added says which added test function runs which benchmark function of a test binary; nil
// where the binary has none, and why.
type Added struct {
	TestOf map[string]string
	Why    string
}

// Add writes the files that a test binary takes to stay alive into temp, given the
// package whose tests it has, and returns the overlay that adds them to the package in dir.
// The overlay is empty where it cannot be, and why says the reason.
func Add(ctx context.Context, s *sources.Side, tests sources.Listed, dir, temp string) (added sources.Overlay, t Added,
	err error) {
	if !CanLive {
		return added, Added{Why: "hone starts no living processes on " + runtime.GOOS}, nil
	}
	if own, err := ownOverlay(ctx, s); err != nil || own {
		return sources.Overlay{}, Added{Why: "the build flags have an -overlay of their own"}, err
	}
	// Each side and package has files of its own: what is built is built again with them, for other link orders and to
	// compare the code.
	if temp, err = os.MkdirTemp(temp, "turns-"); err != nil {
		return sources.Overlay{}, Added{}, err
	}
	t.TestOf = map[string]string{}
	replace := map[string]string{}
	for i, names := range [][]string{tests.TestGoFiles, tests.XTestGoFiles} {
		functions, err := sources.BenchmarksIn(tests.Dir, names)
		if err != nil {
			return sources.Overlay{}, Added{Why: err.Error()}, nil
		}
		if len(functions.Benchmarks) == 0 {
			continue
		}
		f := turnsFile{functions, TestNames[i], turnEnds}
		for _, name := range f.Benchmarks {
			if t.TestOf[name] != "" {
				return sources.Overlay{}, Added{Why: "two packages of the directory have a function " + name}, nil
			}
			t.TestOf[name] = f.Test
		}
		// The same name on both sides: it is part of the binary.
		name := fmt.Sprintf("hone_bench_turns_%d_test.go", i)
		path := filepath.Join(temp, name)
		if err := f.write(path); err != nil {
			return sources.Overlay{}, Added{}, err
		}
		replace[filepath.Join(dir, name)] = path
	}
	if len(replace) > 0 {
		path, by, err := testingForTurns(ctx, s, temp)
		if err != nil {
			return sources.Overlay{}, Added{}, err
		}
		if path != "" {
			replace[path] = by
		}
	}
	return sources.Overlay{Replace: replace}, t, nil
}

// ownOverlay says whether the user adds files to the build already: go takes the last
// -overlay only.
func ownOverlay(ctx context.Context, s *sources.Side) (bool, error) {
	flags, err := sources.GoCommand(ctx, s, func(why error) error { return why }, "env", "GOFLAGS")
	return strings.Contains(flags+" "+strings.Join(s.Flags, " "), "-overlay"), err
}

func (f turnsFile) write(path string) error {
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = turnsTemplate.Execute(out, f)
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}
