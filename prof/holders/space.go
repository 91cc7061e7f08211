package holders

import (
	"cmp"
	"slices"
	"sort"

	"github.com/gohone/hone/internal/text/fail"
)

// space numbers the objects of a heap by their addresses. The runtime keeps objects of one size side by side, so that a
// run of them takes a few numbers, and no object has any of its own. A free place between two objects has a number,
// too.
type space struct {
	runs    []run    // in the order of the dump, which is that of the numbers
	sorted  []uint32 // runs by address
	shift   uint     // of addresses, to the index of pages
	pages   []uint32 // the first of sorted that ends after the beginning of each page
	present bits     // the numbers that are objects
	slots   uint32
	objects uint64
	bytes   uint64
}

// run is objects of one size side by side.
type run struct {
	base, size uint64
	slots      uint32
	first      uint32 // number of the first
	offset     int64  // of the record of the first in the dump
}

const (
	// mostSlots leaves room for the numbers of variables and frames.
	mostSlots = 1 << 31
	// mostPages bounds the table of pages: 64 MB; of few runs it is small.
	mostPages, fewPages = 1 << 24, 1 << 10
	// pageShift is that of the runtime's pages: 8 kB.
	pageShift = 13
)

// add takes the next object of the dump.
func (s *space) add(address, size uint64, offset int64) error {
	if size == 0 || address+size < address {
		return damaged(offset, "an object at %#x has %d bytes", address, size)
	}
	s.objects++
	s.bytes += size
	if n := len(s.runs); n > 0 {
		r := &s.runs[n-1]
		if d := address - r.base; r.size == size && address > r.base && d%size == 0 && d/size >= uint64(r.slots) &&
			s.mayGrow(d/size-uint64(r.slots), size) {
			s.slots += uint32(d/size+1) - r.slots
			r.slots = uint32(d/size + 1)
			s.present.set(s.slots - 1)
			return s.limit(offset)
		}
	}
	s.runs = append(s.runs, run{base: address, size: size, slots: 1, first: s.slots, offset: offset})
	s.slots++
	s.present.set(s.slots - 1)
	return s.limit(offset)
}

// mayGrow says whether a run goes on after so many free places: not over a page, which may be of another size, and not
// where a dump would have few objects and many numbers.
func (s *space) mayGrow(gap, size uint64) bool {
	return gap*size < 1<<pageShift && uint64(s.slots)+gap <= 4*s.objects+1<<16
}

func (s *space) limit(offset int64) error {
	if s.slots > mostSlots {
		return damaged(offset, "there are more than %d objects", mostSlots)
	}
	return nil
}

// bits is a set of numbers.
type bits []uint64

func (b *bits) set(i uint32) {
	for int(i/64) >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[i/64] |= 1 << (i % 64)
}

func (b bits) has(i uint32) bool { return int(i/64) < len(b) && b[i/64]>>(i%64)&1 == 1 }

// order makes lookups possible, when all objects are there.
func (s *space) order() {
	s.sorted = make([]uint32, len(s.runs))
	for i := range s.sorted {
		s.sorted[i] = uint32(i)
	}
	slices.SortFunc(s.sorted, func(a, b uint32) int { return cmp.Compare(s.runs[a].base, s.runs[b].base) })
	if len(s.runs) == 0 {
		return
	}
	low := s.low()
	high := low
	for _, r := range s.runs {
		high = max(high, r.end())
	}
	for s.shift = pageShift; (high-low)>>s.shift >= min(mostPages, fewPages+64*uint64(len(s.runs))); s.shift++ {
	}
	s.pages = make([]uint32, (high-low)>>s.shift+2)
	page := 0
	for i, at := range s.sorted {
		for ; page <= int((s.runs[at].end()-1-low)>>s.shift); page++ {
			s.pages[page] = uint32(i)
		}
	}
	for ; page < len(s.pages); page++ {
		s.pages[page] = uint32(len(s.sorted) - 1)
	}
}

func (s *space) low() uint64 { return s.runs[s.sorted[0]].base }

func (r *run) end() uint64 { return r.base + uint64(r.slots)*r.size }

// find is the object at an address, its size, and the offset of the address in it; ok is false if there is none.
func (s *space) find(address uint64) (number uint32, size, inside uint64, ok bool) {
	if len(s.sorted) == 0 || address < s.low() || (address-s.low())>>s.shift >= uint64(len(s.pages)-1) {
		return 0, 0, 0, false
	}
	page := (address - s.low()) >> s.shift
	from, to := int(s.pages[page]), int(s.pages[page+1])
	i := from + sort.Search(to-from, func(i int) bool { return s.runs[s.sorted[from+i+1]].base > address })
	r := &s.runs[s.sorted[i]]
	if address < r.base || address >= r.end() {
		return 0, 0, 0, false
	}
	d := address - r.base
	number = r.first + uint32(d/r.size)
	return number, r.size, d % r.size, s.present.has(number)
}

// runOf is the run that a number is in.
func (s *space) runOf(number uint32) *run {
	return &s.runs[sort.Search(len(s.runs), func(i int) bool { return s.runs[i].first > number })-1]
}

// size is that of an object in bytes.
func (s *space) size(number uint32) uint64 { return s.runOf(number).size }

// address is that of an object.
func (s *space) address(number uint32) uint64 {
	r := s.runOf(number)
	return r.base + uint64(number-r.first)*r.size
}

func damaged(offset int64, format string, args ...any) error {
	return fail.New(fail.BadInput, "heap dump, byte %d: "+format,
		append([]any{offset}, args...)...).WithHint("write the dump again with debug.WriteHeapDump")
}
