package lint

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/inputs"
)

// unbounded are the files that read without a bound of internal/text/inputs, with the reason.
var unbounded = map[string]string{

	"prof/gotypes/declared.go": "source that go build reads, too, by io.LimitReader",

	"internal/store/archive/read.go":          "the reader is bounded by archive.Limits",
	"internal/store/archive/reader.go":        "the reader is bounded by archive.Limits",
	"internal/store/archive/staging.go":       "a file that hone has just written",
	"internal/testkit/linkcache/main.go":      "what the linker has just made",
	"internal/spec/config/branch.go":          "regular files of .git, limited",
	"cmd/hone-agent/internal/fleet/engine.go": "its own recording",
	"internal/sys/git/checkout.go":            "a checkout of its own",
	"internal/spec/trust/store.go":            "the user's own store, limited",
	"internal/store/recording/file.go":        "a directory",
	"cmd/hone/internal/track/import.go":       "the reader is bounded by package imported",
	"cmd/hone/internal/track/owners.go":       "the reader is bounded by package codeowners",
	"internal/wire/tap/http.go":               "an answer that is in memory",

	"internal/program/release/functions.go":              "source of the toolchain",
	"internal/program/objfile/toolchain.go":              "source of the toolchain, by io.LimitReader",
	"internal/program/sqltrace/rewrite.go":               "source of the toolchain, which go build reads, too",
	"internal/program/reach/source.go":                   "source that go build reads, too, by io.LimitReader",
	"internal/program/plant/plant.go":                    "source that go build reads, too",
	"internal/program/samecode/compare.go":               "archives that go build has written; the size is limited",
	"internal/program/build/same_source.go":              "source that go build reads, too",
	"internal/program/build/copy_program.go":             "an executable of hone, or one that go build has written",
	"internal/conduct/gobench/sources/checkout_lacks.go": "source that go build reads, too",
	"internal/conduct/gobench/sources/overlay.go":        "source that go build reads, too",
	"internal/conduct/gobench/sources/listed.go":         "source that go build reads, too",
	"internal/conduct/gobench/changes/testfiles.go":      "files of the user's module, compared in pieces",
	"internal/conduct/gobench/changes/testsource.go":     "source that go build reads, too",
	"internal/conduct/gobench/turns/testing_package.go":  "source of the toolchain",
	"internal/insight/rewrite/load.go":                   "source and exports that go build reads, too",
	"internal/insight/rewrite/on_top.go":                 "source that go build reads, too",
	"internal/insight/rewrite/write.go":                  "source that go build reads, too",
	"internal/program/routes/routes.go":                  "source that go build reads, too",

	"internal/spec/trust/key.go":                    "the user's own key, by io.LimitReader",
	"internal/program/build/executable.go":          "the program, read in pieces",
	"internal/program/source/release_copy.go":       "a module that go has unpacked, within its bounds",
	"internal/conduct/service/files_read.go":        "the program",
	"internal/program/build/buildid.go":             "the program; its notes are limited",
	"internal/program/guard/backup_linux.go":        "/dev/null",
	"internal/program/guard/exec.go":                "/dev/null",
	"internal/program/lifetime/orphans_linux.go":    "/proc",
	"internal/program/probeclient/probes.go":        "a directory",
	"internal/program/usage/process_linux.go":       "/proc",
	"internal/sys/processes/processes_linux.go":     "/proc",
	"internal/sys/cgroup/counters.go":               "files of the kernel",
	"internal/sys/cgroup/group.go":                  "files of the kernel",
	"internal/sys/cgroup/place.go":                  "/proc and /sys",
	"internal/sys/machine/gauge_linux.go":           "/proc and /sys",
	"internal/sys/machine/delay_linux.go":           "/proc",
	"internal/sys/machine/machine.go":               "/proc and /sys",
	"internal/program/metrics/host/cpu_linux.go":    "/proc and /sys",
	"internal/program/metrics/host/family_linux.go": "/proc and /sys",
}

// A file that a user names may be /dev/zero, a pipe without a writer, or of 600 MB: it is read by internal/text/inputs. Answers
// are read up to a bound.
func TestInputsAreBounded(t *testing.T) {
	seen := map[string]bool{}
	eachFile(t, func(rel string, f *ast.File, fset *token.FileSet) {
		pkg := filepath.ToSlash(filepath.Dir(rel))
		if _, room := placeOf(pkg); room == "" || pkg == "internal/text/inputs" || strings.HasSuffix(rel, "_test.go") || strings.HasSuffix(pkg, "test") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !readsWithoutBound(call) {
				return true
			}
			if seen[rel] = true; unbounded[rel] == "" {
				t.Errorf("%s: read it by a bound of internal/text/inputs, or io.LimitReader; or say in unbounded why it needs none", fset.Position(call.Pos()))
			}
			return true
		})
	})
	for name := range unbounded {
		if !seen[name] {
			t.Errorf("%s reads nothing without a bound: take it out of the list", name)
		}
	}
}

// readsWithoutBound sees os.ReadFile and os.Open of names that are not below /proc or /sys, and io.ReadAll of what is not limited.
func readsWithoutBound(call *ast.CallExpr) bool {
	switch {
	case calls(call, "os.ReadFile", ""), calls(call, "os.Open", ""):
		system := false
		ast.Inspect(call.Args[0], func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			system = system || ok && (strings.HasPrefix(literal.Value, `"/proc`) || strings.HasPrefix(literal.Value, `"/sys`))
			return true
		})
		return !system
	case calls(call, "io.ReadAll", ""):
		inner, ok := call.Args[0].(*ast.CallExpr)
		if !ok {
			return true
		}
		selector, ok := inner.Fun.(*ast.SelectorExpr)
		return !ok || selector.Sel.Name != "LimitReader" && selector.Sel.Name != "Reader" && selector.Sel.Name != "Text"
	}
	return false
}

// boundRow is a row of the table in SECURITY.md: "| request body | `--body @FILE` | 64 MiB |".
var boundRow = regexp.MustCompile(`(?m)^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$`)

// The table of the bounds in SECURITY.md is that of the code.
func TestTheTableOfBounds(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repoRoot(t), "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "\n## Bounds of what is read\n")
	table, _, _ = strings.Cut(table, "\n## ")
	rows := boundRow.FindAllString(table, -1)
	var want []string
	for _, b := range inputs.All() {
		want = append(want, "| "+b.Input+" | "+b.From+" | "+b.Limit()+" |")
	}
	if got := strings.Join(rows[min(1, len(rows)):], "\n"); !found || got != strings.Join(want, "\n") {
		t.Errorf("SECURITY.md, \"Bounds of what is read\", has not the rows of inputs.All:\n%s", strings.Join(want, "\n"))
	}
}
