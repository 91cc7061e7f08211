package prof

import (
	"path"
	"strings"

	"github.com/gohone/hone/prof/symbol"
)

// Code says which code is the user's own.
type Code struct {
	// Module is the path of the main module. Where it is empty, all but the standard
	// library counts as the user's.
	Module string
	// MainPackage is the import path of package main, which profiles call "main".
	MainPackage string
}

// StackReader reads stacks for Code. It remembers names, and is not concurrent.
type StackReader struct {
	Code
	own  map[string]bool
	seen map[string]int // the stack on which a function was seen last
	turn int
}

func (c Code) Reader() *StackReader {
	return &StackReader{Code: c, own: map[string]bool{}, seen: map[string]int{}}
}

// Owns says whether a function is of the main module; of any module where that is not known.
func (r *StackReader) Owns(function string) bool {
	own, ok := r.own[function]
	if !ok {
		own = r.Code.owns(function)
		r.own[function] = own
	}
	return own
}

func (c Code) owns(function string) bool {
	if symbol.CFunction(function) != "" {
		return false
	}
	if c.Module == "" {
		return symbol.IsUser(function, "")
	}
	p := symbol.PackagePath(function)
	return p == "main" || p == c.Module || strings.HasPrefix(p, c.Module+"/")
}

// Distinct calls see with the functions of a stack, each once.
func (r *StackReader) Distinct(stack []symbol.Frame, see func(symbol.Frame)) {
	r.turn++
	for _, f := range stack {
		if r.seen[f.Function] != r.turn {
			r.seen[f.Function] = r.turn
			see(f)
		}
	}
}

// owner returns the index of the frame that a stack, leaf first, belongs to: the nearest
// of the main module; without one the nearest that is not the standard library's; -1 if
// there is none.
func (r *StackReader) owner(stack []symbol.Frame) int {
	other := -1
	for i, f := range stack {
		if symbol.IsStub(f) {
			continue
		}
		if r.Owns(f.Function) {
			return i
		}
		if other < 0 && symbol.IsUser(f.Function, r.Module) {
			other = i
		}
	}
	return other
}

// Site names what the owner of a stack was doing.
func (r *StackReader) Site(stack []symbol.Frame) Site { return siteOf(stack, r.owner(stack)) }

// Path is a source file as people read it: below the main module for its own packages,
// the import path and the name for others. It never tells where the program was built,
// which may be a temporary checkout.
func (c Code) Path(s Site) string {
	if s.File == "" {
		return ""
	}
	base := path.Base(strings.ReplaceAll(s.File, `\`, "/"))
	dir := symbol.PackagePath(s.Function)
	if dir == "main" {
		dir = c.MainPackage
		if dir != c.Module && !strings.HasPrefix(dir, c.Module+"/") {
			return base
		}
	}
	if c.Module != "" {
		if dir == c.Module {
			return base
		}
		dir = strings.TrimPrefix(dir, c.Module+"/")
	}
	return path.Join(dir, base)
}

// Origin is whose code a function is.
type Origin int

// The origins.
const (
	// Runtime is the Go runtime, assembly helpers, C and what has no symbol.
	Runtime Origin = iota
	// Standard is the rest of the standard library.
	Standard
	// Dependency is a module that the program uses.
	Dependency
	// Own is the user's module, or package main.
	Own
	// Observer is hone's probe, the profiler or the tracer.
	Observer
)

// Origin says whose code a function of a profile is.
func (c Code) Origin(function string) Origin {
	path := symbol.PackagePath(function)
	switch {
	case symbol.IsProbe(function), symbol.IsProfiler(function), symbol.IsTracer(function):
		return Observer
	case c.owns(function):
		return Own
	case symbol.IsUser(function, c.Module):
		return Dependency
	case path == "", path == "runtime", strings.HasPrefix(path, "internal/runtime/"),
		strings.HasPrefix(path, "runtime/internal/"):
		return Runtime
	}
	return Standard
}
