package lint

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// measuring are the packages whose durations are results.
var measuring = []string{"load", "internal/conduct/lab", "internal/conduct/service", "internal/conduct/timed",
	"internal/conduct/capture",
	"internal/conduct/loadtest",
	"internal/judge/compare", "internal/program/subject", "internal/program/guard", "internal/program/usage",
	"internal/program/output", "internal/program/probeclient", "internal/conduct/once", "internal/conduct/gobench",
	"internal/conduct/gobench/process", "internal/conduct/gobench/turns"}

// wallClockIn are the uses that are no part of a duration of a measurement.
var wallClockIn = map[string]string{
	"internal/conduct/loadtest/schedule.go": "moments of a log of another program",
}

// A duration made of two times of day is wrong when the clock is set meanwhile (fault 20): durations of measurements come
// from the monotonic clock.
func TestDurationsAreMonotonic(t *testing.T) {
	seen := map[string]bool{}
	eachFile(t, func(rel string, f *ast.File, fset *token.FileSet) {
		pkg := filepath.ToSlash(filepath.Dir(rel))
		if !slices.Contains(measuring, pkg) || strings.HasSuffix(rel, "_test.go") {
			return
		}
		seen[pkg] = true
		ast.Inspect(f, func(n ast.Node) bool {
			if name := timeOfDay(n); name != "" && wallClockIn[rel] == "" {
				t.Errorf("%s: %s takes the time of day: use time.Since and Time.Sub", fset.Position(n.Pos()), name)
			}
			return true
		})
	})
	if len(seen) != len(measuring) {
		t.Errorf("of %v only %v were read", measuring, seen)
	}
}

// timeOfDay names what in n reads the time of day or takes the monotonic reading off a time.
func timeOfDay(n ast.Node) string {
	if at, ok := n.(*ast.SelectorExpr); ok {
		switch at.Sel.Name {
		case "UnixMilli", "UnixMicro", "UnixNano", "Gettimeofday", "CLOCK_REALTIME":
			return at.Sel.Name
		}
	}
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return ""
	}
	at, ok := call.Fun.(*ast.SelectorExpr)
	switch {
	case !ok:
	case at.Sel.Name == "Unix" && len(call.Args) == 0:
		return "Unix"
	case (at.Sel.Name == "Round" || at.Sel.Name == "Truncate") && len(call.Args) == 1:
		if by, ok := call.Args[0].(*ast.BasicLit); ok && by.Value == "0" {
			return at.Sel.Name + "(0)"
		}
	}
	return ""
}
