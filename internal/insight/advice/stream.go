package advice

import (
	"go/ast"
	"strings"

	"github.com/gohone/hone/prof"
)

// oneStream says at which of the user's frames, from frame number at outwards, a loop over data reads or writes again
// and again with one stream; -1 if none does. The stream is followed from the call through parameters and receivers of
// the user's functions: a loop whose element it comes from serves many connections, and no buffer helps it.
func (v *View) oneStream(s *stack, at int) int {
	own := s.own(at)
	if own == len(s.frames) {
		return -1
	}
	stream := v.source(s.frames[own].file).streamAt(int(s.frames[own].line))
	for range mostHandedOn {
		if stream == nil {
			return -1
		}
		f := &s.frames[own]
		file := v.source(f.file)
		around := file.loops(int(f.line))
		if n := len(around); n > 0 {
			inner := around[n-1:]
			if file.variesWith(stream, inner) {
				return -1
			}
			if file.walked(inner[0]) != nil || file.overData(inner[0]) {
				return own
			}
		}
		caller := own + 1
		if caller >= len(s.frames) || s.frames[caller].origin != prof.Own {
			return -1
		}
		stream = v.handedBy(file, f, stream, &s.frames[caller])
		own = caller
	}
	return -1
}

// mostHandedOn bounds through how many functions a stream is followed.
const mostHandedOn = 6

// streamAt is what a line reads from or writes to: the receiver of Read or Write, the first argument of io.ReadFull,
// fmt.Fprintf and the like; nil if the line is not seen to do either.
func (f *sourceFile) streamAt(line int) ast.Expr {
	for _, c := range f.callsAt(line) {
		name := calleeName(c)
		moves := strings.Contains(name, "Write") || strings.Contains(name, "Read") ||
			strings.HasPrefix(name, "Fprint") || strings.HasPrefix(name, "Copy")
		if !moves {
			continue
		}
		if f.packageOf(c) != "" {
			if len(c.Args) > 0 {
				return c.Args[0]
			}
			continue
		}
		if s, ok := c.Fun.(*ast.SelectorExpr); ok {
			return s.X
		}
	}
	return nil
}

// handedBy is the expression of the caller's line that a function's stream comes from; nil if it is not a parameter or
// of the receiver.
func (v *View) handedBy(file *sourceFile, f *frame, stream ast.Expr, caller *frame) ast.Expr {
	fn := file.function(int(f.line))
	if fn == nil {
		return nil
	}
	root := file.definedBy(fn, rootOf(stream))
	for _, c := range v.source(caller.file).callsAt(int(caller.line)) {
		if calleeName(c) != fn.Name.Name {
			continue
		}
		if fn.Recv != nil && len(fn.Recv.List) == 1 && len(fn.Recv.List[0].Names) == 1 &&
			fn.Recv.List[0].Names[0].Name == root {
			if s, ok := c.Fun.(*ast.SelectorExpr); ok {
				return s.X
			}
		}
		i := 0
		for _, field := range fn.Type.Params.List {
			for _, name := range field.Names {
				if name.Name == root && i < len(c.Args) {
					return c.Args[i]
				}
				i++
			}
		}
	}
	return nil
}

// definedBy follows a local name to what it was made of: w of w := s.conn comes from s.
func (f *sourceFile) definedBy(fn *ast.FuncDecl, name string) string {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if ok && len(a.Lhs) == 1 && len(a.Rhs) == 1 && text(a.Lhs[0]) == name {
			if from := rootOf(a.Rhs[0]); from != "" {
				name = from
			}
			return false
		}
		return true
	})
	return name
}
