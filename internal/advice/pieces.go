package advice

import (
	"go/ast"
	"strings"

	"github.com/gohone/hone/prof"
)

// pieces narrows match, which finds system calls, to those that one function of the user's makes in several pieces: by
// several lines, or by a line in a loop that stays with one connection. It returns the frame of that function. A server that sends one message to each of many connections makes as many calls, and no buffer helps it.
func (v *View) pieces(match func(*stack) int) func(*stack) int {
	lines := map[string]map[int64]bool{} // by function, those that lead to a call
	for i := range v.stacks {
		s := &v.stacks[i]
		at := match(s)
		if at < 0 {
			continue
		}
		for own := s.own(at); own < len(s.frames); own = s.own(own + 1) {
			f := &s.frames[own]
			if lines[f.function] == nil {
				lines[f.function] = map[int64]bool{}
			}
			lines[f.function][f.line] = true
			if !passesOn(f) {
				break
			}
		}
	}
	return func(s *stack) int {
		at := match(s)
		if at < 0 {
			return -1
		}
		for own := s.own(at); own < len(s.frames); own = s.own(own + 1) {
			f := &s.frames[own]
			if len(lines[f.function]) > 1 || v.source(f.file).repeats(int(f.line)) {
				return own
			}
			if !passesOn(f) {
				break
			}
		}
		return -1
	}
}

// passesOn says whether a function of the user's is an io.Reader or io.Writer around a connection.
func passesOn(f *frame) bool {
	name := f.name[strings.LastIndexByte(f.name, '.')+1:]
	return f.origin == prof.Own && strings.Contains(f.name, ")") && (strings.HasPrefix(name, "Write") || strings.HasPrefix(name, "Read"))
}

// repeats says whether a line in a loop reads or writes again and again with one reader or writer, which the loop does
// not change.
func (f *sourceFile) repeats(line int) bool {
	around := f.loops(line)
	if len(around) == 0 {
		return false
	}
	inner := around[len(around)-1:]
	for _, c := range f.callsAt(line) {
		var stream ast.Expr
		switch name := calleeName(c); {
		case f.packageOf(c) != "" && len(c.Args) > 0: // io.WriteString(w, s), fmt.Fprintf(w, ...)
			stream = c.Args[0]
		case strings.HasPrefix(name, "Write") || strings.HasPrefix(name, "Read"):
			if s, ok := c.Fun.(*ast.SelectorExpr); ok {
				stream = s.X
			}
		}
		if stream != nil && !f.variesWith(stream, inner) && f.bounded(inner[0]) {
			return true
		}
	}
	return false
}

// bounded says whether a loop goes over data: one that serves a connection until it ends makes a round per request.
func (f *sourceFile) bounded(loop ast.Stmt) bool { return f.walked(loop) != nil }
