package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/gohone/hone"

// floors lists every package and the floor it stands on (docs/architecture.md). A
// package imports hone's packages of lower floors only. A new package is added
// here; within a room (internal/wire) a package imports those that stand before it.
var floors = []struct {
	path  string
	floor int
}{
	{".", 0}, // holds sources; its importers name the module alone
	{"stats", 0},
	{"probe", 0},
	{"internal/fail", 0},
	{"internal/filelock", 0},
	{"internal/diskroom", 0},
	{"internal/fileowner", 0},
	{"internal/units", 0},
	{"internal/inputs", 0},
	{"internal/words", 0},
	{"internal/epoll", 0},
	{"internal/wire/tlsmem", 0},
	{"internal/wire/quicconn", 0},
	{"internal/machine", 0},
	{"internal/storytest", 0},
	{"internal/cli", 1},
	{"internal/extension", 2}, // runs what cli describes
	{"internal/progress", 1},
	{"internal/limit", 1},
	{"internal/trust", 1},
	{"internal/git", 1},
	{"internal/storedir", 1},
	{"internal/tempdir", 1},
	{"internal/wire/grpctypes", 1},
	{"internal/walltime", 1},
	{"internal/preflight", 1},
	{"internal/wire/nullserver", 1},
	{"internal/callgrind", 1},
	{"internal/wire/requests", 1},
	{"internal/wire/recognise", 0},
	{"internal/routes", 0},
	{"load", 1},
	{"prof", 1},
	{"internal/wire", 2},
	{"internal/wire/answer", 2},
	{"internal/wire/turns", 2},
	{"internal/wire/httpmsg", 2},
	{"internal/wire/tcp", 2},
	{"internal/wire/resp", 2},
	{"internal/wire/ws", 2},
	{"internal/wire/http1", 2},
	{"internal/wire/http2", 2},
	{"internal/wire/http3", 2},
	{"internal/wire/schemes", 2},
	{"internal/wire/tap", 2},
	{"internal/wire/openapi", 2}, // makes requests
	{"internal/advice", 2},
	{"internal/cluster", 2},  // splits plans and schedules
	{"internal/natslink", 3}, // carries what cluster says
	{"internal/fleet", 5},    // conducts load tests on several machines
	{"internal/subject", 2},
	{"internal/ledger", 2},
	{"internal/compare", 2},
	{"internal/recording", 2},
	{"internal/spec", 3},     // of programs as subject builds them, and requests as protocol sends them
	{"internal/recorder", 3}, // of metrics and subject
	{"internal/gctrace", 2},
	{"internal/pprofhttp", 2},
	{"internal/sources", 2},
	{"internal/metrics", 2},
	{"internal/metrics/metricstest", 3},
	{"internal/metrics/host", 3}, // beside the other two collectors
	{"internal/once", 3},
	{"internal/needs", 3},   // of programs as subject starts them
	{"internal/loadcmd", 3}, // executes commands as subject does
	{"internal/rewrite", 3},
	{"internal/archive", 3},
	{"internal/metrics/goruntime", 3}, // of what subject reads
	{"internal/metrics/process", 3},
	{"internal/vitals", 0},
	{"internal/metricname", 0},
	{"internal/mounttest", 0},
	{"internal/proftest", 0},
	{"internal/sockets", 0},
	{"internal/sameorigin", 0},
	{"internal/pageserver", 0},
	{"internal/outfile", 0},
	{"internal/printable", 0},
	{"internal/redact", 0},
	{"internal/panels", 1},
	{"internal/watch", 4},
	{"internal/watch/ptytest", 0},
	{"internal/config", 4},
	{"internal/gobench", 4},
	{"internal/history", 4},
	{"internal/lab", 4},
	{"internal/loadtest", 4},
	{"internal/tune", 5},   // of several measurements of lab
	{"internal/stored", 5}, // documents of all conductors
	{"internal/report", 6}, // renders what lab and tune return
	{"internal/page", 7},   // the texts of report, beside their numbers
	{"internal/web", 8},
	{"internal/mcpserver", 8}, // commands of hone for coding agents
	{"internal/lint", 0},
	{"internal/live", 2},
	{"cmd/hone", 9},
	{"cmd/hone-metrics/internal/library", 5}, // over the series of metrics; the extension's own
	{"cmd/hone-metrics/internal/promapi", 5},
	{"cmd/hone-metrics/internal/promapi/promtest", 5},
	{"cmd/hone-metrics/internal/remotewrite", 5},
	{"cmd/hone-metrics/internal/observe", 5},
	{"cmd/hone-metrics", 9},
	{"cmd/hone-share/internal/objectstore/storetest", 0},
	{"cmd/hone-share/internal/objectstore", 1},
	{"cmd/hone-share/internal/pyroscope", 2},
	{"cmd/hone-share/internal/exchange", 4}, // of archives
	{"cmd/hone-share", 9},
}

// maxLines is the longest a Go file may be (style: 150 is the aim, 500 wants a reason).
const maxLines = 800

// initAllowed are the files that may have an init function, with the reason.
var initAllowed = map[string]string{
	"probe/probe.go": "the probe is compiled into main packages that do not call it",
}

