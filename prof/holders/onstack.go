package holders

// onStack is a value on the stack to which something refers.
type onStack struct {
	address uint64
	// node is what refers to it, by a name; typ is the number of its type, and count how many there are of them.
	node, label, typ uint32
	count            uint64
}

// mostDoubt is how far what stands at an address of a frame may reach, in bytes, if its type is not known. It is the
// largest value that the compiler places on a stack by itself (GOROOT/src/cmd/compile/internal/ir/cfg.go:
// MaxImplicitStackVarSize).
const mostDoubt = 64 << 10

// followStack links what values refer to that are on the stack themselves, and to which pointers lead: the dump's map
// of pointers leaves them out.
func (g *stack) followStack(h *heap) {
	g.seen = map[uint64]bool{}
	for len(g.queue) > 0 {
		v := g.queue[len(g.queue)-1]
		g.queue = g.queue[:len(g.queue)-1]
		c := g.frameAt(v.address)
		at := v.address - c.sp
		if l, ok := h.localAt(c, int64(at)-int64(c.size)); ok {
			at = uint64(int64(c.size) + l.Frame)
			if at <= c.size && !g.again(c.sp+at) {
				g.followLocal(h, c, at, min(c.size, at+l.Size))
			}
			continue
		}
		switch {
		case g.again(v.address):
		case v.typ != 0:
			g.followValue(h, c, at, v)
		default:
			g.doubt(h, c, at, min(c.size, at+mostDoubt))
		}
	}
}

// again says whether an address was followed before.
func (g *stack) again(address uint64) bool {
	seen := g.seen[address]
	g.seen[address] = true
	return seen
}

// followLocal links what a variable with a type refers to.
func (g *stack) followLocal(h *heap, c *call, from, to uint64) {
	ptr := h.refs.ptr
	for at := from; at+ptr <= to && at/ptr < uint64(len(c.words)); at += ptr {
		if s := h.stepOfFrame(c, at); s.points {
			g.refer(h, c.node, c, at, s)
		}
	}
}

// followValue links what a value without a name refers to: a map, a slice's array or a struct that does not leave the
// function.
func (g *stack) followValue(h *heap, c *call, from uint64, v onStack) {
	ptr, size := h.refs.ptr, h.types.all[v.typ].Size
	node := h.addOutside(outside{label: v.label})
	h.link(v.node, node, step{label: v.label}, false)
	room := c.size - from
	if v.count < room/size {
		room = v.count * size
	}
	for at := uint64(0); at+ptr <= room && (from+at)/ptr < uint64(len(c.words)); at += ptr {
		if s := h.types.follow(v.typ, at, c.word(from+at+ptr, ptr) == 0); s.points {
			g.refer(h, node, c, from+at, s)
		}
	}
}

// doubt notes words of a frame that may be pointers: they count if nothing else holds what they point to.
func (g *stack) doubt(h *heap, c *call, from, to uint64) {
	ptr := h.refs.ptr
	for at := (from + ptr - 1) / ptr * ptr; at+ptr <= to && at/ptr < uint64(len(c.words)); at += ptr {
		v := c.words[at/ptr]
		if node, interior, ok := h.pointsTo(v); ok {
			h.doubts = append(h.doubts, link{c.node, node, h.steps.number(h.stepOfFrame(c, at)), interior})
		} else if v != 0 && !g.seen[v] && g.frameAt(v) != nil {
			g.queue = append(g.queue, onStack{address: v, node: c.node})
		}
	}
}
