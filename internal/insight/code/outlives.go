package code

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// outlives says whether an expression is of a field of something that was not made here, or a variable of the package.
func (f *File) outlives(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		id, ok := e.X.(*ast.Ident)
		if !ok {
			return f.outlives(e.X)
		}
		return f.isPackageLevel(id) || f.isReceiver(id)
	case *ast.Ident:
		return f.isPackageLevel(e)
	}
	return false
}

// lasts says whether an expression is, or is a part of, what more than one request has: of what outlives its function,
// or of a variable that a function literal captures, where no request runs.
func (f *File) lasts(e ast.Expr) bool {
	id, ok := rootIdent(e)
	return ok && (f.isPackageLevel(id) || f.isReceiver(id) || f.isCaptured(id))
}

// isCaptured says whether a function literal captures the variable of a name from a function that is not seen to run
// under load itself, and that takes no request.
func (f *File) isCaptured(id *ast.Ident) bool {
	o, fn := f.info.Uses[id], f.Function(f.line(id.Pos()))
	if o == nil || fn == nil || f.entered[fn] || takesRequest(fn) || o.Pos() < fn.Type.Pos() || o.Pos() > fn.End() {
		return false
	}
	within := func(n ast.Node, p token.Pos) bool { return n.Pos() <= p && p < n.End() }
	uses, defines := false, false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			uses, defines = uses || within(lit, id.Pos()), defines || within(lit, o.Pos())
		}
		return true
	})
	return uses && !defines
}

func (f *File) isPackageLevel(id *ast.Ident) bool {
	o, ok := f.info.Uses[id].(*types.Var)
	return ok && o.Parent() != nil && o.Pkg() != nil && o.Parent() == o.Pkg().Scope()
}

// isReceiver says whether a name is the receiver of the function around it, of a type that no function makes which is
// seen to run under load, or that such a function calls: what a request makes ends with it.
func (f *File) isReceiver(id *ast.Ident) bool {
	o, fn := f.info.Uses[id], f.Function(f.line(id.Pos()))
	if o == nil || fn == nil || fn.Recv == nil || o.Pos() < fn.Recv.Pos() || o.Pos() > fn.Recv.End() {
		return false
	}
	t := o.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	for running := range f.underLoad() {
		if f.makes(running, t) {
			return false
		}
	}
	return true
}

// underLoad are the functions that are seen to run under load, and those of the package that they call: a constructor
// is often too quick for a profile.
func (p *Package) underLoad() map[*ast.FuncDecl]bool {
	all := maps.Clone(p.runs)
	pending := slices.Collect(maps.Keys(all))
	for len(pending) > 0 {
		fn := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for _, callee := range p.calledBy(fn) {
			if !all[callee] {
				all[callee] = true
				pending = append(pending, callee)
			}
		}
	}
	return all
}

// calledBy are the functions of the package that a function, or a literal, names.
func (p *Package) calledBy(fn ast.Node) (all []*ast.FuncDecl) {
	if p.declared == nil {
		p.declared = map[types.Object]*ast.FuncDecl{}
		p.declarations(func(d ast.Decl) {
			if one, ok := d.(*ast.FuncDecl); ok && one.Body != nil {
				p.declared[p.info.Defs[one.Name]] = one
			}
		})
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if one := p.declared[p.info.Uses[id]]; one != nil {
				all = append(all, one)
			}
		}
		return true
	})
	return all
}

// makes says whether a function makes a value of a type: by a literal, by new, or as a variable of its own.
func (f *File) makes(fn *ast.FuncDecl, t types.Type) (yes bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			yes = yes || f.isType(n, t)
		case *ast.CallExpr:
			yes = yes || CalleeName(n) == "new" && len(n.Args) == 1 && f.isType(n.Args[0], t)
		case *ast.ValueSpec:
			yes = yes || n.Type != nil && f.isType(n.Type, t)
		}
		return !yes
	})
	return yes
}

func (f *File) isType(e ast.Expr, t types.Type) bool {
	of := f.info.TypeOf(e)
	return of != nil && types.Identical(of, t)
}
