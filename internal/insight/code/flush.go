package code

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A bufio.Writer that answers requests needs a Flush before the server waits for the next request. This file says which
// calls of Flush the source has, and when they run.

// bufferedWriter is a bufio.Writer that a function makes.
type bufferedWriter struct {
	variable *types.Var // that it is assigned to, a field too; nil where it is handed on at once
	line     int
	at       token.Pos
}

// flushCall is a call of Flush.
type flushCall struct {
	line int
	when flushTime
	cond string // of flushInBranch
}

// flushTime is when a call of Flush runs.
type flushTime int

const (
	flushEach     flushTime = iota // for each answer, or at least the source does not exclude it
	flushDeferred                  // when the function ends
	flushEnding                    // in a branch that leaves the function
	flushOutside                   // before or after the loop that answers
	flushInBranch                  // in a branch whose condition counts what was written
)

// String is a sentence without its period.
func (c flushCall) String() string {
	switch c.when {
	case flushDeferred:
		return fmt.Sprintf("Flush is only deferred to the end of the function: line %d", c.line)
	case flushEnding:
		return fmt.Sprintf("Flush is only called where the function returns: line %d", c.line)
	case flushOutside:
		return fmt.Sprintf("Flush is only called outside the loop that answers: line %d", c.line)
	case flushInBranch:
		return fmt.Sprintf("Flush is only called in a branch: line %d, if %s", c.line, c.cond)
	}
	return fmt.Sprintf("Flush is called: line %d", c.line)
}

// Unflushed is the line in which the function around a line makes a bufio.Writer that is not flushed for each answer,
// and what the source has instead; 0 if it flushes, or makes none.
func (f *File) Unflushed(line int) (made int, instead string) {
	fn := f.Function(line)
	if fn == nil {
		return 0, ""
	}
	for _, w := range f.writersMade(fn) {
		if instead, yes := f.withholds(fn, w); yes {
			return w.line, instead
		}
	}
	return 0, ""
}

// withholds says whether no call of Flush runs for each answer, and what the source has instead.
func (f *File) withholds(fn *ast.FuncDecl, w bufferedWriter) (instead string, yes bool) {
	var calls []flushCall
	if w.variable != nil {
		calls = f.flushes(fn, w.variable, w.at, nil)
	}
	if w.variable == nil || w.variable.IsField() || f.handedOn(fn, w.variable) {
		calls = append(calls, f.flushesElsewhere(fn, w)...)
	}
	if len(calls) == 0 {
		return "No line of the package calls Flush on it", true
	}
	last := calls[0]
	for _, c := range calls {
		if c.when == flushEach || c.when == flushDeferred && !f.answersInLoop(fn, w, nil) {
			return "", false
		}
		if c.when > last.when {
			last = c
		}
	}
	return last.String(), true
}

// writersMade are the bufio.Writers that a function makes.
func (f *File) writersMade(fn *ast.FuncDecl) (all []bufferedWriter) {
	under := map[ast.Expr]*types.Var{} // by the expression that is assigned
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					under[ast.Unparen(n.Rhs[i])] = f.variableSet(n.Lhs[i])
				}
			}
		case *ast.ValueSpec:
			for i := range n.Values {
				under[ast.Unparen(n.Values[i])] = f.variableSet(n.Names[min(i, len(n.Names)-1)])
			}
		case *ast.KeyValueExpr:
			under[ast.Unparen(n.Value)] = f.variable(n.Key)
		case *ast.CallExpr:
			if f.packageOf(n) != "bufio" {
				return true
			}
			switch CalleeName(n) {
			case "NewWriter", "NewWriterSize", "NewReadWriter":
				all = append(all, bufferedWriter{under[n], f.line(n.Pos()), n.Pos()})
				return false // the writer of a bufio.ReadWriter is flushed through it
			}
		}
		return true
	})
	return all
}

// variableSet is the variable that an assignment sets or defines.
func (f *File) variableSet(e ast.Expr) *types.Var {
	if id, ok := e.(*ast.Ident); ok {
		if o, ok := f.info.Defs[id].(*types.Var); ok {
			return o
		}
	}
	return f.variable(e)
}

