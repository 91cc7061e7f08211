package holders

import (
	"reflect"
	"strings"

	"github.com/gohone/hone/prof/gotypes"
	"github.com/gohone/hone/prof/heapdump"
)

// guesser finds types by contents: an interface has the address of a type before its pointer, a closure begins with
// that of its code, and some objects have a header with their type.
type guesser struct {
	h         *heap
	headers   bool              // Go 1.22 and later
	byAddress map[uint64]uint32 // types by the addresses that have been seen
}

func newGuesser(h *heap) guesser {
	return guesser{h: h, headers: headersOf(h.layout.Version), byAddress: map[uint64]uint32{}}
}

// headersOf says whether a version of Go writes headers before objects (GOEXPERIMENT=allocheaders, on since Go 1.22).
func headersOf(version string) bool {
	for _, old := range []string{"go1.21", "go1.20", "go1.19", "go1.18"} {
		if strings.HasPrefix(version, old) {
			return false
		}
	}
	return true
}

// runtimeType is the type that the runtime describes at an address; nil if there is none.
func (g *guesser) runtimeType(address uint64) *gotypes.Type {
	if g.h.program == nil {
		return nil
	}
	return g.h.program.Runtime(address - g.h.slide)
}

// guessSelf guesses the type of an object whose first pointer is at an offset: by its header, or its code.
func (g *guesser) guessSelf(s *heapdump.Scanner, number uint32, size, first uint64) {
	if first == 0 || g.h.program == nil {
		return
	}
	head := s.Word(0)
	if g.h.phase(size) > 0 {
		if t := g.runtimeType(head); t != nil {
			if n := g.h.types.number(t); n > 0 {
				g.h.typ[number] = n | certain
			}
			return
		}
	}
	if at := head - g.h.slide; g.h.program.IsFunction(at) && g.h.typ[number] == 0 {
		g.h.typ[number] = g.h.types.number(g.h.program.Closure(at))
	}
}

// guessTarget guesses the type of the object that the pointer at an offset refers to, if that is a part of an
// interface.
func (g *guesser) guessTarget(s *heapdump.Scanner, at uint64, to uint32) {
	ptr := g.h.refs.ptr
	if at < ptr {
		return
	}
	before := s.Word(at - ptr)
	if before == 0 || g.h.typ[to]&certain != 0 {
		return
	}
	n, ok := g.byAddress[before]
	if !ok {
		if n = g.boxed(before); n > 0 {
			g.byAddress[before] = n
		}
	}
	if n == 0 {
		return
	}
	if at >= 2*ptr && g.isType(s.Word(at-2*ptr)) {
		return // a reflect.Type is an interface that refers to a type
	}
	if old := g.h.types.all[g.h.typ[to]]; old == nil || old.Size < g.h.types.all[n].Size {
		g.h.typ[to] = n
	}
}

func (g *guesser) isType(word uint64) bool {
	_, isItab := g.h.itabs[word]
	return isItab || g.runtimeType(word) != nil
}

// boxed is the number of the type of what an interface refers to whose first word is an address of a type or an itab.
func (g *guesser) boxed(word uint64) uint32 {
	t := g.runtimeType(word)
	if t == nil {
		of, ok := g.h.itabs[word]
		if !ok {
			return 0
		}
		t = g.runtimeType(of)
	}
	for t != nil { // a value of one pointer is not boxed
		switch {
		case t.Kind == reflect.Pointer:
			return g.h.types.one(t.Elem)
		case t.Kind == reflect.Map || t.Kind == reflect.Chan:
			return g.h.types.number(t.Header)
		case t.Kind == reflect.Func || t.Kind == reflect.UnsafePointer:
			return 0
		case t.Kind == reflect.Struct && len(t.Fields) == 1 && t.Size == g.h.refs.ptr && t.Fields[0].Type != nil &&
			t.Fields[0].Type.Size == t.Size && hasPointer(t.Fields[0].Type):
			t = t.Fields[0].Type
		default:
			return g.h.types.one(t)
		}
	}
	return 0
}

// hasPointer says whether a value of the size of a pointer is one.
func hasPointer(t *gotypes.Type) bool {
	switch t.Kind {
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return true
	case reflect.Struct:
		return len(t.Fields) == 1 && t.Fields[0].Type != nil && hasPointer(t.Fields[0].Type)
	}
	return false
}
