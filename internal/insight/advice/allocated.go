package advice

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/symbol"
)

// The profile of allocations leaves out the runtime's own frames, which say by what an allocation was made: append, a
// map, a conversion. named puts them back, so that one match takes the stacks of both profiles: by what the source says
// of the line, and where a line allocates in several ways by what the CPU profile shows there most.
func (v *View) named(s *stack, seen map[lineKey]map[string]float64) {
	made := []frame{{function: "runtime.mallocgc", pkg: "runtime", name: "mallocgc"}}
	if len(s.frames) > 0 && s.frames[0].origin == prof.Own {
		f := &s.frames[0]
		ways := v.source(f.file).allocations(int(f.line))
		way := ""
		if len(ways) == 1 {
			way = ways[0]
		} else if by := seen[lineKey{f.function, f.line}]; len(by) > 0 {
			way = heaviest(by)
		} else if len(ways) > 1 {
			way = ways[0]
		}
		if way != "" {
			made = append(made, frame{function: way, pkg: symbol.PackagePath(way),
				name: strings.TrimPrefix(strings.TrimPrefix(way, symbol.PackagePath(way)), ".")})
		}
	}
	s.frames = append(made, s.frames...)
}

// lineKey is a line of a function.
type lineKey struct {
	function string
	line     int64
}

// allocatingWays are, for each of the user's lines, the runtime's functions by which the CPU profile sees it allocate.
func (v *View) allocatingWays() map[lineKey]map[string]float64 {
	all := map[lineKey]map[string]float64{}
	for i := range v.stacks {
		s := &v.stacks[i]
		own := s.own(0)
		if s.cpu == 0 || own == 0 || own == len(s.frames) || s.find(allocates) < 0 {
			continue
		}
		way := &s.frames[own-1]
		if way.origin != prof.Runtime {
			continue
		}
		k := lineKey{s.frames[own].function, s.frames[own].line}
		if all[k] == nil {
			all[k] = map[string]float64{}
		}
		name := way.function
		if strings.HasPrefix(name, "runtime.mapassign") || way.pkg == "internal/runtime/maps" {
			name = wayMap
		}
		all[k][name] += s.cpu
	}
	return all
}

// The ways to allocate, by the runtime's function for each.
const (
	wayMap     = "internal/runtime/maps.(*table).grow"
	wayAppend  = "runtime.growslice"
	wayJoin    = "runtime.concatstrings"
	wayString  = "runtime.slicebytetostring"
	wayBytes   = "runtime.stringtoslicebyte"
	wayMake    = "runtime.makeslice"
	wayObject  = "runtime.newobject"
	wayMakeMap = "runtime.makemap"
)

// allocations are the ways in which a line may allocate, those that tell most first.
func (f *sourceFile) allocations(line int) []string {
	found := map[string]bool{}
	f.inspect(line, func(n ast.Node) bool {
		if n == nil || !f.spans(n, line) {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			if f.line(n.Pos()) == line || f.line(n.Rparen) == line {
				f.callAllocates(n, found)
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if x, ok := e.(*ast.IndexExpr); ok && f.isMap(x.X) {
					found[wayMap] = true
				}
			}
			if n.Tok == token.ADD_ASSIGN && f.isString(n.Lhs[0]) {
				found[wayJoin] = true
			}
		case *ast.IncDecStmt:
			if x, ok := n.X.(*ast.IndexExpr); ok && f.isMap(x.X) {
				found[wayMap] = true
			}
		case *ast.BinaryExpr:
			if n.Op == token.ADD && (f.isString(n.X) || f.isString(n.Y)) {
				found[wayJoin] = true
			}
		case *ast.CompositeLit:
			if f.line(n.Pos()) == line {
				if f.isMap(n) {
					found[wayMakeMap] = true
				} else {
					found[wayObject] = true
				}
			}
		case *ast.FuncLit:
			if f.line(n.Pos()) == line {
				found[wayObject] = true
			}
			return f.line(n.Body.Lbrace) < line
		}
		return true
	})
	var ways []string
	for _, w := range []string{wayMap, wayMakeMap, wayAppend, wayJoin, wayString, wayBytes, wayMake, wayObject} {
		if found[w] {
			ways = append(ways, w)
		}
	}
	return ways
}

func (f *sourceFile) callAllocates(c *ast.CallExpr, found map[string]bool) {
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		switch fun.Name {
		case "append":
			found[wayAppend] = true
		case "new":
			found[wayObject] = true
		case "string":
			found[wayString] = true
		case "make":
			switch {
			case f.isMap(c):
				found[wayMakeMap] = true
			default:
				found[wayMake] = true
			}
		}
	case *ast.ArrayType:
		if id, ok := fun.Elt.(*ast.Ident); ok && (id.Name == "byte" || id.Name == "rune") {
			found[wayBytes] = true
		}
	}
}

func (f *sourceFile) isMap(e ast.Expr) bool {
	t := f.info.TypeOf(e)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

func (f *sourceFile) isString(e ast.Expr) bool {
	t := f.info.TypeOf(e)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// makesSized says whether a line makes a map with the number of its entries.
func (f *sourceFile) makesSized(line int) bool {
	return slices.ContainsFunc(f.callsAt(line), func(c *ast.CallExpr) bool {
		return calleeName(c) == "make" && len(c.Args) > 1 && f.isMap(c)
	})
}

// makesOther says whether a line makes values that are not bytes: a slice of another type, a map, a struct.
func (f *sourceFile) makesOther(line int) bool {
	ways := f.allocations(line)
	for _, c := range f.callsAt(line) {
		if calleeName(c) != "make" || len(c.Args) == 0 {
			continue
		}
		if t, ok := c.Args[0].(*ast.ArrayType); ok {
			if id, ok := t.Elt.(*ast.Ident); ok && id.Name == "byte" {
				return false
			}
		}
		return true
	}
	return len(ways) > 0 && !slices.Contains(ways, wayMake)
}