// handedOn says whether a function gives a variable away other than as an argument: to another variable, or to its
// caller.
func (f *File) handedOn(fn *ast.FuncDecl, o *types.Var) (yes bool) {
	given := func(all ...ast.Expr) {
		for _, e := range all {
			yes = yes || f.variable(e) == o
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			given(n.Rhs...)
		case *ast.CompositeLit:
			given(n.Elts...)
		case *ast.KeyValueExpr:
			given(n.Value)
		case *ast.ReturnStmt:
			given(n.Results...)
		case *ast.SendStmt:
			given(n.Value)
		}
		return !yes
	})
	return yes
}

// flushesElsewhere are the calls of Flush in other functions that may be of this writer: of its field, and of what is
// not known to be another writer.
func (f *File) flushesElsewhere(fn *ast.FuncDecl, w bufferedWriter) (all []flushCall) {
	others := map[*types.Var]bool{}
	f.declarations(func(d ast.Decl) {
		if other, ok := d.(*ast.FuncDecl); ok && other.Body != nil {
			for _, made := range f.writersMade(other) {
				others[made.variable] = made.variable != nil && made.variable != w.variable
			}
		}
	})
	f.declarations(func(d ast.Decl) {
		other, ok := d.(*ast.FuncDecl)
		if !ok || other.Body == nil {
			return
		}
		ast.Inspect(other.Body, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok || s.Sel.Name != "Flush" {
				return true
			}
			switch o := f.variable(s.X); {
			case o != nil && o == w.variable:
				if other != fn {
					all = append(all, f.flushes(other, o, other.Pos(), nil)...)
				}
			case !others[o]:
				all = append(all, flushCall{line: f.line(s.Pos())})
			}
			return true
		})
	})
	return all
}

// answersInLoop says whether a function answers in a loop after it has made a writer, or hands the writer to a function
// that does.
func (f *File) answersInLoop(fn *ast.FuncDecl, w bufferedWriter, seen []*ast.FuncDecl) (yes bool) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			yes = yes || n.Pos() > w.at && !f.overData(n.(ast.Stmt))
		case *ast.CallExpr:
			f.taking(n, w.variable, append(seen, fn), func(callee *ast.FuncDecl, parameter *types.Var) {
				yes = yes || f.answersInLoop(callee, bufferedWriter{variable: parameter}, append(seen, fn))
			})
		}
		return !yes
	})
	return yes
}

// taking visits the function of the package that a call hands a variable to, and its parameter.
func (f *File) taking(c *ast.CallExpr, o *types.Var, seen []*ast.FuncDecl,
	visit func(*ast.FuncDecl, *types.Var)) {
	for i, arg := range c.Args {
		if o == nil || f.variable(arg) != o {
			continue
		}
		callee, parameter := f.parameter(c, i)
		if parameter == nil {
			continue
		}
		if !slices.Contains(seen, callee) {
			visit(callee, parameter)
		}
	}
}

// parameter is that of the package's function that argument i of a call sets.
func (f *File) parameter(c *ast.CallExpr, i int) (callee *ast.FuncDecl, parameter *types.Var) {
	var name *ast.Ident
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		name = fun
	case *ast.SelectorExpr:
		name = fun.Sel
	default:
		return nil, nil
	}
	o := f.info.Uses[name]
	if o == nil {
		return nil, nil
	}
	f.declarations(func(d ast.Decl) {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && f.info.Defs[fn.Name] == o {
			callee = fn
		}
	})
	if callee == nil {
		return nil, nil
	}
	var names []*ast.Ident
	for _, field := range callee.Type.Params.List {
		names = append(names, field.Names...)
	}
	if i >= len(names) {
		return nil, nil
	}
	parameter, _ = f.info.Defs[names[i]].(*types.Var)
	return callee, parameter
}

// ends says whether a list of statements leaves the function, or with a break the loop.
func ends(list []ast.Stmt, breaks bool) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK && (breaks || s.Label != nil)
	case *ast.ExprStmt:
		c, ok := s.X.(*ast.CallExpr)
		return ok && (CalleeName(c) == "panic" || strings.HasPrefix(CalleeName(c), "Fatal"))
	}
	return false
}
