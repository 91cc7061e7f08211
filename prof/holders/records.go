package holders

import (
	"reflect"
	"slices"

	"github.com/gohone/hone/prof/gotypes"
)

// ownRecords are objects of the runtime that tables of the runtime have, too: the g of a goroutine, the sudogs by which
// it waits, and timers. Those tables hold nothing that the program could clear.
//
//   - A g stays when its goroutine has ended: the runtime keeps it for the next one. What it refers to goes.
//   - A sudog goes with its goroutine.
//   - A timer that runs holds its function. One with a channel (Go 1.23 and later) is in the table only while a
//     goroutine waits for it, and goes with that; so does that of a goroutine that sleeps.
type ownRecords struct {
	g, sudogs, timers bits
	// running are the tables of timers, and what has them.
	running bits
	gType   uint32
	// goroutines are the nodes of goroutines, by their g.
	goroutines map[uint32]uint32
}

// Bounds of the size of a sudog in words: 11 in Go 1.21, 14 in Go 1.26 (GOROOT/src/runtime/runtime2.go).
const leastSudog, mostSudog = 10, 16

// keptRecords names the records of goroutines.
const keptRecords = "records of goroutines, which the runtime keeps for later ones"

// connectG gives a goroutine what its g refers to. The g itself belongs to the runtime.
func (h *heap) connectG(goroutine uint32, address uint64) {
	g, _, ok := h.pointsTo(address)
	if !ok || h.g.has(g) {
		return
	}
	h.g.set(g)
	if h.goroutines == nil {
		h.goroutines = map[uint32]uint32{}
	}
	h.goroutines[g] = goroutine
	h.link(h.named(label{kind: other, part: keptRecords}), g, step{typ: h.gType}, false)
	h.each(g, func(r ref) {
		s := step{dynamic: true}
		if h.gType != 0 {
			s = h.types.follow(h.gType, r.offset, r.nextZero)
		}
		if !ofOthers(h.types.all[s.typ]) {
			h.link(goroutine, r.to, step{typ: s.typ, dynamic: s.dynamic}, r.interior)
		}
	})
}

// ofOthers says that a record does not belong to the goroutine that refers to it: a thread, which all share, and
// deferred calls, which belong to frames.
func ofOthers(t *gotypes.Type) bool {
	return t != nil && (t.Name == "runtime.m" || t.Name == "runtime.mPadded" || t.Name == "runtime._defer")
}

// connectSudogs gives each goroutine the sudogs by which it waits: small objects that begin with the address of its g.
func (h *heap) connectSudogs() {
	s := step{}
	if waiting := h.types.all[h.gType].Named("waiting"); waiting != nil && waiting.Type != nil {
		s.typ = h.types.one(waiting.Type.Elem)
	}
	for _, r := range h.space.runs {
		if r.size < leastSudog*h.refs.ptr || r.size > mostSudog*h.refs.ptr {
			continue
		}
		for i := range r.slots {
			if first, ok := h.refs.firstOf(r.first + i); ok && first.offset == 0 && h.g.has(first.to) {
				h.sudogs.set(r.first + i)
				h.link(h.goroutines[first.to], r.first+i, s, false)
			}
		}
	}
}

// dropRecords drops what frames of the runtime refer to: the record of their goroutine.
func (h *heap) dropRecords() {
	kept := h.named(label{kind: other, part: keptRecords})
	h.links = slices.DeleteFunc(h.links, func(l link) bool { return h.g.has(l.to) && l.from != kept })
}

// connectTimers makes roots of the timers that run, one for each function that they call.
func (h *heap) connectTimers() {
	ptr := h.refs.ptr
	table, timer, ok := h.timerTypes()
	if !ok {
		return
	}
	arg := timer.Named("arg").Offset + ptr
	h.types.timer = timer
	c := gotypes.Field{Type: &gotypes.Type{Kind: reflect.UnsafePointer, Size: ptr}}
	whole := h.types.one(&gotypes.Type{Name: "time.Timer", Kind: reflect.Struct, Size: 2 * ptr,
		Fields: []gotypes.Field{c}})
	for _, p := range h.processors() {
		h.running.set(p)
		h.each(p, func(r ref) {
			if r.offset != table {
				return
			}
			h.running.set(r.to)
			h.refs.each(r.to, func(t ref) {
				if t.interior { // in a time.Timer, after the channel and a bool
					h.connectTimer(t, 2*ptr+arg, whole)
				} else {
					h.connectTimer(t, arg, h.types.number(timer))
				}
			})
		})
	}
}

// timerType is the type of what the roots of timers refer to.
const timerType = "*time.Timer"

// connectTimer links a timer with the root of its function, if it is not that of a goroutine. Its argument is at an
// offset.
func (h *heap) connectTimer(t ref, arg uint64, typ uint32) {
	if h.timers.has(t.to) {
		return
	}
	h.timers.set(t.to)
	l := label{kind: timer, part: "time.AfterFunc"}
	owned := false // by a goroutine
	h.each(t.to, func(r ref) {
		if r.offset != arg || owned {
			return
		}
		of := h.types.all[h.typ[r.to]&^certain]
		switch {
		case h.g.has(r.to):
			owned = true
		case of == nil:
		case of.Role == gotypes.Channel:
			l.part = "time.NewTicker, NewTimer or After"
			h.refs.each(r.to, func(back ref) { owned = owned || back.to == t.to })
		case of.Role == gotypes.Closure:
			l.owner = of.Name
		}
	})
	if !owned {
		one := label{kind: element, part: "[]", typ: timerType}
		h.link(h.named(l), t.to, step{label: h.labels.number(one), typ: typ}, false)
	}
}

// timerTypes is where in runtime.p the table of timers is, and the type runtime.timer; ok is false if the program does
// not say it.
func (h *heap) timerTypes() (table uint64, timer *gotypes.Type, ok bool) {
	if h.program == nil {
		return 0, nil, false
	}
	of := h.program.Named("runtime.p").Named("timers")
	if of == nil || of.Type == nil {
		return 0, nil, false
	}
	table = of.Offset
	all := of.Type // []*timer before Go 1.23
	if heap := all.Named("heap"); heap != nil && heap.Type != nil {
		table += heap.Offset
		all = heap.Type
	}
	timer = all.Elem
	if when := timer.Named("timer"); when != nil && when.Type != nil {
		timer = when.Type
	}
	if timer != nil && timer.Kind == reflect.Pointer {
		timer = timer.Elem
	}
	return table, timer, timer.Named("arg") != nil
}

// processors are the objects of type runtime.p.
func (h *heap) processors() (all []uint32) {
	for i, g := range h.program.Globals {
		if g.Name != "runtime.allp" {
			continue
		}
		for _, l := range h.links {
			if l.from == h.start+1+uint32(i) {
				h.refs.each(l.to, func(r ref) { all = append(all, r.to) })
			}
		}
	}
	return all
}

// passesOver says that a reference of the runtime does not count: to a record that belongs to a goroutine, between a
// table and its timers, and one that is turned round.
func (w *walk) passesOver(from uint32, r ref) bool {
	to := r.to
	return w.turned(from, r) || w.g.has(to) || w.g.has(from) || w.sudogs.has(to) ||
		w.timers.has(to) && w.running.has(from) || w.timers.has(from) && w.running.has(to)
}
