package config

import (
	"cmp"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gohone/hone/internal/program/routes"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/text/fail"
)

// Main is a main package that Discover found.
type Main struct {
	// Dir is its directory, ./cmd/server, as seen from where the search began.
	Dir string
	// Args make it listen on a free port, as far as its flags tell; nil if none does.
	Args []string
	// Serves says that it imports a package of the network.
	Serves bool
	// Socket are the arguments that make it listen on a Unix socket, as far as its flags tell; nil if none does.
	Socket []string
	// Health is a path that tells when it is ready, by its name; empty if its source registers none. It is looked for
	// in the first of the main packages alone.
	Health string
	// HTTP says that it imports an HTTP server and listens, as far as its own files tell.
	HTTP bool

	imports, listens bool // an HTTP server; that a file calls what listens
}

// mostFiles bounds the search: a module with more Go files is not searched to its end.
const mostFiles = 20000

// Discover finds the main packages at and below dir, in its module, those that look
// like servers first. It reads source and executes nothing: no go, no git, no generator.
// Files that this system's builds leave out do not count. Errors are fail.BadInput if
// there is no main package, fail.Environment if dir cannot be read.
func Discover(dir string) ([]Main, error) {
	found := map[string]*Main{}
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == dir:
			return err
		case err != nil:
			return nil // what cannot be read is not ours
		case d.IsDir() && path != dir && skipped(path, d.Name()):
			return filepath.SkipDir
		case d.IsDir() || !d.Type().IsRegular() || !strings.HasSuffix(path, ".go") ||
			strings.HasSuffix(path, "_test.go"):
			return nil
		}
		if files++; files > mostFiles {
			return filepath.SkipAll
		}
		look(found, dir, path)
		return nil
	})
	if err != nil {
		return nil, fail.New(fail.Environment, "search %s for main packages: %w", dir, err)
	}
	if len(found) == 0 {
		return nil, fail.New(fail.BadInput, "there is no main package in %s", dir).
			WithHint("run hone init in the root of your module")
	}
	var mains []Main
	for _, m := range found {
		m.HTTP = m.imports && m.listens
		mains = append(mains, *m)
	}
	slices.SortFunc(mains, func(a, b Main) int { return cmp.Or(b.rank()-a.rank(), cmp.Compare(a.Dir, b.Dir)) })
	mains[0].Health = healthPath(filepath.Join(dir, mains[0].Dir))
	return mains, nil
}

// healthPaths tell when a service is ready, those that mean just that first.
var healthPaths = []string{"/readyz", "/ready", "/-/ready", "/healthz", "/health", "/livez", "/up"}

// healthPath is the first of healthPaths that the package in dir registers; empty for none.
func healthPath(dir string) string {
	found := routes.In(routes.Program{Dir: dir})
	i := slices.IndexFunc(healthPaths, func(p string) bool { return slices.Contains(found.Paths, p) })
	if i < 0 {
		return ""
	}
	return healthPaths[i]
}

// rank is the higher the more a package is like a server that hone can load: one of HTTP first, then one whose flags
// say where it listens. A client has such flags, too, and listens nowhere.
func (m Main) rank() int {
	if m.HTTP {
		return httpRank + m.ofFlags()
	}
	return m.ofFlags()
}

// httpRank is above all that ofFlags returns.
const httpRank = 4

func (m Main) ofFlags() int {
	switch {
	case m.Args != nil && m.Serves:
		return 3
	case m.Args != nil, m.Socket != nil && m.Serves:
		return 2
	case m.Serves:
		return 1
	}
	return 0
}

// skipped says whether go's ./... leaves a directory out.
func skipped(path, name string) bool {
	return leftOut(name) || exists(filepath.Join(path, "go.mod"))
}

// leftOut says whether the go command never looks for packages in a directory of this name.
func leftOut(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "vendor" || name == "testdata"
}

