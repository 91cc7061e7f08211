package holders

import (
	"cmp"
	"slices"

	"github.com/gohone/hone/prof/dominator"
	"github.com/gohone/hone/prof/gotypes"
)

var _ dominator.Graph = (*walk)(nil)

// walk goes through the heap from its roots, by breadth, so that each object gets the type and the name of the shortest
// way to it. Where an object has a reference to another that it dominates, that is a shortest one.
type walk struct {
	*heap
	// name is the label of each node plus 1; 0 if it is not reached.
	name []uint32
	// again are the nodes that were reached more than once.
	again bits
	// of the links, where those of each node outside begin.
	firstLink []uint32
	queue     []uint32
	// later are objects without a type: what has one comes first.
	later []uint32
}

func newWalk(h *heap) *walk {
	w := &walk{heap: h, name: make([]uint32, int(h.start)+len(h.outer))}
	w.typ = append(w.typ, make([]uint32, len(h.outer))...)
	w.orderLinks()
	w.reach(w.root(), 0)
	for i := 1; i < len(h.outer); i++ {
		if h.outer[i].root {
			w.linkRoot(uint32(i))
		}
	}
	w.run()
	w.secondChance()
	w.orderLinks()
	return w
}

// linkRoot makes a node outside one that the root refers to.
func (w *walk) linkRoot(i uint32) {
	node := w.start + i
	w.links = append(w.links, link{from: w.root(), to: node})
	w.reach(node, w.outer[i].label)
}

// secondChance takes as roots what holds objects that nothing else does: words on stacks that may be pointers, objects
// whose finalizer has not run, variables that the compiler made and to which none of the program refers.
func (w *walk) secondChance() {
	for _, l := range w.doubts {
		if w.name[l.to] == 0 {
			w.links = append(w.links, l)
			w.follow(l.to, w.steps.all[l.step], l.interior)
			w.run()
		}
	}
	for i := range w.outer {
		if w.outer[i].compiled && w.name[w.start+uint32(i)] == 0 {
			w.linkRoot(uint32(i))
			w.run()
		}
	}
	waiting := uint32(0)
	for _, to := range w.finalized {
		if w.name[to] != 0 {
			continue
		}
		if waiting == 0 {
			waiting = w.addOutside(outside{label: w.labels.number(label{kind: other,
				part: "finalizers that have not run"})})
			w.name, w.typ = append(w.name, 0), append(w.typ, 0)
			w.linkRoot(waiting - w.start)
		}
		s := step{dynamic: true}
		w.link(waiting, to, s, false)
		w.follow(to, s, false)
		w.run()
	}
	w.cleanups()
}

// orderLinks puts the links of each node side by side.
func (w *walk) orderLinks() {
	slices.SortStableFunc(w.links, func(a, b link) int { return cmp.Compare(a.from, b.from) })
	w.firstLink = make([]uint32, len(w.outer)+1)
	for _, l := range w.links {
		w.firstLink[l.from-w.start+1]++
	}
	for i := range w.outer {
		w.firstLink[i+1] += w.firstLink[i]
	}
}

// linksOf are the links of a node outside.
func (w *walk) linksOf(node uint32) []link {
	i := node - w.start
	if int(i)+1 >= len(w.firstLink) {
		return nil // made since they were ordered
	}
	return w.links[w.firstLink[i]:w.firstLink[i+1]]
}

func (w *walk) reach(node, name uint32) {
	if w.name[node] == 0 {
		w.name[node] = name + 1
		w.queue = append(w.queue, node)
	}
}

func (w *walk) run() {
	for len(w.queue)+len(w.later) > 0 {
		if len(w.queue) == 0 {
			w.queue, w.later = w.later, nil
		}
		var turn []uint32
		for turn, w.queue = w.queue, nil; len(turn) > 0; turn = turn[1:] {
			w.visit(turn[0])
		}
	}
}

