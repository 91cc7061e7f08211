package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// onlyReads refuses a critical section that may write to what others see, wait, or call code that
// is not known with what it protects.
func (c *code) onlyReads(s *section) error {
	r := &reader{code: c, mu: s.mu, fn: s.fn, own: map[*types.Var]bool{}}
	r.findOwn(s.fn.Body)
	for _, one := range s.code {
		if err := r.reads(one); err != nil {
			return err
		}
	}
	return nil
}

// reader looks for writes in the code of one function.
type reader struct {
	*code
	mu    *types.Var
	fn    *ast.FuncDecl
	own   map[*types.Var]bool // local variables that hold what the function made itself
	depth int
}

// findOwn finds the local variables whose every value was made in the function: what is written to
// them, or through them, others do not see.
func (r *reader) findOwn(body *ast.BlockStmt) {
	made, other := map[*types.Var]bool{}, map[*types.Var]bool{}
	note := func(lhs, rhs ast.Expr) {
		v := r.localOf(lhs)
		if v == nil {
			return
		}
		if rhs == nil || r.makes(rhs, v) {
			made[v] = true
		} else {
			other[v] = true
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				if len(n.Rhs) == len(n.Lhs) {
					note(lhs, n.Rhs[i])
				} else if v := r.localOf(lhs); v != nil {
					other[v] = true
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				switch {
				case len(n.Values) == 0:
					note(name, nil)
				case len(n.Values) == len(n.Names):
					note(name, n.Values[i])
				default:
					other[r.localOf(name)] = true
				}
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil {
					if v := r.localOf(e); v != nil {
						other[v] = true
					}
				}
			}
		}
		return true
	})
	for v := range made {
		r.own[v] = !other[v]
	}
}

// makes says that an expression is a new map, slice, or struct, or v with more appended.
func (r *reader) makes(e ast.Expr, v *types.Var) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		_, literal := e.X.(*ast.CompositeLit)
		return e.Op == token.AND && literal
	case *ast.CallExpr:
		switch r.builtin(e) {
		case "make", "new":
			return true
		case "append":
			return r.localOf(e.Args[0]) == v || r.isNil(e.Args[0]) || r.makes(e.Args[0], v)
		}
		name := r.calls(e)
		return name == "slices.Clone" || name == "maps.Clone" || name == "bytes.Clone" ||
			r.conversion(e) && len(e.Args) == 1 && r.isNil(e.Args[0])
	}
	return false
}

// reads refuses a statement that does more than to read.
func (r *reader) reads(s ast.Node) error {
	var fault error
	say := func(at token.Pos, format string, args ...any) bool {
		if fault == nil {
			fault = r.refuse(at, format, args...)
		}
		return false
	}
	ast.Inspect(s, func(n ast.Node) bool {
		if fault != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				if !r.ownTarget(lhs) {
					return say(lhs.Pos(), "the critical section writes to %s", r.text(lhs))
				}
			}
		case *ast.IncDecStmt:
			if !r.ownTarget(n.X) {
				return say(n.Pos(), "the critical section writes to %s", r.text(n.X))
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil && !r.ownTarget(e) {
					return say(e.Pos(), "the critical section writes to %s", r.text(e))
				}
			}
			switch r.info.Types[n.X].Type.Underlying().(type) {
			case *types.Chan, *types.Signature:
				return say(n.Pos(), "the critical section waits, or runs other code, here")
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				return say(n.Pos(), "the critical section waits here")
			}
			if _, literal := n.X.(*ast.CompositeLit); n.Op == token.AND && !literal {
				return say(n.Pos(), "the address of %s is taken: it may be written by that", r.text(n.X))
			}
		case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt, *ast.DeferStmt, *ast.FuncLit:
			return say(n.Pos(), "the critical section does more than to read here")
		case *ast.CallExpr:
			if err := r.call(n); err != nil {
				fault = err
				return false
			}
		}
		return true
	})
	return fault
}

// ownTarget says that an assignment to an expression changes only what the function made itself: a
// variable of its own, or what such a variable holds.
func (r *reader) ownTarget(e ast.Expr) bool {
	e = ast.Unparen(e)
	if id, ok := e.(*ast.Ident); ok {
		return id.Name == "_" || r.localOf(id) != nil && !r.captured(r.localOf(id))
	}
	for steps := 1; ; steps++ {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.Ident:
			v := r.localOf(x)
			// The first step stays in what the variable holds, further ones only without references.
			return v != nil && r.own[v] && !r.captured(v) && (steps == 2 || shallow(v.Type()))
		default:
			return false
		}
	}
}

// shallow says that what a variable of this type holds holds no reference to anything else: to
// write one step into it stays in it.
func shallow(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Map:
		return !refers(t.Elem())
	case *types.Slice:
		return !refers(t.Elem())
	case *types.Pointer:
		return !refers(t.Elem())
	}
	return !refers(t)
}

// refers says whether values of a type hold references through which can be written.
func refers(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return false
	case *types.Struct:
		for f := range t.Fields() {
			if refers(f.Type()) {
				return true
			}
		}
		return false
	case *types.Array:
		return refers(t.Elem())
	}
	return true
}

