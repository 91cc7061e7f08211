package holders

import (
	"reflect"
	"strings"

	"github.com/gohone/hone/prof/gotypes"
)

// types numbers the types of objects; 0 is unknown. An array has the number of its elements: objects repeat their type.
type types struct {
	all []*gotypes.Type
	// those of which an object has one, and which have no parts: what it refers to belongs to what refers to it
	cells  bits
	known  map[content]uint32
	steps  map[place]step
	slices map[*gotypes.Type]*gotypes.Type // by their elements
	wholes map[*gotypes.Type]*gotypes.Type
	labels *index[label]
	ptr    uint64
	timer  *gotypes.Type // runtime.timer; nil if it is not known
}

// content is what an object has.
type content struct {
	*gotypes.Type
	cell bool
}

// index numbers what is comparable, from 0 on.
type index[T comparable] struct {
	all   []T
	known map[T]uint32
}

func (x *index[T]) number(v T) uint32 {
	n, ok := x.known[v]
	if !ok {
		if x.known == nil {
			x.known = map[T]uint32{}
		}
		n = uint32(len(x.all))
		x.all = append(x.all, v)
		x.known[v] = n
	}
	return n
}

// place is an offset of a type.
type place struct {
	typ      uint32
	offset   uint64
	nextZero bool
}

// step is what a pointer at a place says: how the reference is named, and the type to which it points.
type step struct {
	label uint32
	typ   uint32
	// many says that there may be several of the type, one after the other.
	many bool
	// dynamic says that it is an interface, a function or unsafe: the object says better what it is.
	dynamic bool
	// typed is the type of the field itself, and points says that it has a pointer there.
	typed  *gotypes.Type
	points bool
}

func newTypes(ls *index[label], ptr uint64) *types {
	return &types{all: []*gotypes.Type{nil}, known: map[content]uint32{{}: 0}, steps: map[place]step{},
		slices: map[*gotypes.Type]*gotypes.Type{}, wholes: map[*gotypes.Type]*gotypes.Type{}, labels: ls, ptr: ptr}
}

func (ts *types) number(t *gotypes.Type) uint32 { return ts.numberOf(content{Type: t}) }

// one is the number of a type of which an object has one.
func (ts *types) one(t *gotypes.Type) uint32 {
	t = ts.whole(t)
	return ts.numberOf(content{t, t != nil && t.Kind != reflect.Struct && t.Kind != reflect.Array})
}

// whole is a type as the runtime allocates it: a timer goes on behind what a time.Timer or a time.Ticker shows of it
// (GOROOT/src/runtime/time.go: timeTimer).
func (ts *types) whole(t *gotypes.Type) *gotypes.Type {
	if t == nil || ts.timer == nil || t.Size != 2*ts.ptr || len(t.Fields) == 0 ||
		t.Name != "time.Timer" && t.Name != "time.Ticker" {
		return t
	}
	all, ok := ts.wholes[t]
	if !ok {
		all = &gotypes.Type{Name: t.Name, Kind: reflect.Struct, Size: t.Size + ts.timer.Size,
			Fields: []gotypes.Field{t.Fields[0], {Offset: t.Size, Type: ts.timer}}}
		ts.wholes[t] = all
	}
	return all
}

func (ts *types) numberOf(c content) uint32 {
	t := c.Type
	for t != nil && t.Kind == reflect.Array && t.Elem != nil {
		t = t.Elem
	}
	if t == nil || t.Size == 0 {
		return 0
	}
	c.Type = t
	n, ok := ts.known[c]
	if !ok {
		n = uint32(len(ts.all))
		ts.all = append(ts.all, t)
		ts.known[c] = n
		if c.cell {
			ts.cells.set(n)
		}
	}
	return n
}

// follow says what a pointer at an offset of an object of a type is.
func (ts *types) follow(typ uint32, offset uint64, nextZero bool) step {
	t := ts.all[typ]
	if t == nil {
		return step{label: ts.labels.number(label{kind: other, part: "unknown"}), dynamic: true}
	}
	offset %= t.Size
	at := place{typ, offset, nextZero && t.Role == gotypes.SwissMap}
	s, ok := ts.steps[at]
	if !ok {
		s = ts.read(t, offset, nextZero)
		if ts.cells.has(typ) {
			s.label = 0
		}
		ts.steps[at] = s
	}
	return s
}

