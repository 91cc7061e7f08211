package holders

import "github.com/gohone/hone/prof/gotypes"

// label names a reference: a variable, a field, the elements of a slice.
type label struct {
	kind kind
	// owner is the type or the function that has it, part what of it: "sessions", "[value]". Of roots the part is the
	// whole name.
	owner, part string
	// typ is the name of its type, with import paths; empty if it is not known.
	typ string
	// container says of what it has several.
	container container
	// file and line are where it is declared, of a frame where it goes on, of a goroutine where it was started, of a timer
	// where its function begins.
	file string
	line int
}

type kind uint8

const (
	// self is not a step: what a variable or a field refers to belongs to it, as do the tables of a map.
	self kind = iota
	global
	goroutine
	frame
	local
	field
	element
	closure
	// timer is what the timers hold that call one function, which is the owner.
	timer
	// cleanup is what the cleanups or the finalizers hold that call one function, which is the owner.
	cleanup
	// shared are several roots which hold the same.
	shared
	other
)

type container uint8

const (
	single container = iota
	aSlice
	aMap
	aChannel
)

// String is how a profile names the step.
func (l label) String() string {
	name := l.part
	if l.kind == goroutine {
		return "goroutine of " + name
	}
	if (l.kind == timer || l.kind == cleanup) && l.owner != "" {
		return name + "(" + l.owner + ")"
	}
	if l.owner != "" {
		name = gotypes.Short(l.owner) + "." + name
	}
	if l.typ == "" {
		return name
	}
	return name + " " + gotypes.Short(l.typ)
}
