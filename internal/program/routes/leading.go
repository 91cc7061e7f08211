package routes

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
)

// references are the functions that the source declares, by their bare names, with the names that each refers to. The
// methods of all types that have one name stand together.
type references map[string][]string

// declared adds a function. A type that serves HTTP refers to what its method ServeHTTP refers to.
func (r references) declared(f *ast.FuncDecl) {
	if f.Body == nil {
		return
	}
	names := namesIn(f.Body)
	r[f.Name.Name] = append(r[f.Name.Name], names...)
	if f.Recv == nil || len(f.Recv.List) == 0 || f.Name.Name != "ServeHTTP" {
		return
	}
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		if t, ok := n.(*ast.Ident); ok {
			r[t.Name] = append(r[t.Name], names...)
		}
		return true
	})
}

// namesIn are all names that a piece of source refers to.
func namesIn(node ast.Node) (names []string) {
	ast.Inspect(node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names = append(names, id.Name)
		}
		return true
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// registered adds the handlers of a path: what a call registers with it.
func (r references) registered(path string, call *ast.CallExpr) {
	for _, arg := range call.Args {
		r[path] = append(r[path], namesIn(arg)...)
	}
}

// Leading are the paths whose handlers call one of the functions, directly or through others, by the names in the
// source: a suggestion, since two functions may have one name. The functions are as office.(*Letter).Send.
func (f Found) Leading(functions []string) (paths []string) {
	wanted := map[string]bool{}
	for _, name := range functions {
		wanted[bare(name)] = true
	}
	for _, path := range f.Paths {
		if f.leads(path, wanted) {
			paths = append(paths, path)
		}
	}
	return paths
}

// bare is a function without its package and type, and the type of what serves HTTP.
func bare(function string) string {
	before, _ := strings.CutSuffix(function, ".ServeHTTP")
	return strings.TrimRight(before[strings.LastIndexAny(before, ".*")+1:], ")")
}

// leads says whether the handler of a path calls one of the functions.
func (f Found) leads(path string, wanted map[string]bool) bool {
	seen := map[string]bool{}
	for next := slices.Clone(f.handlers[path]); len(next) > 0; {
		name := next[len(next)-1]
		next = next[:len(next)-1]
		to, declared := f.calls[name]
		switch {
		case !declared || seen[name]:
			continue
		case wanted[name]:
			return true
		}
		seen[name] = true
		next = append(next, to...)
	}
	return false
}

var changing = regexp.MustCompile(
	`(?i)quit|exit|shutdown|stop|kill|delete|remove|reset|drop|panic|crash|` +
		`log-?out|reload|purge|clear|create|insert|update|write|/debug/pprof/`)

// Harmless leaves out the paths whose names say that they change something: a router may let a GET do it.
func Harmless(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), changing.MatchString)
}
