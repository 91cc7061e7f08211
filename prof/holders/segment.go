package holders

import (
	"cmp"
	"reflect"
	"strings"

	"github.com/gohone/hone/prof/gotypes"
	"github.com/gohone/hone/prof/heapdump"
)

// findValues notes where variables refer to values that the compiler placed among them: var cache = &Cache{}.
func (h *heap) findValues(s *heapdump.Scanner) {
	if h.program == nil {
		return
	}
	for at, ok := s.Pointer(); ok; at, ok = s.Pointer() {
		if v := s.Word(at); h.program.HasValue(v - h.slide) {
			h.values = append(h.values, v-h.slide)
		}
	}
}

func (h *heap) addGlobals() {
	if h.program == nil {
		return
	}
	for _, g := range h.program.Globals {
		l := label{kind: global, part: cmp.Or(g.Name, "a value that the compiler placed")}
		if g.Type != nil {
			l = typed(l, g.Type)
		}
		compiled := g.Name == "" || strings.Contains(g.Name, "..")
		h.addOutside(outside{label: h.labels.number(l), root: !compiled, compiled: compiled})
	}
}

// global is the node of the variable at an address, and the place of the address in it.
func (h *heap) global(address uint64) (node uint32, offset uint64, ok bool) {
	if h.program == nil {
		return 0, 0, false
	}
	i := h.program.Global(address - h.slide)
	if i < 0 {
		return 0, 0, false
	}
	return h.start + 1 + uint32(i), address - h.slide - h.program.Globals[i].Address, true
}

// connectSegment reads the pointers of the program's variables.
func (h *heap) connectSegment(s *heapdump.Scanner, rec *heapdump.Entry) {
	for at, ok := s.Pointer(); ok; at, ok = s.Pointer() {
		v := s.Word(at)
		if v == 0 {
			continue
		}
		from, offset, known := h.global(rec.Address + at)
		to, interior, ok := h.pointsTo(v)
		if !ok {
			var inside uint64
			if to, inside, ok = h.global(v); !ok || !h.outer[to-h.start].compiled {
				continue
			}
			interior = inside != 0
		} else if !interior {
			h.guessTarget(s, at, to)
		}
		switch {
		case !known:
			h.link(h.named(label{kind: global, part: "a variable without a name"}), to, step{dynamic: true}, interior)
		case h.outer[from-h.start].compiled:
			h.links = append(h.links, link{from, to, uint32(offset), interior})
		default:
			st := h.stepOf(h.program.Globals[from-h.start-1], offset)
			h.link(from, to, st, interior)
			h.noteLength(st, to, s.Word(at+h.refs.ptr))
		}
	}
}

// noteLength keeps the length of a slice, the word after its pointer. In a frame that may be something else, which is
// seen if the object has no room for so many elements.
func (h *heap) noteLength(s step, to uint32, length uint64) {
	if to >= h.start || s.typed == nil || s.typed.Kind != reflect.Slice || s.typed.Elem == nil {
		return
	}
	if length <= h.space.size(to)/max(s.typed.Elem.Size, 1) {
		h.lengths[to] = length
	}
}

// stepOf says what a variable refers to at an offset.
func (h *heap) stepOf(g gotypes.Global, offset uint64) step {
	if g.Type == nil {
		return step{dynamic: true}
	}
	slot := g.Type.At(offset)
	s := h.types.target(slot)
	if slot.Path != "" {
		s.label = h.labels.number(typed(label{kind: field, owner: g.Name, part: slot.Path}, slot.Shown()))
	}
	return s
}

// named is the root of a name that no variable has.
func (h *heap) named(l label) uint32 {
	n := h.labels.number(l)
	node, ok := h.others[n]
	if !ok {
		node = h.addOutside(outside{label: n, root: true})
		h.others[n] = node
	}
	return node
}

func (h *heap) linkRoot(l label, address uint64) {
	if to, interior, ok := h.pointsTo(address); ok {
		h.link(h.named(l), to, step{dynamic: true}, interior)
	}
}
