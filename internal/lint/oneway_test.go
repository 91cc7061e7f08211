package lint

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// oneWay are calls that only one package may make, because it makes them safe. Tests may.
var oneWay = []struct {
	// function is PACKAGE.NAME, and argument a literal that it must have somewhere.
	function, argument string
	// only is the package that may, and why says what to do in the others.
	only, why string
}{
	{"exec.Command", `"git"`, "internal/sys/git", "git runs commands that a repository names: use git.Run"},
	{"exec.CommandContext", `"git"`, "internal/sys/git", "git runs commands that a repository names: use git.Run"},
	{"os.MkdirTemp", `""`, "internal/sys/tempdir", "a hone that is killed leaves the directory: use tempdir.Make"},
	{"syscall.Flock", "", "internal/sys/filelock", "use filelock.Try or filelock.Wait"},
	{"unix.Flock", "", "internal/sys/filelock", "use filelock.Try or filelock.Wait"},
}

func TestOneWayToDoIt(t *testing.T) {
	found := map[string]bool{}
	eachFile(t, func(rel string, f *ast.File, fset *token.FileSet) {
		pkg := filepath.ToSlash(filepath.Dir(rel))
		if _, room := placeOf(pkg); room == "" || strings.HasPrefix(pkg, "internal/testkit/") ||
			strings.HasSuffix(rel, "_test.go") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for _, w := range oneWay {
				switch {
				case !calls(call, w.function, w.argument):
				case pkg == w.only:
					found[w.only] = true
				default:
					t.Errorf("%s: %s: %s", fset.Position(call.Pos()), w.function, w.why)
				}
			}
			return true
		})
	})
	for _, w := range oneWay {
		if w.only != "internal/sys/tempdir" && !found[w.only] { // tempdir names its directory itself
			t.Errorf("%s does not call %s: the list is out of date", w.only, w.function)
		}
	}
}

// calls says whether a call is of PACKAGE.NAME with that literal among its arguments; ""
// for any arguments.
func calls(call *ast.CallExpr, function, argument string) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := selector.X.(*ast.Ident)
	if !ok || pkg.Name+"."+selector.Sel.Name != function {
		return false
	}
	for _, a := range call.Args {
		if literal, ok := a.(*ast.BasicLit); ok && literal.Value == argument {
			return true
		}
	}
	return argument == ""
}