// read is follow for the first time.
func (ts *types) read(t *gotypes.Type, offset uint64, nextZero bool) step {
	slot := t.At(offset)
	s := ts.target(slot)
	s.many = s.many || t.Role != gotypes.Plain && t.Role != gotypes.Closure
	switch t.Role {
	case gotypes.SwissMap:
		if table := t.Elem; table != nil && slot.Path == "dirPtr" {
			s.typ = ts.number(&gotypes.Type{Name: "*" + table.Name, Kind: reflect.Pointer, Size: ts.ptr, Elem: table,
				Role: gotypes.Table})
			s.many = true
			if nextZero { // a small map has one group
				s.typ = ts.number(table.Elem)
			}
		}
		return s
	case gotypes.Table, gotypes.HashMap:
		return s
	case gotypes.Channel:
		if slot.Path == "buf" {
			s.typ = ts.number(t.Elem)
		}
		return s
	case gotypes.Entries, gotypes.TrieEntry:
		s.label = ts.entry(slot)
		return s
	case gotypes.Trie:
		return s
	}
	if !ofRecord(t) && (slot.In == nil || slot.Path != "" || t.Role == gotypes.Handle) {
		s.label = ts.labels.number(ts.named(t, slot))
	}
	return s
}

// ofRecord says that what a record of the runtime refers to belongs to who has the record.
func ofRecord(t *gotypes.Type) bool {
	return t.Name == "runtime.sudog" || t.Name == "time.Timer" || t.Name == "time.Ticker" || t.Name == "runtime.timer"
}

// target says to what a slot points.
func (ts *types) target(slot gotypes.Slot) step {
	t := slot.Type
	if t == nil {
		return step{dynamic: true}
	}
	s := step{typed: t, points: slot.Offset == 0}
	switch t.Kind {
	case reflect.Pointer:
		s.typ, s.many = ts.one(t.Elem), t.Elem != nil && t.Elem.Kind == reflect.Array
		s.dynamic = s.typ == 0
	case reflect.Slice:
		s.typ, s.many = ts.number(t.Elem), true
	case reflect.Map, reflect.Chan:
		s.typ = ts.number(t.Header)
	case reflect.String:
	case reflect.Interface:
		s.dynamic, s.points = true, slot.Offset == ts.ptr
	case reflect.Func, reflect.UnsafePointer:
		s.dynamic = true
	default: // a number
		s.dynamic, s.points = true, false
	}
	return s
}

// named is the label of a field or an element.
func (ts *types) named(t *gotypes.Type, slot gotypes.Slot) label {
	l := label{kind: field, owner: t.Name, part: slot.Path}
	switch {
	case t.Role == gotypes.Closure:
		l.kind = closure
	case slot.Path == "" || t.Kind != reflect.Struct:
		l.kind, l.owner, l.part = element, "", "[]"+slot.Path
	}
	return typed(l, slot.Shown())
}

// typed adds to a label what is known of its type.
func typed(l label, t *gotypes.Type) label {
	if t == nil {
		return l
	}
	l.typ = t.Name
	switch t.Kind {
	case reflect.Slice:
		l.container = aSlice
	case reflect.Map:
		l.container = aMap
	case reflect.Chan:
		l.container = aChannel
	}
	return l
}

// entry is the label of a key or a value of a map; what the map has besides belongs to itself.
func (ts *types) entry(slot gotypes.Slot) uint32 {
	head, rest, _ := strings.Cut(slot.Path, "[]")
	if inSlot, ok := strings.CutPrefix(rest, "."); ok && head == "slots" { // slots[].key, slots[].elem.name
		end := len(inSlot)
		if i := strings.IndexAny(inSlot, ".["); i >= 0 {
			end = i
		}
		head, rest = inSlot[:end], inSlot[end:]
	}
	l := label{kind: element}
	switch head {
	case "key", "keys":
		l.part = "[key]" + rest
	case "elem", "elems", "value", "values":
		l.part = "[value]" + rest
	default:
		return 0
	}
	return ts.labels.number(typed(l, slot.Shown()))
}

// sliceOf is the type of slices of a type.
func (ts *types) sliceOf(elem *gotypes.Type) *gotypes.Type {
	t, ok := ts.slices[elem]
	if !ok {
		t = &gotypes.Type{Name: "[]" + elem.Name, Kind: reflect.Slice, Size: 3 * ts.ptr, Elem: elem}
		ts.slices[elem] = t
	}
	return t
}

// of names the type that an object has behind an interface.
func (ts *types) of(s step, typ uint32) uint32 {
	t := ts.all[typ]
	if s.typed == nil || s.typed.Kind != reflect.Interface || t == nil {
		return s.label
	}
	l := ts.labels.all[s.label]
	if l.kind == self {
		return s.label
	}
	l.typ += "(" + t.Name + ")"
	return ts.labels.number(l)
}
