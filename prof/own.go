package prof

import (
	"path"
	"strings"
)

// Code says which code is the user's own.
type Code struct {
	// Module is the path of the main module. Where it is empty, all but the standard
	// library counts as the user's.
	Module string
	// MainPackage is the import path of package main, which profiles call "main".
	MainPackage string
}

// reader reads stacks for Code. It remembers names, and is not concurrent.
type reader struct {
	Code
	own  map[string]bool
	seen map[string]int // the stack on which a function was seen last
	turn int
}

func (c Code) reader() *reader {
	return &reader{Code: c, own: map[string]bool{}, seen: map[string]int{}}
}

// owns says whether a function is of the main module; of any module where that is not known.
func (r *reader) owns(function string) bool {
	own, ok := r.own[function]
	if !ok {
		own = r.Code.owns(function)
		r.own[function] = own
	}
	return own
}

func (c Code) owns(function string) bool {
	if cFunction(function) != "" {
		return false
	}
	if c.Module == "" {
		return isUser(function, "")
	}
	p := PackagePath(function)
	return p == "main" || p == c.Module || strings.HasPrefix(p, c.Module+"/")
}

// distinct calls see with the functions of a stack, each once.
func (r *reader) distinct(stack []frame, see func(frame)) {
	r.turn++
	for _, f := range stack {
		if r.seen[f.function] != r.turn {
			r.seen[f.function] = r.turn
			see(f)
		}
	}
}

// owner returns the index of the frame that a stack, leaf first, belongs to: the nearest
// of the main module; without one the nearest that is not the standard library's; -1 if
// there is none.
func (r *reader) owner(stack []frame) int {
	other := -1
	for i, f := range stack {
		if isStub(f) {
			continue
		}
		if r.owns(f.function) {
			return i
		}
		if other < 0 && isUser(f.function, r.Module) {
			other = i
		}
	}
	return other
}

// site names what the owner of a stack was doing.
func (r *reader) site(stack []frame) Site { return siteOf(stack, r.owner(stack)) }

// path is a source file as people read it: below the main module for its own packages,
// the import path and the name for others. It never tells where the program was built,
// which may be a temporary checkout.
func (c Code) path(s Site) string {
	if s.File == "" {
		return ""
	}
	base := path.Base(strings.ReplaceAll(s.File, `\`, "/"))
	dir := PackagePath(s.Function)
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
	path := PackagePath(function)
	switch {
	case isProbe(function), isProfiler(function), isTracer(function):
		return Observer
	case c.owns(function):
		return Own
	case isUser(function, c.Module):
		return Dependency
	case path == "", path == "runtime", strings.HasPrefix(path, "internal/runtime/"),
		strings.HasPrefix(path, "runtime/internal/"):
		return Runtime
	}
	return Standard
}
