package lint

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const module = "github.com/gohone/hone"

// floors are the rooms of hone, from the ground up (docs/architecture.md). A package imports packages of lower floors,
// and of its own room. A new package goes into a room, whose doc.go lists it; the root holds sources, and its importers
// name the module alone.
var floors = [][]string{
	{"stats", "probe", "internal/text", "internal/testkit", "internal/lint"},
	{"internal/sys", "prof", "judge"},
	{"load"},
	{"internal/wire", "internal/judge"},
	{"internal/program"},
	{"internal/spec", "internal/insight"},
	{"internal/store"},
	{"internal/conduct"},
	{"internal/view"},
	{"cmd/hone"},
	{"cmd/hone-agent", "cmd/hone-metrics", "cmd/hone-share", "cmd/hone-sign"},
}

// seams are imports that would run down, and that no package of from may have.
var seams = []struct{ from, to, why string }{
	{"internal/view", "internal/conduct", "a view reads the documents of internal/store; move what it needs there"},
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
				if !strings.HasPrefix(imp, "services/") && imp != "internal/sys/epoll" {
					t.Errorf("%s imports %s: a reference service knows nothing of hone but its raw sockets (internal/sys/epoll)", rel, imp)
				}
			}
			return
		}
		mine, room := placeOf(pkg)
		if room == "" {
			t.Errorf("%s: package %s is in no room: see floors in this test and docs/architecture.md", rel, pkg)
			return
		}
		for _, imp := range ownImports(f) {
			for _, s := range seams {
				if room == s.from && strings.HasPrefix(imp+"/", s.to+"/") {
					t.Errorf("%s imports %s: %s", rel, imp, s.why)
				}
			}
			if strings.HasPrefix(imp, "services/") {
				if pkg != "cmd/hone" {
					t.Errorf("%s imports %s: only cmd/hone may know a reference service", rel, imp)
				}
				continue
			}
			if theirs, of := placeOf(imp); of != room && theirs >= mine {
				t.Errorf("%s (floor %d) imports %s (floor %d): imports run down only; move the shared part to a lower floor",
					rel, mine, imp, theirs)
			}
		}
	})
}

// mostJudgeLines is what a statistician reads in an hour.
const mostJudgeLines = 3000

// The public judge can be read and reviewed on its own: with its tests it is short, and needs nothing but stats and the
// standard library.
func TestTheJudgeStandsAlone(t *testing.T) {
	lines := 0
	eachFile(t, func(rel string, f *ast.File, fset *token.FileSet) {
		if filepath.ToSlash(filepath.Dir(rel)) != "judge" {
			return
		}
		lines += fset.File(f.Pos()).LineCount()
		for _, imp := range f.Imports {
			path := strings.Trim(imp.Path.Value, `"`)
			tested := path == module+"/judge" && strings.HasSuffix(rel, "_test.go")
			if strings.Contains(path, ".") && path != module+"/stats" && !tested {
				t.Errorf("%s imports %s: the judge imports stats and the standard library only; words and units belong to its callers", rel, path)
			}
		}
	})
	if lines == 0 || lines >= mostJudgeLines {
		t.Errorf("judge has %d lines, want under %d", lines, mostJudgeLines)
	}
}

// placeOf is the floor and the room of a package; the room is empty if it has none. The root is on the ground.
func placeOf(pkg string) (floor int, room string) {
	if pkg == "." {
		return 0, pkg
	}
	for floor, rooms := range floors {
		for _, room := range rooms {
			if strings.HasPrefix(pkg+"/", room+"/") {
				return floor, room
			}
		}
	}
	return len(floors), ""
}

// The table in docs/architecture.md says the same as floors.
func TestTheFloorsOfTheDocuments(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repoRoot(t), "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	for floor, rooms := range floors {
		for _, room := range rooms {
			if row := regexp.MustCompile(fmt.Sprintf("(?m)^\\| %d \\|.*`%s`", floor, room)); !row.Match(text) &&
				room != "internal/lint" {
				t.Errorf("docs/architecture.md has no row | %d | with `%s`", floor, room)
			}
		}
	}
}

// The doc.go of a room lists its packages.
func TestRoomsListTheirPackages(t *testing.T) {
	root := repoRoot(t)
	eachFile(t, func(rel string, _ *ast.File, _ *token.FileSet) {
		pkg := filepath.ToSlash(filepath.Dir(rel))
		_, room := placeOf(pkg)
		name, inside := strings.CutPrefix(pkg, room+"/")
		if !inside || !strings.HasPrefix(room, "internal/") {
			return
		}
		doc, err := os.ReadFile(filepath.Join(root, room, "doc.go"))
		if err != nil || !strings.Contains(string(doc), "//   - "+name+": ") {
			t.Errorf("%s/doc.go does not list %s: %v", room, name, err)
		}
	})
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
			if base == "testdata" || rel == "bench" || rel == "tools" || rel == "ui" ||
				(strings.HasPrefix(base, ".") && rel != ".") {
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
