package optimise

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/proc"
)

// outcomes are how the tests of some packages ended, by package and name.
type outcomes struct {
	passed map[[2]string]bool
	// said is the first line of each test that failed, and of a package that does not build.
	said map[[2]string]string
}

// testEvent is a line of go test -json (go doc cmd/test2json).
type testEvent struct {
	Action, Package, ImportPath, Test, Output string
}

// suite runs the tests of packages, directories of a tree that are in the module of the first one, within a time for
// each; if only is not empty, those that match it. A test that fails is a result.
func suite(ctx context.Context, tree string, packages []string, only string, limit time.Duration) (outcomes, error) {
	args := []string{"test", "-json", "-vet=off", "-count=1", "-timeout", limit.String()}
	if only != "" {
		args = append(args, "-run", only)
	}
	root := module(tree, packages[0])
	for _, p := range packages {
		dir := filepath.Join(tree, filepath.FromSlash(p))
		if rel, err := filepath.Rel(root, dir); err == nil && hasGo(dir) && module(tree, p) == root {
			args = append(args, "./"+filepath.ToSlash(rel))
		}
	}
	d, err := proc.Run(ctx, -1, proc.Command{Program: "go", Args: args, Dir: root})
	if ctx.Err() != nil {
		return outcomes{}, context.Cause(ctx)
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return outcomes{}, fmt.Errorf("run the tests: %w", err)
	}
	return readEvents(d.Stdout)
}

// module is the directory of the module that a directory of a tree belongs to.
func module(tree, dir string) string {
	for ; dir != "."; dir = path.Dir(dir) {
		at := filepath.Join(tree, filepath.FromSlash(dir))
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
	}
	return tree
}

// hasGo says whether a directory has a package.
func hasGo(dir string) bool {
	entries, _ := os.ReadDir(dir) // one that is gone has none
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasSuffix(e.Name(), ".go") })
}

// noise are lines of tests that say nothing about a fault.
var noise = regexp.MustCompile(`^\s*(=== |--- |#|FAIL|$)`)

func readEvents(text []byte) (o outcomes, err error) {
	o = outcomes{map[[2]string]bool{}, map[[2]string]string{}}
	for line := range bytes.Lines(text) {
		var e testEvent
		if err := json.Unmarshal(line, &e); err != nil {
			return o, fmt.Errorf("read what go test -json prints: %w in %.200q", err, line)
		}
		if e.Package == "" { // of a build, "PACKAGE [PACKAGE.test]"
			e.Package, _, _ = strings.Cut(e.ImportPath, " ")
		}
		top, _, _ := strings.Cut(e.Test, "/")
		at := [2]string{e.Package, top}
		switch {
		case e.Action == "pass" && e.Test != "" && e.Test == top:
			o.passed[at] = true
		case e.Output != "" && o.said[at] == "" && !noise.MatchString(e.Output):
			o.said[at] = strings.TrimSpace(e.Output)
		}
	}
	return o, nil
}

// broken are the tests that passed with the base and do not pass with the change, each with what it said.
func broken(base, with outcomes) (names []string, why string) {
	for at := range base.passed {
		if !with.passed[at] {
			names = append(names, at[1])
			if said := with.said[at]; why == "" && said != "" {
				why = said
			}
		}
	}
	for at, said := range with.said {
		if why == "" && at[1] == "" && len(names) > 0 { // its package does not build, or ended
			why = said
		}
	}
	slices.Sort(names)
	return slices.Compact(names), why
}

// breaks says which tests a change breaks; empty if none. A test that fails is run once more: it may fail at random.
func (c config) breaks(ctx context.Context, base, tree string, packages []string) (refused string, err error) {
	before, err := suite(ctx, base, packages, "", c.tests)
	if err != nil {
		return "", err
	}
	for again := ""; ; {
		after, err := suite(ctx, tree, packages, again, c.tests)
		if err != nil {
			return "", err
		}
		names, why := broken(before, after)
		if again != "" {
			names = slices.DeleteFunc(names, func(n string) bool { return !strings.Contains(again, "^"+n+"$") })
		}
		switch {
		case len(names) == 0:
			return "", nil
		case again != "":
			return fmt.Sprintf("it breaks %s: %s", strings.Join(names[:min(3, len(names))], ", "), why), nil
		}
		again = "^" + strings.Join(names, "$|^") + "$"
	}
}