// look notes what a file says about the main package that it belongs to, if it does.
func look(found map[string]*Main, root, path string) {
	dir, name := filepath.Split(path)
	if info, err := os.Stat(path); err != nil || info.Size() > 1<<20 {
		return // generated
	}
	if match, err := build.Default.MatchFile(dir, name); err != nil || !match {
		return
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil || file.Name.Name != "main" {
		return
	}
	rel, err := filepath.Rel(root, filepath.Clean(dir))
	if err != nil || !utf8.ValidString(rel) || strings.ContainsFunc(rel, unicode.IsControl) {
		return
	}
	rel = "./" + filepath.ToSlash(rel)
	if rel == "./." {
		rel = "."
	}
	m := found[rel]
	if m == nil {
		m = &Main{Dir: rel}
		found[rel] = m
	}
	dashes := "-"
	for _, spec := range file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		m.Serves = m.Serves || imported == "net" || imported == "net/http" || strings.HasSuffix(imported, "/grpc")
		m.imports = m.imports || imported == "net/http" ||
			slices.ContainsFunc(httpServers, func(s string) bool { return strings.HasPrefix(imported, s) })
		if strings.HasSuffix(imported, "/pflag") || strings.HasSuffix(imported, "/cobra") {
			dashes = "--"
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && listens(call) {
			m.listens = true
		}
		if ok && m.Args == nil {
			m.Args = listenArgs(call, dashes)
		}
		if ok && m.Socket == nil {
			m.Socket = socketArgs(call, dashes)
		}
		return true
	})
}

// httpServers are packages of HTTP servers that stand for net/http in a main package.
var httpServers = []string{"github.com/gin-gonic/gin", "github.com/labstack/echo", "github.com/gofiber/fiber",
	"github.com/valyala/fasthttp"}

// listening matches the functions and methods that listen: http.ListenAndServe, server.Serve, net.Listen, engine.Run,
// e.Start.
var listening = regexp.MustCompile(`^(ListenAndServe(TLS)?|Serve(TLS)?|Listen(TCP|Config|TLS)?|Run(TLS|Unix|Listener)?|Start(TLS)?)$`)

// listens says whether a call is to one of them. Run and Start are what much else is called, and take an address here.
func listens(call *ast.CallExpr) bool {
	function, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !listening.MatchString(function.Sel.Name) {
		return false
	}
	if name := function.Sel.Name; !strings.HasPrefix(name, "Run") && !strings.HasPrefix(name, "Start") {
		return true
	}
	if len(call.Args) == 0 {
		return false
	}
	address, ok := routes.StringLiteral(call.Args[0])
	return ok && strings.Contains(address, ":")
}

// definer matches the functions that define a flag: flag.String, flags.IntVarP, ...
var definer = regexp.MustCompile(`^(String|Int|Uint|Uint16)(Var)?P?$`)

// listenFlags are what flags for the address or the port to listen on are called, and
// whether they take a port alone.
var listenFlags = map[string]bool{
	"addr": false, "address": false, "listen": false, "listen-addr": false, "listen-address": false, "bind": false,
	"http": false, "http-addr": false, "port": true, "http-port": true, "p": true,
}

// socketFlags are what flags for the path of a Unix socket to listen on are called.
var socketFlags = []string{"socket", "unix", "unix-socket", "socket-path", "listen-unix"}

// socketArgs are the arguments that set a flag of that kind to a path of hone's, if the call defines one.
func socketArgs(call *ast.CallExpr, dashes string) []string {
	function, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !definer.MatchString(function.Sel.Name) || !strings.HasPrefix(function.Sel.Name, "String") {
		return nil
	}
	for _, arg := range call.Args[:min(2, len(call.Args))] {
		if name, ok := routes.StringLiteral(arg); ok && slices.Contains(socketFlags, name) {
			return []string{dashes + name, templates.Socket}
		}
	}
	return nil
}

// listenArgs are the arguments that set a flag of that kind to a free port, if the call
// defines one.
func listenArgs(call *ast.CallExpr, dashes string) []string {
	function, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !definer.MatchString(function.Sel.Name) {
		return nil
	}
	for i, arg := range call.Args[:min(2, len(call.Args))] {
		name, ok := routes.StringLiteral(arg)
		port, known := listenFlags[name]
		if !ok || !known {
			continue
		}
		if port || !strings.HasPrefix(function.Sel.Name, "String") {
			return []string{dashes + name, templates.Port}
		}
		host := "127.0.0.1"
		for _, later := range call.Args[i+1:] {
			if text, ok := routes.StringLiteral(later); ok && !strings.Contains(text, ":") &&
				strings.Trim(text, "0123456789") == "" && text != "" {
				return []string{dashes + name, templates.Port} // its default is a port alone
			}
		}
		return []string{dashes + name, host + ":" + templates.Port}
	}
	return nil
}
