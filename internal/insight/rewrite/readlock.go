package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
)

// lockForReading makes a sync.Mutex a sync.RWMutex, and takes it for reading where nothing is
// written.
func lockForReading(c *code) error {
	found := collect(c.fn.Body, func(call *ast.CallExpr) bool { return c.mutexOf(call) != nil })
	call, err := pick(c, found, "Lock or Unlock of a sync.Mutex")
	if err != nil {
		return err
	}
	mu := c.mutexOf(call)
	if mu.Exported() && !mu.Embedded() && c.pkg.Name() != "main" {
		return c.refuse(mu.Pos(), "%s is exported: other packages may lock it", mu.Name())
	}
	if err := c.onlyLocked(mu); err != nil {
		return err
	}
	sections, err := c.sectionsOf(mu)
	if err != nil {
		return err
	}
	readers := 0
	for _, s := range sections {
		fault := c.onlyReads(s)
		mine := s.fn == c.fn && s.holds(call)
		if fault != nil && mine {
			return fault
		}
		if fault != nil {
			continue
		}
		readers++
		for _, l := range append(s.unlocks, s.lock) {
			sel := l.Fun.(*ast.SelectorExpr).Sel
			c.replace(sel.Pos(), sel.End(), "R%s", sel.Name)
		}
	}
	if readers == 0 {
		return c.refuse(call.Pos(), "no critical section of %s only reads", mu.Name())
	}
	return c.retype(mu)
}

// mutexOf is the variable or field of type sync.Mutex whose Lock or Unlock is called; nil for
// other calls.
func (c *code) mutexOf(call *ast.CallExpr) *types.Var {
	name := c.calls(call)
	if name != "sync.Mutex.Lock" && name != "sync.Mutex.Unlock" {
		return nil
	}
	on, _, _ := methodCall(call)
	if sel := c.info.Selections[call.Fun.(*ast.SelectorExpr)]; len(sel.Index()) > 1 {
		return c.embeddedAt(sel)
	}
	return c.variableOf(on)
}

// embeddedAt is the embedded field of type sync.Mutex through which a struct has a method, where it
// is a field of the struct itself, of this package.
func (c *code) embeddedAt(sel *types.Selection) *types.Var {
	t := sel.Recv()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || len(sel.Index()) != 2 {
		return nil
	}
	for _, name := range []string{"RLock", "RUnlock", "RWMutex"} { // they would be the struct's own
		if o, _, _ := types.LookupFieldOrMethod(sel.Recv(), true, c.pkg, name); o != nil {
			return nil
		}
	}
	if v := s.Field(sel.Index()[0]); v.Embedded() && v.Type().String() == "sync.Mutex" && v.Pkg() == c.pkg {
		return v.Origin()
	}
	return nil
}

// variableOf is the variable or field that an expression ends in, of type sync.Mutex itself: no
// pointer to one, and no struct that one is embedded in.
func (c *code) variableOf(e ast.Expr) *types.Var {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return nil
	}
	v, ok := c.info.Uses[id].(*types.Var)
	if !ok || v.Type().String() != "sync.Mutex" || v.Pkg() != c.pkg {
		return nil
	}
	return v.Origin()
}

// onlyLocked refuses a mutex that is used for more than Lock and Unlock: its address may be kept
// where it is locked in another way. An embedded mutex may also be locked through its struct by
// others: Lock still keeps all others out.
func (c *code) onlyLocked(mu *types.Var) error {
	for _, s := range c.files {
		for _, id := range collect(s.file, func(*ast.Ident) bool { return true }) {
			if v, ok := c.info.Uses[id].(*types.Var); !ok || v.Origin() != mu {
				continue
			}
			if mu.Embedded() || !c.isLocked(s.file, id) {
				return c.refuse(id.Pos(), "%s is used for more than Lock and Unlock here", mu.Name())
			}
		}
	}
	return nil
}

func (c *code) isLocked(file *ast.File, id *ast.Ident) bool {
	path := way(file, id)
	i := len(path) - 2
	if sel, ok := path[i].(*ast.SelectorExpr); ok && sel.Sel == id {
		i--
	}
	sel, ok := path[i].(*ast.SelectorExpr)
	if !ok || i == 0 {
		return false
	}
	call, ok := path[i-1].(*ast.CallExpr)
	return ok && call.Fun == sel && c.mutexOf(call) != nil
}

// section is the code between a Lock and its Unlocks.
type section struct {
	fn      *ast.FuncDecl
	mu      *types.Var
	body    *ast.BlockStmt
	lock    *ast.CallExpr
	unlocks []*ast.CallExpr
	code    []ast.Stmt
}

func (s *section) holds(call *ast.CallExpr) bool {
	return s.lock == call || slices.Contains(s.unlocks, call)
}

// sectionsOf finds all critical sections of a mutex.
func (c *code) sectionsOf(mu *types.Var) ([]*section, error) {
	var all []*section
	for _, file := range c.files {
		for _, d := range file.file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			found, err := c.sectionsIn(fn, mu)
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
	}
	return all, nil
}