// visit reaches what a node refers to.
func (w *walk) visit(node uint32) {
	if node < w.start {
		w.heap.each(node, func(r ref) {
			switch {
			case w.passesOver(node, r):
			case w.name[r.to] != 0 && (w.typ[r.to] != 0 || !w.hasRefs(r.to)):
				w.again.set(r.to)
			default:
				w.follow(r.to, w.types.follow(w.typ[node], r.offset, r.nextZero), r.interior)
			}
		})
		for _, t := range w.tiesOf(node) {
			w.follow(t.to, step{}, false)
		}
		return
	}
	for _, l := range w.linksOf(node) {
		s := step{}
		switch {
		case !w.outer[node-w.start].compiled:
			s = w.steps.all[l.step]
		default:
			s = w.types.follow(w.typ[node], uint64(l.step), false)
		}
		w.follow(l.to, s, l.interior)
	}
}

// follow reaches an object by a step. What the runtime says of its type counts most, then the step, then what was
// guessed.
func (w *walk) follow(to uint32, s step, interior bool) {
	if t := w.types.all[s.typ]; t != nil && t.Role == gotypes.Trie && w.flagged.has(to) {
		s.typ = w.types.one(t.Elem)
	}
	if w.name[to] != 0 {
		w.again.set(to)
		if w.typ[to] == 0 && s.typ != 0 && !interior && w.fits(to, s) && to < w.start && w.hasRefs(to) {
			w.typ[to], w.name[to] = s.typ, s.label+1 // it was reached by a pointer without a type
		}
		return
	}
	guess := w.typ[to]
	switch {
	// of tables the step knows keys and values
	case guess&certain != 0 && (s.typ == 0 || w.types.all[s.typ].Role == gotypes.Plain):
		w.typ[to] = guess &^ certain
	case s.typ != 0 && !interior && w.fits(to, s):
		w.typ[to] = s.typ
	}
	w.name[to] = w.types.of(s, w.typ[to]) + 1
	if w.typ[to] == 0 && to < w.start && w.hasRefs(to) {
		w.later = append(w.later, to)
		return
	}
	w.queue = append(w.queue, to)
}

// fits says whether an object can be what a step says. One that is much larger than a single value is another, whose
// first field is of that type.
func (w *walk) fits(to uint32, s step) bool {
	if to >= w.start {
		return true
	}
	size, has := w.types.all[s.typ].Size, w.space.size(to)
	return size <= has && (s.many || has <= 2*size+2*mallocHeader)
}

// Successors are the nodes to which a node refers, without its own leaves.
func (w *walk) Successors(node uint32, to []uint32) []uint32 {
	if node >= w.start {
		for _, l := range w.linksOf(node) {
			to = append(to, l.to)
		}
		return to
	}
	w.refs.each(node, func(r ref) {
		if !w.passesOver(node, r) && !w.isOwnLeaf(r.to) {
			to = append(to, r.to)
		}
	})
	for _, t := range w.tiesOf(node) {
		to = append(to, t.to)
	}
	return to
}

// isOwnLeaf says that an object refers to nothing and only one refers to it, an object: that one dominates it, and the
// tree of dominators need not have it. So the tree has half as many nodes or fewer.
func (w *walk) isOwnLeaf(node uint32) bool {
	return !w.again.has(node) && !w.hasRefs(node) && !w.binding.has(node)
}

// inTree counts the nodes that the tree of dominators has.
func (w *walk) inTree() (n int) {
	for node, name := range w.name {
		if name != 0 && (uint32(node) >= w.start || !w.isOwnLeaf(uint32(node))) {
			n++
		}
	}
	return n
}

// ownLeaves calls do for the leaves that a node has alone.
func (w *walk) ownLeaves(node uint32, do func(leaf uint32)) {
	if node >= w.start {
		return
	}
	w.refs.each(node, func(r ref) {
		if !w.passesOver(node, r) && w.isOwnLeaf(r.to) {
			do(r.to)
		}
	})
}

// typeOf is the type of an object; nil if it is not known.
func (w *walk) typeOf(node uint32) *gotypes.Type { return w.types.all[w.typ[node]&^certain] }