// call refuses calls that may write.
func (r *reader) call(call *ast.CallExpr) error {
	if r.conversion(call) || r.mutexOf(call) == r.mu {
		return nil
	}
	switch name := r.builtin(call); name {
	case "":
	case "len", "cap", "make", "new", "min", "max", "real", "imag", "complex":
		return nil
	case "append", "copy":
		v := r.localOf(call.Args[0])
		if r.isNil(call.Args[0]) || v != nil && r.own[v] || r.makes(call.Args[0], nil) {
			return nil
		}
		return r.refuse(call.Pos(), "%s may write to %s", name, r.text(call.Args[0]))
	default:
		return r.refuse(call.Pos(), "%s is more than to read", name)
	}
	f := r.callee(call)
	name := nameOf(f)
	switch {
	case f == nil:
		return r.refuse(call.Pos(), "%s is code that is not known", r.text(call.Fun))
	case pure[name]:
		return r.plainArguments(call)
	case f.Pkg() != nil && purePackages[f.Pkg().Path()] && f.Signature().Recv() == nil &&
		!writesOrCalls.MatchString(f.Name()):
		return nil
	case sorts[name] && r.ownTarget(call.Args[0]) && r.own[r.localOf(call.Args[0])]:
		return nil
	case f.Pkg() == r.pkg:
		return r.into(call, f)
	}
	return r.refuse(call.Pos(), "%s is code that is not known", r.text(call.Fun))
}

// purePackages have functions (not methods) that only compute from their arguments.
var purePackages = map[string]bool{"strings": true, "strconv": true, "math": true, "math/bits": true, "unicode": true,
	"unicode/utf8": true, "errors": true}

// writesOrCalls are names of functions in them that write to an argument, or call one.
var writesOrCalls = regexp.MustCompile(`Func|^Append|^Encode|^Map$|^As$`)

// sorts are functions that write to their argument, and compare without calling code of the program.
var sorts = map[string]bool{"sort.Strings": true, "sort.Ints": true, "sort.Float64s": true, "slices.Sort": true,
	"slices.Reverse": true}

// pure are single functions and methods of other packages that do so.
var pure = map[string]bool{
	"bytes.Equal": true, "bytes.Compare": true, "bytes.Clone": true, "bytes.Contains": true, "maps.Clone": true,
	"slices.Clone": true, "slices.Contains": true,
	"slices.Index": true, "slices.Equal": true, "slices.Max": true, "slices.Min": true, "slices.BinarySearch": true,
	"sort.SearchStrings": true, "sort.SearchInts": true,
	"time.Now": true, "time.Since": true, "time.Until": true, "time.Time.Before": true, "time.Time.After": true,
	"time.Time.Equal": true, "time.Time.Sub": true,
	"time.Time.Add": true, "time.Time.Unix": true, "time.Time.UnixNano": true, "time.Time.IsZero": true,
	"time.Duration.Seconds": true,
	"fmt.Sprint":            true, "fmt.Sprintf": true, "fmt.Sprintln": true, "fmt.Errorf": true,
	"sync/atomic.Int32.Load": true, "sync/atomic.Int64.Load": true, "sync/atomic.Uint32.Load": true,
	"sync/atomic.Uint64.Load": true, "sync/atomic.Bool.Load": true,
}

// plainArguments refuses values with methods that the function may call, such as String.
func (r *reader) plainArguments(call *ast.CallExpr) error {
	if !strings.HasPrefix(r.calls(call), "fmt.") {
		return nil
	}
	for _, arg := range call.Args {
		if t := r.info.Types[arg].Type; !isPlain(t) {
			return r.refuse(arg.Pos(), "%s may call methods of %s, which are not known to read only", r.text(call.Fun),
				r.text(arg))
		}
	}
	return nil
}

// isPlain says that a type is one of the language's own, without methods.
func isPlain(t types.Type) bool {
	_, basic := types.Unalias(t).(*types.Basic)
	return basic
}

// into follows a call into a function of the package.
func (r *reader) into(call *ast.CallExpr, f *types.Func) error {
	decl := r.declaration(f)
	if decl == nil || decl.Body == nil || r.depth == deepest {
		return r.refuse(call.Pos(), "%s is code that is not known", r.text(call.Fun))
	}
	inner := &reader{code: r.code, mu: r.mu, fn: decl, own: map[*types.Var]bool{}, depth: r.depth + 1}
	inner.findOwn(decl.Body)
	if err := inner.noLock(decl); err != nil {
		return err
	}
	return inner.reads(decl.Body)
}

// noLock refuses functions that lock themselves: a lock for reading that is taken twice can wait
// for a writer between the two.
func (r *reader) noLock(decl *ast.FuncDecl) error {
	for _, call := range collect(decl.Body, func(call *ast.CallExpr) bool { return r.mutexOf(call) == r.mu }) {
		return r.refuse(call.Pos(), "%s locks by itself", decl.Name.Name)
	}
	return nil
}
