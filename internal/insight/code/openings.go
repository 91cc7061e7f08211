package code

import (
	"go/ast"
	"path"
	"slices"
)

// Opening is a call that opens a descriptor.
type Opening struct {
	Place Place
	Call  string
	// Closed says that its function closes something.
	Closed bool
}

// openers are functions that open a descriptor, by their package. What main opens is open for as long as the program
// runs.
var openers = map[string][]string{
	"os":       {"Open", "OpenFile", "OpenRoot", "Create", "CreateTemp", "Pipe", "StartProcess"},
	"net":      {"Dial", "DialTimeout", "DialTCP", "DialUDP", "DialUnix", "ListenPacket", "ListenUDP"},
	"net/http": {"Get", "Post", "PostForm", "Head"},
	"syscall":  {"Open", "Socket"},

	"crypto/tls": {"Dial", "DialWithDialer"}, "golang.org/x/sys/unix": {"Open", "Socket"}, "database/sql": {"Open"},
}

// Openings are the calls of a package that open a descriptor.
func (p *Package) Openings(pkg string) (all []Opening) {
	for name, file := range p.files {
		f := &File{p, file}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || fn.Recv == nil && (fn.Name.Name == "main" || fn.Name.Name == "init") {
				continue
			}
			closed := false
			var found []Opening
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				c, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				callee := CalleeName(c)
				closed = closed || callee == "Close"
				if from := f.packageOf(c); slices.Contains(openers[from], callee) {
					at := Place{Function: pkg + "." + fn.Name.Name, File: name, Line: int64(f.line(c.Pos()))}
					found = append(found, Opening{Place: at, Call: path.Base(from) + "." + callee})
				}
				return true
			})
			for _, o := range found {
				o.Closed = closed
				all = append(all, o)
			}
		}
	}
	return all
}
