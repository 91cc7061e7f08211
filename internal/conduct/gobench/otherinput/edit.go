package otherinput

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// editor changes the literals of a benchmark, and knows which names carry one.
type editor struct {
	source
	b           string // the parameter of the benchmark
	onlyNumbers bool
	changed     []*ast.BasicLit
	carries     map[string]bool  // names of variables whose values have a changed literal
	copied      map[string]bool  // variables of the package, by their first names
	needed      []*ast.ValueSpec // that the copy has for itself
}

// edit changes what a node says, and the variables of the package that it uses.
func (e *editor) edit(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			e.edit(n.X)
			return false // an index has to be there
		case *ast.SliceExpr:
			e.edit(n.X)
			return false
		case *ast.ArrayType: // its length is a part of its type
			return false
		case *ast.SelectorExpr:
			e.edit(n.X)
			return false
		case *ast.KeyValueExpr:
			e.edit(n.Value) // a key may be that of a field
			return false
		case *ast.CallExpr:
			if e.ofB(n) { // names, sizes, messages
				for _, arg := range n.Args {
					if _, is := arg.(*ast.FuncLit); is {
						e.edit(arg)
					}
				}
				return false
			}
			for _, arg := range n.Args {
				if one, ok := arg.(*ast.BasicLit); ok && one.Kind == token.INT && one.Value == "1" {
					e.set(one, "2") // such as a seed
				}
			}
		case *ast.BasicLit:
			e.literal(n)
		case *ast.Ident:
			e.variable(n)
		}
		return true
	})
}

// ofB says that a call is of a method of the benchmark's parameter.
func (e *editor) ofB(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && x.Name == e.b
}

func (e *editor) set(l *ast.BasicLit, value string) {
	l.Value = value
	e.changed = append(e.changed, l)
}

// isFile is a string that may name a file, or a format.
var isFile = regexp.MustCompile(`^[^\s]*[./\\%][^\s]*$`)

// literal changes a number over 1, or a string.
func (e *editor) literal(l *ast.BasicLit) {
	for _, done := range e.changed {
		if done == l {
			return
		}
	}
	switch l.Kind {
	case token.INT:
		if n, err := strconv.ParseInt(l.Value, 0, 64); err == nil && n > 1 {
			e.set(l, strconv.FormatInt(n+1, 10))
		}
	case token.STRING:
		text, err := strconv.Unquote(l.Value)
		if err != nil || e.onlyNumbers || isFile.MatchString(text) {
			return
		}
		if longer, ok := longer(text); ok {
			e.set(l, strconv.Quote(longer))
		}
	}
}

// longer has the last letter or digit of a text twice, so that its form stays; false where it has none.
func longer(text string) (string, bool) {
	for end := len(text); end > 0; {
		r, size := utf8.DecodeLastRuneInString(text[:end])
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return text[:end] + string(r) + text[end:], true
		}
		end -= size
	}
	return text, false
}

// variable has the copy use a changed copy of a variable of the package.
func (e *editor) variable(id *ast.Ident) {
	v := e.variables[id.Name]
	if v == nil || e.copied[id.Name] {
		if v != nil && e.carries[renamed+id.Name] {
			id.Name = renamed + id.Name
		}
		return
	}
	e.copied[id.Name] = true
	before := len(e.changed)
	for _, value := range v.Values {
		e.edit(value)
	}
	if len(e.changed) > before {
		name := renamed + id.Name
		e.needed = append(e.needed, &ast.ValueSpec{Names: []*ast.Ident{ast.NewIdent(name)}, Type: v.Type,
			Values: v.Values})
		e.carries[name] = true
		id.Name = name
	}
}

// reachesLoop says that a changed literal is in what the loop of a benchmark calls, by the names that carry it.
func (e *editor) reachesLoop(body *ast.BlockStmt) bool {
	for grew := true; grew; {
		grew = false
		carry := func(to ast.Expr, from ...ast.Expr) {
			id, ok := to.(*ast.Ident)
			if !ok || e.carries[id.Name] || id.Name == "_" {
				return
			}
			for _, x := range from {
				if e.has(x) {
					e.carries[id.Name], grew = true, true
				}
			}
		}
		ast.Inspect(body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					if len(n.Rhs) == len(n.Lhs) {
						carry(to, n.Rhs[i])
					} else {
						carry(to, n.Rhs...)
					}
				}
			case *ast.ValueSpec:
				for _, to := range n.Names {
					carry(to, n.Values...)
				}
			case *ast.RangeStmt:
				for _, to := range []ast.Expr{n.Key, n.Value} {
					if to != nil {
						carry(to, n.X)
					}
				}
			}
			return true
		})
	}
	reaches := false
	ast.Inspect(body, func(n ast.Node) bool {
		if loop := e.loopOf(n); loop != nil {
			ast.Inspect(loop, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if ok && !e.ofB(call) {
					reaches = reaches || e.has(call)
				}
				return true
			})
		}
		return true
	})
	return reaches
}

// loopOf is the body of a loop over b.N, b.Loop or pb.Next; nil for anything else.
func (e *editor) loopOf(n ast.Node) (body *ast.BlockStmt) {
	var head ast.Node
	switch n := n.(type) {
	case *ast.ForStmt:
		if n.Cond == nil {
			return nil
		}
		head, body = n.Cond, n.Body
	case *ast.RangeStmt:
		head, body = n.X, n.Body
	default:
		return nil
	}
	counts := false
	ast.Inspect(head, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			counts = counts || sel.Sel.Name == "N" || sel.Sel.Name == "Loop" || sel.Sel.Name == "Next"
		}
		return true
	})
	if !counts {
		return nil
	}
	return body
}

// has says that an expression has a changed literal, or a name that carries one.
func (e *editor) has(x ast.Expr) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			for _, l := range e.changed {
				found = found || l == n
			}
		case *ast.Ident:
			found = found || e.carries[n.Name]
		}
		return true
	})
	return found
}
