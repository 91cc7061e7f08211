package holders

import (
	"io"

	"github.com/gohone/hone/prof/gotypes"
	"github.com/gohone/hone/prof/heapdump"
)

// count says how many entries a holder has.
func (p *paths) count(dump io.ReaderAt, size int64, at uint32, h *Holder) error {
	q := &p.all[at]
	h.Entries, h.Unit = p.elements(at), "elements"
	switch p.label(at).kind {
	case timer:
		h.Unit = timers
	case cleanup:
		h.Unit = "closures"
	}
	if q.heads > 1 || q.objects == 0 {
		if h.Goroutines > 1 {
			h.Entries = 0
		}
		return nil
	}
	n, unit, err := p.entries(dump, size, at)
	// What several roots hold together is not all in one container: a smaller one is there by chance.
	if n > 0 && (p.label(at).kind != shared || n >= h.Entries) {
		h.Entries, h.Unit = n, unit
	}
	return err
}

// entries are those of the map, the channel or the slice that a path leads to; 0 of any other object.
func (p *paths) entries(dump io.ReaderAt, size int64, at uint32) (n uint64, unit string, err error) {
	object := p.all[at].object
	t := p.walk.typeOf(object)
	switch {
	case t != nil && (t.Role == gotypes.SwissMap || t.Role == gotypes.HashMap):
		n, err = p.walk.word(dump, size, object, 0)
		return n, "entries", err
	case t != nil && t.Role == gotypes.Trie:
		return p.trieEntries(at), "entries", nil
	case t != nil && t.Role == gotypes.Channel:
		n, err = p.walk.word(dump, size, object, 0)
		return n, "buffered", err
	case p.label(at).container == aSlice:
		n, err = p.length(dump, size, object)
		return n, "elements", err
	}
	return 0, "", nil
}

// trieEntries counts those of the hash tries that a path has.
func (p *paths) trieEntries(at uint32) (n uint64) {
	count := func(node uint32) {
		if t := p.walk.typeOf(node); node < p.walk.start && t != nil && t.Role == gotypes.TrieEntry {
			n++
		}
	}
	for v, of := range p.at {
		if of == at {
			count(p.tree.Node[v])
			p.walk.ownLeaves(p.tree.Node[v], count)
		}
	}
	return n
}

// timers is the unit of what timers hold.
const timers = "timers"

// OfTimers says that the runtime holds the bytes until timers fire or are stopped.
func (h Holder) OfTimers() bool { return h.Unit == timers }

// elements counts what a path fans out into: the references of one type, of a list or a tree also those further on.
func (p *paths) elements(at uint32) (n uint64) {
	q := &p.all[at]
	typ := ""
	for _, b := range q.below {
		if below := &p.all[b]; below.heads > n && p.label(b).typ != "" && p.fansOut(q, below) {
			n, typ = below.heads, p.label(b).typ
		}
	}
	if n < 3 { // the fields of a struct
		return 0
	}
	n = 0
	var add func(uint32)
	add = func(i uint32) {
		if p.label(i).typ == typ {
			n += p.all[i].heads
		}
		for _, b := range p.all[i].below {
			add(b)
		}
	}
	add(at)
	return n
}

// length is that of the slice that refers to an object; 0 if it is not known.
func (p *paths) length(dump io.ReaderAt, size int64, to uint32) (uint64, error) {
	w := p.walk
	if n, ok := w.lengths[to]; ok {
		return n, nil
	}
	for _, from := range p.referrers(to) {
		at := int64(-1)
		w.refs.each(from, func(r ref) {
			if r.to == to && at < 0 {
				at = int64(r.offset)
			}
		})
		if at >= 0 {
			return w.word(dump, size, from, uint64(at)+w.refs.ptr)
		}
	}
	return 0, nil
}

// referrers are the objects that refer to another: of a leaf that is not in the tree none.
func (p *paths) referrers(to uint32) (all []uint32) {
	v, ok := p.tree.Number(to)
	if !ok {
		return nil
	}
	for _, pred := range p.tree.Predecessors(v) {
		if from := p.tree.Node[pred]; from < p.walk.start {
			all = append(all, from)
		}
	}
	return all
}

// word reads a word of an object again.
func (h *heap) word(dump io.ReaderAt, size int64, node uint32, offset uint64) (uint64, error) {
	s, err := heapdump.NewScanner(dump, size)
	if err != nil {
		return 0, err
	}
	s.Layout = h.layout
	address := h.space.address(node)
	s.GoTo(h.space.runOf(node).offset)
	for {
		rec, err := s.Next()
		if err != nil || rec.Tag != heapdump.Object {
			return 0, err
		}
		if rec.Address == address {
			return s.Word(offset), s.Err()
		}
	}
}