func TestImportsRunDownTheFloors(t *testing.T) {
	eachFile(t, func(rel string, f *ast.File, _ *token.FileSet) {
		if strings.HasSuffix(rel, "_test.go") {
			return
		}
		pkg := filepath.ToSlash(filepath.Dir(rel))
		if strings.HasPrefix(pkg, "services/") {
			for _, imp := range ownImports(f) {
				if !strings.HasPrefix(imp, "services/") && imp != "internal/epoll" {
					t.Errorf("%s imports %s: a reference service knows nothing of hone but its raw sockets (internal/epoll)", rel, imp)
				}
			}
			return
		}
		mine, known := floorOf(pkg)
		if !known {
			t.Errorf("%s: package %s has no floor: add it to floors in this test and to docs/architecture.md", rel, pkg)
			return
		}
		for _, imp := range ownImports(f) {
			if strings.HasPrefix(imp, "services/") {
				if pkg != "cmd/hone" {
					t.Errorf("%s imports %s: only cmd/hone may know a reference service", rel, imp)
				}
				continue
			}
			theirs, known := floorOf(imp)
			if known && theirs == mine && inRoom(pkg, imp) {
				continue
			}
			if !known || theirs >= mine {
				t.Errorf("%s (floor %d) imports %s (floor %d): imports run down only; move the shared part to a lower floor",
					rel, mine, imp, theirs)
			}
		}
	})
}

// documentedFloor is a row of the table in docs/architecture.md: "floor 1  load   the load
// engine", or the same without the floor, which is then that of the row above.
var documentedFloor = regexp.MustCompile(`(?m)^(?:floor (\d)|     ) +([a-z0-9/.-]+) {2,}\S`)

// The table says the same as floors.
func TestTheFloorsOfTheDocuments(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repoRoot(t), "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\nfloor ")
	table, _, _ = strings.Cut("floor "+table, "\naside ")
	documented, floor := map[string]int{}, 0
	for _, row := range documentedFloor.FindAllStringSubmatch(table, -1) {
		if row[1] != "" {
			floor, _ = strconv.Atoi(row[1])
		}
		documented[row[2]] = floor
		if at, known := floorOf(row[2]); !known || at != floor {
			t.Errorf("docs/architecture.md has %s on floor %d: floors has floor %d, %v", row[2], floor, at, known)
		}
	}
	for _, f := range floors {
		if _, ok := documented[f.path]; !ok && f.path != "internal/lint" {
			t.Errorf("docs/architecture.md has no row for %s, floor %d", f.path, f.floor)
		}
	}
}

func TestFilesAreShort(t *testing.T) {
	root := repoRoot(t)
	eachFile(t, func(rel string, _ *ast.File, _ *token.FileSet) {
		text, err := os.ReadFile(filepath.Join(root, rel))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "\n"); n > maxLines {
			t.Errorf("%s has %d lines, over %d: split it by idea", rel, n, maxLines)
		}
	})
}

func TestNothingRegistersItself(t *testing.T) {
	eachFile(t, func(rel string, f *ast.File, fset *token.FileSet) {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Name.Name != "init" {
				continue
			}
			if initAllowed[filepath.ToSlash(rel)] == "" {
				t.Errorf("%s: func init: use a visible list instead of registration", fset.Position(fn.Pos()))
			}
		}
	})
}

// rooms are trees of packages that build on each other in the order of floors.
var rooms = []string{"internal/wire"}

// inRoom says that pkg may import imp since it stands after it in one room.
func inRoom(pkg, imp string) bool {
	place := func(p string) int {
		return slices.IndexFunc(floors, func(f struct {
			path  string
			floor int
		}) bool {
			return f.path == p
		})
	}
	for _, r := range rooms {
		if strings.HasPrefix(pkg+"/", r+"/") && strings.HasPrefix(imp+"/", r+"/") {
			return place(imp) < place(pkg)
		}
	}
	return false
}

func floorOf(pkg string) (int, bool) {
	for _, f := range floors {
		if f.path == pkg {
			return f.floor, true
		}
	}
	return 0, false
}

// ownImports returns f's imports of this module, relative to its root.
func ownImports(f *ast.File) []string {
	var own []string
	for _, imp := range f.Imports {
		path := strings.Trim(imp.Path.Value, `"`)
		if rest, ok := strings.CutPrefix(path, module+"/"); ok {
			own = append(own, rest)
		}
	}
	return own
}

// eachFile parses every Go file of the module, except testdata, tools and bench,
// which are modules of their own.
func eachFile(t *testing.T, do func(rel string, f *ast.File, fset *token.FileSet)) {
	t.Helper()
	root := repoRoot(t)
	seen := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if d.IsDir() {
			base := d.Name()
			if base == "testdata" || rel == "bench" || rel == "tools" || rel == "ui" || (strings.HasPrefix(base, ".") && rel != ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		seen++
		do(rel, f, fset)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 20 {
		t.Fatalf("saw only %d Go files below %s: the walk is broken", seen, root)
	}
}

func repoRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
}