// sectionsIn finds the critical sections of one function. The shapes that are known: Lock and
// defer Unlock behind it; and Lock with Unlocks behind it in the same block, or in blocks that
// end with a return. A function of another shape is refused: which Unlock belongs to which Lock
// has to be certain.
func (c *code) sectionsIn(fn *ast.FuncDecl, mu *types.Var) ([]*section, error) {
	calls := collect(fn.Body, func(call *ast.CallExpr) bool { return c.mutexOf(call) == mu })
	var all []*section
	used := map[*ast.CallExpr]bool{}
	for _, call := range calls {
		if c.callee(call).Name() != "Lock" {
			continue
		}
		s, err := c.sectionFrom(fn, mu, call)
		if err != nil {
			return nil, err
		}
		for _, l := range append(s.unlocks, s.lock) {
			if used[l] {
				return nil, c.refuse(l.Pos(), "which Lock this belongs to is not certain")
			}
			used[l] = true
		}
		all = append(all, s)
	}
	for _, call := range calls {
		if !used[call] {
			return nil, c.refuse(call.Pos(), "which Lock this belongs to is not certain")
		}
	}
	return all, nil
}

func (c *code) sectionFrom(fn *ast.FuncDecl, mu *types.Var, lock *ast.CallExpr) (*section, error) {
	path := way(fn, lock)
	uncertain := c.refuse(lock.Pos(), "where this Lock is released is not certain")
	stmt, ok := path[len(path)-2].(*ast.ExprStmt)
	if !ok {
		return nil, uncertain
	}
	block, ok := path[len(path)-3].(*ast.BlockStmt)
	if !ok {
		return nil, uncertain
	}
	s := &section{fn: fn, mu: mu, lock: lock, body: block}
	on, _, _ := methodCall(lock)
	rest := block.List[slices.Index(block.List, ast.Stmt(stmt))+1:]
	if len(rest) > 0 {
		if d, ok := rest[0].(*ast.DeferStmt); ok && c.unlocksSame(d.Call, mu, on) {
			if c.bodyOfBlock(path) != block { // the rest of the function is locked, too
				return nil, uncertain
			}
			s.unlocks, s.code = []*ast.CallExpr{d.Call}, rest[1:]
			return s, nil
		}
	}
	for i, one := range rest {
		if e, ok := one.(*ast.ExprStmt); ok {
			if call, isCall := e.X.(*ast.CallExpr); isCall && c.unlocksSame(call, mu, on) {
				s.unlocks = append(s.unlocks, call)
				s.code = rest[:i]
				return s, c.earlyUnlocks(s, on, uncertain)
			}
		}
	}
	return nil, uncertain
}

// bodyOfBlock is the body of the innermost function on a path.
func (c *code) bodyOfBlock(path []ast.Node) *ast.BlockStmt {
	var body *ast.BlockStmt
	for _, n := range path {
		switch n := n.(type) {
		case *ast.FuncDecl:
			body = n.Body
		case *ast.FuncLit:
			body = n.Body
		}
	}
	return body
}

func (c *code) unlocksSame(call *ast.CallExpr, mu *types.Var, on ast.Expr) bool {
	other, _, _ := methodCall(call)
	return c.mutexOf(call) == mu && c.callee(call).Name() == "Unlock" && c.text(other) == c.text(on)
}

// earlyUnlocks finds the Unlocks inside of a section: each has to end with a return.
func (c *code) earlyUnlocks(s *section, on ast.Expr, uncertain error) error {
	for _, one := range s.code {
		for _, call := range collect(one, func(call *ast.CallExpr) bool { return c.mutexOf(call) == s.mu }) {
			path := way(one, call)
			if len(path) < 3 || !c.unlocksSame(call, s.mu, on) {
				return uncertain
			}
			list := statements(path[len(path)-3])
			if len(list) == 0 {
				return uncertain
			}
			if _, ends := list[len(list)-1].(*ast.ReturnStmt); !ends {
				return uncertain
			}
			s.unlocks = append(s.unlocks, call)
		}
		for _, r := range collect(one, func(*ast.ReturnStmt) bool { return true }) {
			list := statements(way(one, r)[max(0, len(way(one, r))-2)])
			if !slices.ContainsFunc(list, func(st ast.Stmt) bool {
				e, ok := st.(*ast.ExprStmt)
				if !ok {
					return false
				}
				call, ok := e.X.(*ast.CallExpr)
				return ok && c.unlocksSame(call, s.mu, on)
			}) {
				return uncertain
			}
		}
	}
	return nil
}

// retype changes the declaration of the mutex.
func (c *code) retype(mu *types.Var) error {
	file, id := c.declaredAt(mu)
	if id == nil {
		return c.refuse(mu.Pos(), "the declaration of %s is not in this package", mu.Name())
	}
	path := way(file, id)
	if mu.Embedded() {
		if _, ok := path[len(path)-2].(*ast.SelectorExpr); !ok {
			return c.refuse(id.Pos(), "%s is not embedded as sync.Mutex", mu.Name())
		}
		c.replace(id.Pos(), id.End(), "RWMutex")
		return nil
	}
	var names int
	var typ ast.Expr
	switch p := path[len(path)-2].(type) {
	case *ast.Field:
		names, typ = len(p.Names), p.Type
	case *ast.ValueSpec:
		names, typ = len(p.Names), p.Type
		if len(p.Values) > 0 {
			return c.refuse(p.Pos(), "%s is declared with a value", mu.Name())
		}
	}
	sel, ok := typ.(*ast.SelectorExpr)
	if !ok || names != 1 {
		return c.refuse(id.Pos(), "%s is not declared by itself as a sync.Mutex", mu.Name())
	}
	c.replace(sel.Sel.Pos(), sel.Sel.End(), "RWMutex")
	return nil
}

// declaredAt is where a variable or field is declared; nil if that is not in the package.
func (c *code) declaredAt(v *types.Var) (*ast.File, *ast.Ident) {
	for _, s := range c.files {
		if found := collect(s.file, func(id *ast.Ident) bool { return c.info.Defs[id] == v }); len(found) > 0 {
			return s.file, found[0]
		}
	}
	return nil, nil
}
