package holders

import (
	"context"
	"io"
	"runtime"

	"github.com/gohone/hone/prof/gotypes"
	"github.com/gohone/hone/prof/heapdump"
)

// heap is a dump without the contents: some numbers for each object.
//
// Its nodes are the objects of the space, and after them what refers to objects from outside: the root of all, the
// variables of the program, then goroutines and frames as they come.
type heap struct {
	space
	refs
	layout heapdump.Layout
	memory runtime.MemStats
	itabs  map[uint64]uint64
	loaded
	roots
	ownRecords
	weak

	labels index[label]
	types  *types
	steps  index[step]
	// typ is the type of each object: until it is reached a guess, with the bit certain if the runtime itself says so.
	typ []uint32
	// flagged are the objects that begin with a true bool: entries of a hash trie among its nodes.
	flagged bits
	// lengths are those of the slices of variables, by what they refer to.
	lengths map[uint32]uint64
	guesser
	origin      origin
	allocations allocations
	stacks      stacks
}

// loaded is the program that wrote the dump, as it lay in memory.
type loaded struct {
	program *gotypes.Program // nil if there is none
	slide   uint64           // what is added to the addresses of the program's file
	// values are the addresses in the program's file of values that the compiler placed.
	values []uint64
	// variables are those of frames by function and place.
	variables map[[2]uint64][]gotypes.Local
}

// roots are the nodes that are not objects, and their references.
type roots struct {
	start  uint32 // the first of them: the root of all
	outer  []outside
	links  []link
	doubts []link
	// others are the roots that are not variables and not goroutines, by their labels.
	others map[uint32]uint32
	// waits says why goroutines wait, by the label of their innermost frame.
	waits map[uint32]string
	// finalized are the objects with a finalizer, which runs when nothing else holds them.
	finalized []uint32
}

// certain marks a type that stands in the header of an object.
const certain = 1 << 31

// outside is a node that is not an object.
type outside struct {
	label uint32
	// root says that the root of all refers to it.
	root bool
	// compiled says that the compiler made the variable for a value: it belongs to what refers to it.
	compiled bool
}

// link is a reference from a node outside.
type link struct {
	from, to uint32
	// step is a number of steps; of variables that the compiler made the offset, since their type is not known yet.
	step     uint32
	interior bool
}

// root is what all holders hang on.
func (r *roots) root() uint32 { return r.start }

// addOutside makes a node.
func (r *roots) addOutside(o outside) uint32 {
	r.outer = append(r.outer, o)
	return r.start + uint32(len(r.outer)) - 1
}

func (h *heap) link(from, to uint32, s step, interior bool) {
	h.links = append(h.links, link{from, to, h.steps.number(s), interior})
}

// readHeap reads a dump in two passes: first where the objects are, then what they refer to.
func readHeap(ctx context.Context, r io.ReaderAt, size int64, p *gotypes.Program) (*heap, error) {
	h := &heap{
		loaded: loaded{program: p, variables: map[[2]uint64][]gotypes.Local{}},
		roots:  roots{others: map[uint32]uint32{}, waits: map[uint32]string{}},
		itabs:  map[uint64]uint64{}, lengths: map[uint32]uint64{},
	}
	h.labels.number(label{})
	if err := h.find(ctx, r, size); err != nil {
		return nil, err
	}
	if err := h.origin.check(h); err != nil {
		return nil, err
	}
	h.space.order()
	h.allocations.number(&h.space)
	h.stacks.number(&h.space)
	h.start = h.slots
	h.typ = make([]uint32, h.slots)
	h.refs.first = make([]uint32, 0, h.slots)
	h.refs.ptr = uint64(h.layout.PointerSize)
	h.types = newTypes(&h.labels, h.refs.ptr)
	h.guesser = newGuesser(h)
	if p != nil {
		h.gType = h.types.number(p.Named("runtime.g"))
	}
	h.addOutside(outside{})
	if p != nil {
		p.AddValues(h.values)
	}
	h.addGlobals()
	return h, h.connect(ctx, r, size)
}

// find is the first pass: the places of the objects, and the tables of the runtime.
func (h *heap) find(ctx context.Context, r io.ReaderAt, size int64) error {
	s, err := heapdump.NewScanner(r, size)
	if err != nil {
		return err
	}
	own := h.ownCode()
	for n := 0; ; n++ {
		rec, err := s.Next()
		if err = interrupted(ctx, n, err); err != nil {
			return err
		}
		switch rec.Tag {
		case heapdump.EOF:
			h.layout, h.memory = s.Layout, s.Memory
			if s.Layout.PointerSize == 0 {
				return damaged(rec.Offset, "there is no record of the program's parameters")
			}
			return nil
		case heapdump.Object:
			if err := h.space.add(rec.Address, rec.Size, rec.Offset); err != nil {
				return err
			}
		case heapdump.Itab:
			h.itabs[rec.Address] = rec.Type
		case heapdump.Data:
			h.origin.data, h.origin.dataSize = rec.Address, rec.Size
			if h.program != nil && h.program.Data > 0 {
				h.slide = rec.Address - h.program.Data
			}
			h.findValues(s)
		case heapdump.Goroutine:
			h.stacks.addresses = append(h.stacks.addresses, rec.Address)
		case heapdump.StackFrame:
			h.origin.add(rec)
		case heapdump.Type:
			h.origin.addType(rec)
		case heapdump.BSS:
			h.findValues(s)
		case heapdump.MemProf:
			h.allocations.addRecord(rec, own)
		case heapdump.AllocSample:
			h.allocations.addSample(rec)
		}
	}
}

