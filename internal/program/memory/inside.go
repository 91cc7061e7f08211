package memory

import (
	"context"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/prof/gotypes"
)

// Inside reads what the runtime of a process counts out of the memory of the process, which does not notice it: the
// variables of package runtime are found by the symbols and types of its executable (Go 1.20 and later).
type Inside struct {
	memory  io.ReaderAt
	order   binary.ByteOrder
	slide   uint64 // by how much the program lies above the addresses of its file
	globals map[string]gotypes.Global
}

// NewInside is for a process whose executable has its symbols and types. The caller ends it. Errors are
// fail.Environment where its memory may not be read, fail.BadInput where the executable does not say enough.
func NewInside(pid int) (in *Inside, end func(), err error) {
	path := fmt.Sprintf("/proc/%d/exe", pid)
	file, length, err := inputs.Executable.OpenRegular(path)
	if err != nil {
		return nil, nil, fail.New(fail.Or(fail.Environment, err), "open its program %w", err)
	}
	defer file.Close()
	program, err := gotypes.Open(file, length)
	if err != nil {
		return nil, nil, err
	}
	in = &Inside{globals: map[string]gotypes.Global{}}
	for _, g := range program.Globals {
		if strings.HasPrefix(g.Name, "runtime.") || g.Name == sizesName {
			in.globals[g.Name] = g
		}
	}
	if err := in.place(pid, path, file); err != nil {
		return nil, nil, err
	}
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return nil, nil, fail.New(fail.Environment, "read its memory: %w", err)
	}
	in.memory = memory
	if _, err := in.classes(); err != nil {
		memory.Close()
		return nil, nil, err
	}
	return in, func() { memory.Close() }, nil
}

// place says where the variables of the file are in the process: a program that may be loaded at any address begins
// with its first mapping.
func (in *Inside) place(pid int, path string, file io.ReaderAt) error {
	e, err := elf.NewFile(file)
	if err != nil {
		return fail.New(fail.BadInput, "read its program: %w", err)
	}
	in.order = e.ByteOrder
	if e.Type == elf.ET_EXEC {
		return nil
	}
	all, err := mappings(pid)
	if err != nil {
		return err
	}
	executable, _ := os.Readlink(path)
	first := slices.IndexFunc(all, func(m Mapping) bool { return m.Inode != 0 && m.Path == executable })
	segment := slices.IndexFunc(e.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_LOAD })
	if first < 0 || segment < 0 {
		return fail.New(fail.BadInput, "its program is not among its mappings")
	}
	in.slide = all[first].Start - e.Progs[segment].Vaddr
	return nil
}

// sizesName is the table of the sizes of small objects; before Go 1.25 it was sizesBefore.
const (
	sizesName   = "internal/runtime/gc.SizeClassToSize"
	sizesBefore = "runtime.class_to_size"
)

// Ask reads the classes.
func (in *Inside) Ask(context.Context) (Classes, error) { return in.classes() }

func (in *Inside) classes() (c Classes, err error) {
	r := &reading{Inside: in, values: map[string][]byte{}}
	const stats = "runtime.memstats"
	var delta struct{ committed, released, inHeap, inStacks, inWork, large, small int64 }
	sizes := r.list(sizesName)
	if len(sizes) == 0 {
		sizes = r.list(sizesBefore)
	}
	// The statistics are kept in three copies that take turns; their sum is the whole (mstats.go, consistentHeapStats).
	for i := range uint64(3) {
		at := func(field string) place { return r.at(stats, "heapStats", "stats").element(i).field(field) }
		delta.committed += r.number(at("committed"))
		delta.released += r.number(at("released"))
		delta.inHeap += r.number(at("inHeap"))
		delta.inStacks += r.number(at("inStacks"))
		delta.inWork += r.number(at("inWorkBufs"))
		if bits := at("inPtrScalarBits"); bits.typed != nil { // before Go 1.24
			delta.inWork += r.number(bits)
		}
		delta.large += r.number(at("largeAlloc")) - r.number(at("largeFree"))
		allocated, freed := at("smallAllocCount"), at("smallFreeCount")
		for class, size := range sizes {
			n := r.number(allocated.element(uint64(class))) - r.number(freed.element(uint64(class)))
			delta.small += n * size
		}
	}
	if len(sizes) == 0 {
		r.lack("the table of object sizes")
	}
	c = Classes{
		Objects: count(delta.large + delta.small), Released: count(delta.released), Stacks: count(delta.inStacks),
		Free: count(delta.committed - delta.inHeap - delta.inStacks - delta.inWork),
		Live: count(r.number(r.at("runtime.gcController", "heapMarked"))),
		Goal: uint64(r.number(r.at("runtime.gcController", "gcPercentHeapGoal"))),
		GOGC: float64(int32(r.number(r.at("runtime.gcController", "gcPercent")))),
		Structures: []Piece{
			{spanRecords, count(r.number(r.at(stats, "mspan_sys")))},
			{spanCaches, count(r.number(r.at(stats, "mcache_sys")))},
			{profileBuckets, count(r.number(r.at(stats, "buckhash_sys")))},
			{collectorData, count(r.number(r.at(stats, "gcMiscSys")) + delta.inWork)},
			{threadStacks, count(r.number(r.at(stats, "stacks_sys")))},
			{otherRuntime, count(r.number(r.at(stats, "other_sys")))},
		},
		Goroutines: r.goroutines(),
	}
	c.Unused = above(count(delta.inHeap), c.Objects)
	if limit := r.number(r.at("runtime.gcController", "memoryLimit")); limit < math.MaxInt64 {
		c.Limit = count(limit)
		// What else counts towards the limit leaves the heap less (mgcpacer.go, memoryLimitHeapGoal).
		c.Goal = min(c.Goal, max(above(c.Limit, c.Unused+c.Stacks+c.structures()), c.Live))
	}
	return c, r.fault
}

