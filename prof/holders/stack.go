package holders

import (
	"reflect"
	"sort"
	"strings"

	"github.com/gohone/hone/prof/heapdump"
)

// stack is a goroutine with its frames, the innermost first.
type stack struct {
	address uint64 // of the runtime's g
	started uint64 // after the go statement
	waits   string // why
	frames  []call
	held    []deferred
	queue   []onStack
	seen    map[uint64]bool
}

// call is a frame with a copy of its contents.
type call struct {
	sp, size  uint64
	entry, pc uint64
	name      string
	pointers  []uint64
	words     []uint64
	node      uint32
}

// mostWords bounds the copy of a frame; what is beyond is not followed.
const mostWords = 1 << 17

// add takes a frame. A frame without a goroutine begins one.
func (g *stack) add(s *heapdump.Scanner, rec *heapdump.Entry) *stack {
	if g == nil {
		g = &stack{}
	}
	c := call{sp: rec.Address, size: rec.Size, entry: rec.Frame.Entry, pc: rec.Frame.PC, name: rec.Name}
	ptr := uint64(s.Layout.PointerSize)
	if ptr == 0 {
		return g
	}
	c.words = make([]uint64, min(c.size/ptr, mostWords))
	for i := range c.words {
		c.words[i] = s.Word(uint64(i) * ptr)
	}
	for at, ok := s.Pointer(); ok; at, ok = s.Pointer() {
		if at < uint64(len(c.words))*ptr {
			c.pointers = append(c.pointers, at)
		}
	}
	g.frames = append(g.frames, c)
	return g
}

// deferred is a deferred call or a panic: the record of the runtime, and the closure or the value.
type deferred struct{ sp, record, value uint64 }

func (g *stack) hold(d deferred) {
	if g != nil {
		g.held = append(g.held, d)
	}
}

// finish makes the nodes of the goroutine: itself, then its frames from the outermost on, each held by the one before.
// So an object that two of them refer to is held by the outer one, which returns later.
func (g *stack) finish(h *heap) {
	if g == nil {
		return
	}
	l := label{kind: goroutine, part: g.function()}
	if by := h.program.FunctionOf(g.started - 1 - h.slide); by != "" && !ofRuntime(by) {
		l.file, l.line = h.program.Line(g.started - 1 - h.slide)
	}
	name := h.labels.number(l)
	if at, _, ok := h.pointsTo(g.address); ok {
		h.stacks.byLabel[name] += h.stacks.sizes[at]
	}
	node := h.addOutside(outside{label: name, root: true})
	h.connectG(node, g.address)
	innermost := uint32(0)
	for i := len(g.frames) - 1; i >= 0; i-- {
		c := &g.frames[i]
		l := label{} // frames of the runtime belong to the goroutine, or to the caller
		if !ofRuntime(c.name) && !isWrapper(c.name) {
			l = label{kind: frame, part: c.name}
			if h.program != nil {
				l.file, l.line = h.program.Line(c.pc - 1 - h.slide)
			}
		}
		c.node = h.addOutside(outside{label: h.labels.number(l)})
		if l.kind == frame {
			innermost = h.labels.number(l)
		}
		h.link(node, c.node, step{label: h.outer[c.node-h.start].label}, false)
		node = c.node
	}
	if innermost != 0 && g.waits != dumps {
		h.waits[innermost] = g.waits
	}
	g.linkDeferred(h, node)
	for i := range g.frames {
		g.connect(h, i)
	}
	g.followStack(h)
}