// connect is the second pass: what objects and roots refer to.
func (h *heap) connect(ctx context.Context, r io.ReaderAt, size int64) error {
	s, err := heapdump.NewScanner(r, size)
	if err != nil {
		return err
	}
	var g *stack
	for n := 0; ; n++ {
		rec, err := s.Next()
		if err = interrupted(ctx, n, err); err != nil {
			return err
		}
		switch rec.Tag {
		case heapdump.StackFrame, heapdump.Defer, heapdump.Panic:
		default:
			g.finish(h)
			g = nil
		}
		switch rec.Tag {
		case heapdump.EOF:
			h.dropRecords()
			h.connectSudogs()
			h.connectTimers()
			h.tieValues()
			return s.Err()
		case heapdump.Object:
			if err := h.connectObject(s, rec); err != nil {
				return err
			}
		case heapdump.Goroutine:
			g = &stack{address: rec.Address, started: rec.Stack.Started, waits: rec.Stack.Wait}
		case heapdump.StackFrame:
			g = g.add(s, rec)
		case heapdump.Defer:
			g.hold(deferred{rec.SP, rec.Address, rec.Func})
		case heapdump.Panic:
			g.hold(deferred{value: rec.Address})
		case heapdump.Data, heapdump.BSS:
			h.connectSegment(s, rec)
		case heapdump.Finalizer:
			h.connectFinalizer(rec, false)
		case heapdump.QueuedFinalizer:
			h.connectFinalizer(rec, true)
		case heapdump.OtherRoot:
			h.linkRoot(label{kind: other, part: rec.Name}, rec.Address)
		}
	}
}

// connectObject reads the pointers of an object, and guesses types by what stands before them.
func (h *heap) connectObject(s *heapdump.Scanner, rec *heapdump.Entry) error {
	number, size, _, _ := h.space.find(rec.Address)
	if !h.begin(number) {
		return damaged(rec.Offset, "the object at %#x is there twice, or there are too many pointers", rec.Address)
	}
	if h.stacks.gs.has(number) {
		h.stacks.read(s, h.phase(size), number, h.refs.ptr)
	}
	first := true
	for at, ok := s.Pointer(); ok; at, ok = s.Pointer() {
		if first {
			h.guessSelf(s, number, size, at)
			if v := s.Word(0); at > 0 && (v == 1 || v == 1<<(8*h.refs.ptr-8)) { // the last of big-endian programs
				h.flagged.set(number)
			}
			first = false
		}
		v := s.Word(at)
		if v == 0 {
			continue
		}
		to, interior, ok := h.pointsTo(v)
		if !ok {
			continue
		}
		h.refs.add(ref{offset: at, to: to, interior: interior, nextZero: s.Word(at+h.refs.ptr) == 0})
		if !interior {
			h.guessTarget(s, at, to)
		}
	}
	if size <= longestHandle && !h.hasRefs(number) {
		h.noteSmall(number, [2]uint64{s.Word(0), s.Word(h.refs.ptr)})
	}
	return s.Err()
}

// pointsTo is the object at an address; interior says that the address is not its beginning.
func (h *heap) pointsTo(address uint64) (number uint32, interior, ok bool) {
	number, size, inside, ok := h.space.find(address)
	return number, inside != h.phase(size) && inside != 0, ok
}

// mallocHeader is the size in bytes of the header of an object with pointers that is larger than its span's bitmap
// allows, and not large enough for a span of its own (GOROOT/src/runtime/mbitmap.go: heapBitsInSpan,
// minSizeForMallocHeader).
const mallocHeader = 8

// phase is where the value of an object with pointers begins: after its header, if its size has one.
func (h *heap) phase(size uint64) uint64 {
	if ptr := uint64(h.layout.PointerSize); !h.headers || size <= ptr*ptr*8 || size > 32<<10 {
		return 0
	}
	return mallocHeader
}

// each calls do for the pointers of an object, with their offsets in its value.
func (h *heap) each(number uint32, do func(ref)) {
	phase := h.phase(h.space.size(number))
	h.refs.each(number, func(r ref) {
		r.offset -= min(phase, r.offset)
		do(r)
	})
}

// connectFinalizer notes an object with a finalizer. The closure is held; the object only until the finalizer has run,
// if it is queued.
func (h *heap) connectFinalizer(rec *heapdump.Entry, queued bool) {
	l := label{kind: cleanup, part: setFinalizer}
	if to, _, ok := h.pointsTo(rec.Func); ok {
		if t := h.types.all[h.typ[to]&^certain]; t != nil && t.Role == gotypes.Closure {
			l.owner = t.Name
		}
	}
	h.linkRoot(l, rec.Func)
	if queued {
		h.linkRoot(label{kind: other, part: "finalizers that wait to run"}, rec.Address)
	} else if to, _, ok := h.pointsTo(rec.Address); ok {
		h.finalized = append(h.finalized, to)
	}
}

// checkEvery is after how many records it is asked whether the user has stopped hone.
const checkEvery = 1 << 12

// interrupted is the fault of record n, or why the context has ended.
func interrupted(ctx context.Context, n int, err error) error {
	if err == nil && n%checkEvery == 0 && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
