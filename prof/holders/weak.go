package holders

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/gohone/hone/prof/gotypes"
)

// weak is what goes with the values of package unique. Its table, a hash trie, refers to each value by a weak pointer,
// and the value has a cleanup. When the last unique.Handle of a value is cleared, its entry and its cleanup go, too, and
// so do the nodes above that have no entries any more. So the references are turned round: a value refers to its entry
// and its cleanup, an entry to the node above, and that one to the next.
type weak struct {
	// handles are the objects to which weak pointers refer, with the objects that the words in them address: one that was
	// allocated before Go 1.26 may share its place with another (GOROOT/src/runtime/mheap.go: getOrAddWeakHandle).
	handles map[uint32][2]uint32
	// ties are the references that a dump does not have, in order; tied are the objects that they lead to.
	ties []tie
	tied bits
	// callers and arguments are objects that a cleanup may have.
	callers, arguments []uint32
	// binding are the objects that have ties, nodes those of the trie that are not entries.
	binding, nodes bits
}

// tie says that an object goes when another does.
type tie struct{ from, to uint32 }

const (
	// longestHandle is the size in bytes of the object that a weak pointer refers to: that of tiny allocations.
	longestHandle = 16
	// lastParent is the last offset at which a node of a trie refers to the one above; its children come after it
	// (GOROOT/src/unique/canonmap.go and GOROOT/src/internal/sync/hashtriemap.go: indirect).
	lastParent = 16
	// mostWrapped is how many closures are one in the other around a cleanup: before Go 1.26 the runtime wraps it.
	mostWrapped = 3
)

// noteSmall notes an object without pointers by its first two words: addresses of others make it what a weak pointer
// refers to. A cleanup has two such objects that a dump refers to nowhere: what calls it, and its argument, zero.
func (h *heap) noteSmall(number uint32, words [2]uint64) {
	switch {
	case words == [2]uint64{}:
		h.arguments = append(h.arguments, number)
		return
	case strings.HasPrefix(h.program.FunctionAt(words[0]-h.slide), addCleanup+"["):
		h.callers = append(h.callers, number)
		return
	}
	var to [2]uint32
	for i, v := range words {
		if at, interior, ok := h.pointsTo(v); ok && !interior {
			to[i] = at + 1
		}
	}
	if to == [2]uint32{} {
		return
	}
	if h.handles == nil {
		h.handles = map[uint32][2]uint32{}
	}
	h.handles[number] = to
}

// tieValues finds the entries and the cleanups of values.
func (h *heap) tieValues() {
	if len(h.handles) == 0 {
		return
	}
	var cleaned []uint32 // values that have a cleanup
	for n := range h.start {
		t := h.types.all[h.typ[n]&^certain]
		switch {
		case h.flagged.has(n):
			h.tie(n, 1)
		case t == nil || t.Role != gotypes.Closure:
		case strings.HasPrefix(t.Name, "unique."):
			if h.tie(n, 1) {
				cleaned = append(cleaned, h.ties[len(h.ties)-1].from)
			}
		case strings.HasPrefix(t.Name, addCleanup+"["):
			h.tie(n, mostWrapped)
		}
	}
	referred := h.turnTrie()
	h.tieCleanups(cleaned, h.callers, referred)
	h.tieCleanups(cleaned, h.arguments, referred)
	own := h.types.number(&gotypes.Type{Name: "a record of package unique", Kind: reflect.Struct, Size: h.refs.ptr,
		Role: gotypes.Trie}) // what it refers to belongs to it
	for n := range h.start {
		if h.tied.has(n) {
			h.typ[n] = own
		}
	}
	slices.SortFunc(h.ties, func(a, b tie) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
}

// tieCleanups gives each value one of the objects that its cleanup has: which one, a dump does not say, and they are
// equal.
func (h *heap) tieCleanups(values, objects []uint32, referred bits) {
	for _, n := range objects {
		if len(values) == 0 {
			return
		}
		if !referred.has(n) {
			h.addTie(values[0], n)
			values = values[1:]
		}
	}
}

// tie ties an object to the value of which it has a weak pointer, at most so many references away.
func (h *heap) tie(n uint32, depth int) (found bool) {
	value := uint32(0)
	var find func(uint32, int)
	find = func(n uint32, depth int) {
		h.refs.each(n, func(r ref) {
			word := 0
			if r.interior {
				word = 1
			}
			if of := h.handles[r.to][word]; of != 0 && value == 0 {
				value = of
			} else if depth > 1 && value == 0 {
				find(r.to, depth-1)
			}
		})
	}
	if find(n, depth); value != 0 {
		h.addTie(value-1, n)
	}
	return value != 0
}

func (h *heap) addTie(from, to uint32) {
	h.ties = append(h.ties, tie{from, to})
	h.binding.set(from)
	h.tied.set(to)
}

// turnTrie ties the nodes of tries to the entries that are below them, and returns the objects that others refer to.
func (h *heap) turnTrie() (referred bits) {
	for _, l := range slices.Concat(h.links, h.doubts) {
		referred.set(l.to)
	}
	var up []uint32
	enter := func(n uint32) {
		if !h.nodes.has(n) {
			h.nodes.set(n)
			up = append(up, n)
		}
	}
	for n := range h.start {
		h.refs.each(n, func(r ref) {
			referred.set(r.to)
			if !h.flagged.has(n) && h.flagged.has(r.to) && h.tied.has(r.to) && !r.interior {
				h.addTie(r.to, n)
				enter(n)
			}
		})
	}
	for len(up) > 0 {
		n := up[len(up)-1]
		up = up[:len(up)-1]
		h.refs.each(n, func(r ref) {
			if r.offset <= lastParent && h.refersTo(r.to, n) {
				enter(r.to)
			}
		})
	}
	return referred
}

func (h *heap) refersTo(from, to uint32) (found bool) {
	h.refs.each(from, func(r ref) { found = found || r.to == to })
	return found
}

// tiesOf are the ties of an object.
func (w *weak) tiesOf(n uint32) []tie {
	if !w.binding.has(n) {
		return nil
	}
	i, _ := slices.BinarySearchFunc(w.ties, n, func(t tie, n uint32) int { return cmp.Compare(t.from, n) })
	end := i
	for end < len(w.ties) && w.ties[end].from == n {
		end++
	}
	return w.ties[i:end]
}

// turned says that a reference is one of a trie of weak pointers that counts the other way round: to a child.
func (w *weak) turned(from uint32, r ref) bool { return w.nodes.has(from) && r.offset > lastParent }
