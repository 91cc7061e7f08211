package facts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/symbol"
)

// Frame is one function call on a stack.
type Frame struct {
	Function string
	Pkg      string // import path
	Name     string // without the import path: "(*Writer).Write"
	File     string
	Line     int64
	Origin   prof.Origin
}

// Is says whether a frame is of one of the functions, each written as "import/path.name"; a name that ends in * is a
// prefix.
func (f *Frame) Is(functions ...string) bool {
	for _, one := range functions {
		if prefix, ok := strings.CutSuffix(one, "*"); ok {
			if strings.HasPrefix(f.Function, prefix) {
				return true
			}
		} else if plain(f.Function) == one {
			return true
		}
	}
	return false
}

// plain is a function's name without type arguments: slices.SortFunc[...] is slices.SortFunc.
func plain(function string) string {
	if i := strings.IndexByte(function, '['); i > 0 && strings.HasSuffix(function, "]") {
		return function[:i]
	}
	return function
}

// Place is the line of a frame.
func (f *Frame) Place() code.Place {
	return code.Place{Function: f.Function, File: f.File, Line: f.Line}
}

// Stack is one call stack of the CPU or of the allocation profile, the innermost frame first.
type Stack struct {
	Frames []Frame
	// CPU is the part of the program's CPU time, 0 to 1; ticks is how many samples that is.
	CPU   float64
	ticks int64
	// Bytes and Objects are allocated per request.
	Bytes, Objects float64
	// drawn is about how many samples they rest on.
	drawn float64
	// Cost is CPU and the collector's work that the bytes cause, as a part of the program's CPU time.
	Cost float64
}

// Leaf is the innermost frame that is not of the runtime; -1 if all are.
func (s *Stack) Leaf() int {
	return slices.IndexFunc(s.Frames, func(f Frame) bool { return f.Origin != prof.Runtime })
}

// Find is the innermost frame that match takes; -1 for none.
func (s *Stack) Find(match func(*Frame) bool) int {
	for i := range s.Frames {
		if match(&s.Frames[i]) {
			return i
		}
	}
	return -1
}

// Outermost is the outermost frame that match takes, of those inside of frame number end; -1 for none.
func (s *Stack) Outermost(match func(*Frame) bool, end int) int {
	for i := min(end, len(s.Frames)) - 1; i >= 0; i-- {
		if match(&s.Frames[i]) {
			return i
		}
	}
	return -1
}

// Own is the user's frame nearest to frame number i, outwards; len(frames) for none.
func (s *Stack) Own(i int) int {
	for i = max(i, 0); i < len(s.Frames); i++ {
		if s.Frames[i].Origin == prof.Own {
			return i
		}
	}
	return len(s.Frames)
}

// Text names the frames for people: the user's first, and what it calls.
func (s *Stack) Text(from, to int) []string {
	var lines []string
	for i := min(from, len(s.Frames)-1); i >= max(to, 0); i-- {
		f := &s.Frames[i]
		line := f.Function
		if f.Origin == prof.Own || f.Origin == prof.Dependency {
			line = fmt.Sprintf("%s %s:%d", f.Function, symbol.ShortFile(f.File), f.Line)
		}
		lines = append(lines, line)
	}
	const most = 8
	if len(lines) > most {
		lines = append(lines[:most-1:most-1], lines[len(lines)-1])
	}
	return lines
}

// root is the function that the goroutine began with; empty for an empty stack.
func (s *Stack) root() string {
	if len(s.Frames) == 0 {
		return ""
	}
	return s.Frames[len(s.Frames)-1].Function
}

// Short is a function without the directories of its package: "zlib.NewWriter".
func Short(function string) string {
	name := plain(function)
	return name[strings.LastIndexByte(name, '/')+1:]
}
