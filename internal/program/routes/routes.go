// Package routes reads from a program's source which paths it registers with an HTTP router,
// and which methods its gRPC stubs have. It goes by the names of calls and knows no router in
// particular, so its results are suggestions to try.
package routes

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/sys/paths"
)

// Found is what a program's source suggests.
type Found struct {
	Paths   []string // of GET requests, without parameters; in the order of the source
	Methods []string // of gRPC, as /package.Service/Method
	// Parameters says that there are paths with parameters, too, which hone cannot fill.
	Parameters bool

	handlers references // the names that the handlers of each path refer to
	calls    references
}

// Program is where the source of a program is.
type Program struct {
	Dir             string // of its main package
	Package, Module string // import paths
}

// mostFiles bounds what is read: a program of thousands of files is not worth the wait.
const mostFiles = 500

// In reads the main package and the packages of its module that it imports. What cannot be
// read or parsed is left out.
func In(p Program) Found {
	r := &reader{program: p, root: p.Dir, seen: map[string]bool{}}
	r.found.handlers, r.found.calls = references{}, references{}
	if rest, ok := strings.CutPrefix(p.Package, p.Module+"/"); ok && p.Module != "" {
		if root, ok := strings.CutSuffix(filepath.ToSlash(p.Dir), "/"+rest); ok {
			r.root = filepath.FromSlash(root)
		}
	}
	r.next = []string{p.Dir}
	for len(r.next) > 0 {
		dir := r.next[0]
		r.next = r.next[1:]
		r.dir(dir)
	}
	return r.found
}

// reader walks the packages of a module, the nearest to main first.
type reader struct {
	program Program
	root    string // of the module
	seen    map[string]bool
	next    []string // directories
	files   int
	found   Found
}

// dir reads the files of a package.
func (r *reader) dir(dir string) {
	if r.seen[dir] {
		return
	}
	r.seen[dir] = true
	names, _ := paths.Named(dir, "*.go")
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || r.files == mostFiles {
			continue
		}
		r.files++
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		found, imports := Parse(name, text)
		r.add(found)
		for _, path := range imports {
			if rest, ok := strings.CutPrefix(path, r.program.Module+"/"); ok && r.program.Module != "" {
				r.next = append(r.next, filepath.Join(r.root, filepath.FromSlash(rest)))
			}
		}
	}
}

func (r *reader) add(f Found) {
	r.found.Parameters = r.found.Parameters || f.Parameters
	for _, p := range f.Paths {
		if !slices.Contains(r.found.Paths, p) {
			r.found.Paths = append(r.found.Paths, p)
		}
	}
	for path, names := range f.handlers {
		r.found.handlers[path] = append(r.found.handlers[path], names...)
	}
	for name, to := range f.calls {
		r.found.calls[name] = append(r.found.calls[name], to...)
	}
	for _, m := range f.Methods {
		if !slices.Contains(r.found.Methods, m) {
			r.found.Methods = append(r.found.Methods, m)
		}
	}
}

// registers are the names of functions that routers register a GET route with, or one for
// all methods, in lower case.
var registers = map[string]bool{
	"handle": true, "handlefunc": true, "handlerfunc": true, "handler": true, "get": true, "any": true, "all": true,
	"path":  true,
	"route": true, "router": true, "handlepath": true, "method": true, "methodfunc": true, "add": true, "static": true,
}

// grpcMethod is the name of a method as a generated stub has it.
var grpcMethod = regexp.MustCompile(`^/[A-Za-z_][\w.]*\.[A-Za-z_]\w*/[A-Za-z_]\w*$`)

// Parse reads one file and returns what it suggests and the paths that it imports.
func Parse(name string, text []byte) (found Found, imports []string) {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if file == nil || err != nil {
		return found, nil
	}
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			imports = append(imports, path)
		}
	}
	generated := strings.HasSuffix(name, ".pb.go")
	found.handlers, found.calls = references{}, references{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			found.calls.declared(n)
		case *ast.CallExpr:
			path, isPlain := routeOf(n)
			switch {
			case generated:
			case isPlain:
				found.Paths = append(found.Paths, path)
				found.handlers.registered(path, n)
			default:
				found.Parameters = found.Parameters || strings.Contains(path, "/") && strings.ContainsAny(path, "{:*<")
			}
		case *ast.BasicLit:
			if text, ok := StringLiteral(n); ok && generated && grpcMethod.MatchString(text) {
				found.Methods = append(found.Methods, text)
			}
		}
		return true
	})
	return found, imports
}

// routeOf is the path that a call registers; not ok for one that hone cannot ask for as it is.
func routeOf(call *ast.CallExpr) (string, bool) {
	var name string
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		name = f.Sel.Name
	case *ast.Ident:
		name = f.Name
	}
	if !registers[strings.ToLower(name)] || len(call.Args) < 2 && name != "Path" {
		return "", false
	}
	for i, arg := range call.Args[:min(2, len(call.Args))] {
		text, ok := StringLiteral(arg)
		if !ok {
			return "", false
		}
		if i == 0 && strings.EqualFold(text, "get") {
			continue // the method comes first, the path next
		}
		return pathOf(text)
	}
	return "", false
}

// pathOf is the path of a pattern: "/x" and "GET /x", but none with a parameter, which hone
// cannot fill in, and not "/", which is asked anyway.
func pathOf(pattern string) (string, bool) {
	pattern = strings.TrimSuffix(pattern, "{$}")
	if rest, ok := strings.CutPrefix(pattern, "GET "); ok {
		pattern = strings.TrimLeft(rest, " ")
	}
	plain := strings.HasPrefix(pattern, "/") && pattern != "/" &&
		!strings.ContainsAny(pattern, "{}:*<> \t\r\n\x00?#\"'\\")
	for _, c := range []byte(pattern) {
		plain = plain && c > ' ' && c < 0x7f
	}
	return pattern, plain
}

// StringLiteral is the text of a literal, if e is one.
func StringLiteral(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}