// count is a number that is not negative: the copies are not read at one moment.
func count(n int64) uint64 { return uint64(max(n, 0)) }

// goroutines are those that live, as runtime.gcount counts them, with those that rest on the lists of single
// processors.
func (r *reading) goroutines() uint64 {
	n := r.number(r.at("runtime.allglen")) - r.number(r.at("runtime.sched", "ngsys"))
	free := r.at("runtime.sched", "gFree")
	for _, size := range [][]string{{"n"}, {"stack", "size"}, {"noStack", "size"}} {
		if at := free.field(size[0]); at.typed != nil {
			if len(size) > 1 {
				at = at.field(size[1])
			}
			if at.typed != nil {
				n -= r.number(at)
			}
		}
	}
	return count(n)
}

// reading is one reading; its first fault stays.
type reading struct {
	*Inside
	values map[string][]byte // whole variables
	fault  error
}

func (r *reading) lack(what string) {
	if r.fault == nil {
		r.fault = fail.New(fail.BadInput, "its program does not say where the runtime keeps %s (built with -ldflags=-s or "+
			"-w, or by a release of Go before 1.20)", what)
	}
}

// place is where in a variable a value is; typed is nil where there is none.
type place struct {
	of, name string
	offset   uint64
	typed    *gotypes.Type
}

func (p place) field(name string) place {
	p.name += "." + name
	f := p.typed.Named(name)
	if f == nil {
		p.typed = nil
		return p
	}
	p.offset, p.typed = p.offset+f.Offset, f.Type
	return p
}

func (p place) element(i uint64) place {
	if p.typed == nil || p.typed.Kind != reflect.Array || p.typed.Elem == nil || p.typed.Elem.Size == 0 ||
		i >= p.typed.Size/p.typed.Elem.Size {
		p.typed = nil
		return p
	}
	p.offset, p.typed = p.offset+i*p.typed.Elem.Size, p.typed.Elem
	return p
}

// at is a field of a variable.
func (r *reading) at(global string, fields ...string) place {
	p := place{of: global, name: global, typed: r.globals[global].Type}
	for _, f := range fields {
		p = p.field(f)
	}
	return p
}

// number reads a number, also one that is atomic.
func (r *reading) number(p place) int64 {
	for p.typed != nil && p.typed.Kind == reflect.Struct {
		p = p.field("value")
	}
	if p.typed == nil {
		r.lack(p.name)
		return 0
	}
	b := r.variable(p.of)
	if p.offset+p.typed.Size > uint64(len(b)) {
		return 0
	}
	switch b = b[p.offset:][:p.typed.Size]; len(b) {
	case 8:
		return int64(r.order.Uint64(b))
	case 4:
		return int64(int32(r.order.Uint32(b)))
	case 2:
		return int64(r.order.Uint16(b))
	}
	r.lack(p.name)
	return 0
}

// largestVariable bounds what is read at once: runtime.memstats has 30 kB.
const largestVariable = 1 << 20

// variable reads a variable as a whole, once.
func (r *reading) variable(name string) []byte {
	b, read := r.values[name]
	if read {
		return b
	}
	g := r.globals[name]
	b = make([]byte, min(g.Type.Size, largestVariable))
	if _, err := r.memory.ReadAt(b, int64(g.Address+r.slide)); err != nil {
		b = nil
		if r.fault == nil {
			r.fault = fail.New(fail.Environment, "read its memory: %w", err).
				WithHint("run hone as root, or as the user of the program where ptrace is allowed " +
					"(/proc/sys/kernel/yama/ptrace_scope is 0)")
		}
	}
	r.values[name] = b
	return b
}

// list reads an array of numbers; nil if there is no such variable.
func (r *reading) list(global string) (all []int64) {
	for i := uint64(0); ; i++ {
		at := r.at(global).element(i)
		if at.typed == nil {
			return all
		}
		all = append(all, r.number(at))
	}
}