// linkDeferred gives each frame its deferred calls; a panic belongs to the innermost.
func (g *stack) linkDeferred(h *heap, innermost uint32) {
	lists := map[uint32]uint32{}
	for _, d := range g.held {
		from := innermost
		if c := g.frameAt(d.sp); c != nil {
			from = c.node
		}
		to, interior, ok := h.pointsTo(d.value)
		if !ok {
			continue
		}
		if lists[from] == 0 {
			l := h.labels.number(label{kind: local, part: "deferred calls"})
			lists[from] = h.addOutside(outside{label: l})
			h.link(from, lists[from], step{label: l}, false)
		}
		h.link(lists[from], to, step{label: h.labels.number(label{kind: element, part: "[]"}), dynamic: true}, interior)
		if record, _, ok := h.pointsTo(d.record); ok {
			h.link(lists[from], record, step{dynamic: true}, false)
		}
	}
}

// function is the outermost one that the program, not the runtime, has.
func (g *stack) function() string {
	for i := len(g.frames) - 1; i >= 0; i-- {
		if name := g.frames[i].name; !ofRuntime(name) && !isWrapper(name) {
			return name
		}
	}
	return theRuntime
}

// dumps is why the goroutine waits that writes the dump (GOROOT/src/runtime/runtime2.go).
const dumps = "dumping heap"

// theRuntime stands for its variables and goroutines.
const theRuntime = "the runtime"

func ofRuntime(function string) bool {
	return strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "runtime/debug.")
}

// isWrapper says that the compiler made a function to call another with its arguments: go f(x).
func isWrapper(function string) bool {
	i := strings.LastIndexByte(function, '.')
	return i >= 0 && (strings.HasPrefix(function[i:], ".gowrap") || strings.HasPrefix(function[i:], ".deferwrap"))
}

// connect links what the runtime says that a frame refers to.
func (g *stack) connect(h *heap, i int) {
	c := &g.frames[i]
	for _, at := range c.pointers {
		if callee := g.argument(h, i, at); callee != nil {
			s, _ := h.stepOfLocal(callee, int64(at))
			g.refer(h, callee.node, c, at, s)
			continue
		}
		g.refer(h, c.node, c, at, h.stepOfFrame(c, at))
	}
	if i > 0 && strings.HasPrefix(g.frames[i-1].name, "runtime.asyncPreempt") {
		// Stopped anywhere: the map of pointers may be that of another place, and the collector looks at all words.
		g.doubt(h, c, 0, c.size)
	}
}

// argument is the frame that frame i has called if what stands at an offset of frame i is an argument of that: the
// caller has the room for it.
func (g *stack) argument(h *heap, i int, at uint64) *call {
	if i == 0 {
		return nil
	}
	if _, own := h.localAt(&g.frames[i], int64(at)-int64(g.frames[i].size)); own {
		return nil
	}
	if _, ok := h.localAt(&g.frames[i-1], int64(at)); !ok {
		return nil
	}
	return &g.frames[i-1]
}

// refer links what the word at an offset of a frame refers to: an object, or a value on the stack.
func (g *stack) refer(h *heap, node uint32, c *call, at uint64, s step) {
	v := c.word(at, h.refs.ptr)
	if to, interior, ok := h.pointsTo(v); ok {
		h.link(node, to, s, interior)
		h.noteLength(s, to, c.word(at+h.refs.ptr, h.refs.ptr))
		return
	}
	if g.frameAt(v) == nil {
		return
	}
	value := onStack{address: v, node: node, label: s.label, typ: s.typ, count: 1}
	if s.typed != nil && s.typed.Kind == reflect.Slice {
		value.count = c.word(at+h.refs.ptr, h.refs.ptr)
	}
	g.queue = append(g.queue, value)
}

// word is that at an offset of a frame; 0 outside.
func (c *call) word(at, ptr uint64) uint64 {
	if at%ptr != 0 || at/ptr >= uint64(len(c.words)) {
		return 0
	}
	return c.words[at/ptr]
}

func (g *stack) frameAt(address uint64) *call {
	// the innermost is the lowest
	i := sort.Search(len(g.frames), func(i int) bool { return g.frames[i].sp > address }) - 1
	if i < 0 || address-g.frames[i].sp >= g.frames[i].size {
		return nil
	}
	return &g.frames[i]
}
