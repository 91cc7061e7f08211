package heapdump

import (
	"encoding/binary"
	"io"
	"runtime"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof/symbol"
)

const (
	header = "go1.7 heap dump\n"
	// memStats is the count of numbers in the record of runtime.MemStats: 24, 256 pauses and the count of collections.
	memStats = 24 + 256 + 1
	// longest is the longest name that is read: types of generic code have names of some kilobytes.
	longest = 1 << 20

	mainWindow = 1 << 20
	sideWindow = 1 << 16
)

// Scanner reads the records of a dump in their order. Its memory does not depend on the dump.
type Scanner struct {
	Layout Layout
	// Memory has the sizes of runtime.MemStats.
	Memory runtime.MemStats
	main   window // moves along the records
	side   window // is where contents are read that main has left
	pos    int64
	rec    Entry
	body   int64 // where the contents of rec begin
	fields bool  // the pointers of rec are not read yet
	err    error
}

// NewScanner begins to read a dump of size bytes.
func NewScanner(r io.ReaderAt, size int64) (*Scanner, error) {
	s := &Scanner{
		main: window{r: r, size: size, buf: make([]byte, 0, mainWindow)},
		side: window{r: r, size: size, buf: make([]byte, 0, sideWindow)},
	}
	b, err := s.main.at(0, len(header))
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "read heap dump: %w", err)
	}
	if string(b) != header {
		return nil, fail.New(fail.BadInput, "this is not a heap dump: it does not begin with %q", header).
			WithHint("let the program write one: f, err := os.Create(\"heap.dump\"), then debug.WriteHeapDump(f.Fd()) of " +
				"runtime/debug")
	}
	s.pos = int64(len(header))
	return s, nil
}

// Next reads the next record; what is left of the one before is skipped. The record is valid until the next call. At
// the end of the dump its tag is EOF.
func (s *Scanner) Next() (*Entry, error) {
	for s.fields {
		s.Pointer()
	}
	s.rec = Entry{Offset: s.pos}
	s.rec.Tag = Tag(s.number("a record"))
	if s.err == nil {
		s.read()
	}
	if s.err != nil {
		return nil, s.err
	}
	return &s.rec, nil
}

// read reads what follows the tag.
func (s *Scanner) read() {
	r := &s.rec
	switch r.Tag {
	case EOF:
	case Object:
		r.Address = s.number("an object")
		s.contents("an object", true)
	case Data, BSS:
		r.Address = s.number("a segment")
		s.contents("a segment", true)
	case StackFrame:
		s.frame()
	case OtherRoot:
		r.Name, r.Address = s.text("a root"), s.number("a root")
	case Type:
		r.Address, r.Size, r.Name = s.number("a type"), s.number("a type"), s.text("a type")
		s.number("a type")
	case Goroutine:
		s.goroutine()
	case Params:
		s.params()
	case Finalizer, QueuedFinalizer:
		r.Address, r.Func = s.number("a finalizer"), s.number("a finalizer")
		s.skip(3, "a finalizer")
	case Itab:
		r.Address, r.Type = s.number("an itab"), s.number("an itab")
	case OSThread:
		s.skip(3, "a thread")
	case MemStats:
		s.memory()
	case Defer:
		r.Address = s.number("a defer")
		s.skip(1, "a defer")
		r.SP = s.number("a defer")
		s.skip(1, "a defer")
		r.Func = s.number("a defer")
		s.skip(2, "a defer")
	case Panic:
		s.skip(2, "a panic")
		r.Type, r.Address = s.number("a panic"), s.number("a panic")
		s.skip(2, "a panic")
	case MemProf:
		s.allocations()
	case AllocSample:
		s.rec.Address, s.rec.Type = s.number("a sample of the allocations"), s.number("a sample of the allocations")
	default:
		s.refuse(r.Offset, "a record has the unknown tag %d", r.Tag)
	}
}

func (s *Scanner) params() {
	l := &s.Layout
	l.BigEndian = s.number("the parameters") != 0
	size := s.number("the parameters")
	s.skip(2, "the parameters") // the bounds of the arenas
	l.Arch, l.Version = s.text("the parameters"), s.text("the parameters")
	s.skip(1, "the parameters") // CPUs
	if l.PointerSize = int(size); s.err == nil && size != 4 && size != 8 {
		s.refuse(s.rec.Offset, "pointers have %d bytes, want 4 or 8", size)
	}
}

func (s *Scanner) goroutine() {
	r := &s.rec
	r.Address = s.number("a goroutine")
	s.skip(1, "a goroutine")
	r.Stack.ID, r.Stack.Started = s.number("a goroutine"), s.number("a goroutine")
	s.skip(1, "a goroutine")
	r.Stack.System = s.number("a goroutine") != 0
	s.skip(2, "a goroutine")
	r.Stack.Wait = s.text("a goroutine")
	s.skip(4, "a goroutine")
}

func (s *Scanner) frame() {
	r := &s.rec
	r.Address = s.number("a frame")
	r.Frame.Depth = s.number("a frame")
	s.skip(1, "a frame")
	s.contents("a frame", false)
	r.Frame.Entry, r.Frame.PC = s.number("a frame"), s.number("a frame")
	s.skip(1, "a frame")
	r.Name = s.text("a frame")
	s.fields = s.err == nil
}

func (s *Scanner) memory() {
	var all [memStats]uint64
	for i := range all {
		all[i] = s.number("the statistics of memory")
	}
	s.Memory = runtime.MemStats{
		HeapAlloc: all[6], HeapSys: all[7], HeapIdle: all[8], HeapInuse: all[9], HeapReleased: all[10],
		HeapObjects: all[11], StackInuse: all[12], StackSys: all[13], MSpanInuse: all[14], MSpanSys: all[15],
		MCacheInuse: all[16], MCacheSys: all[17], BuckHashSys: all[18], GCSys: all[19], OtherSys: all[20],
		NextGC: all[21], LastGC: all[22],
	}
}

// mostSites is how many places of a stack are kept: the runtime keeps 128 (debug.profstackdepth).
const mostSites = 128

// allocations reads a record of the profile of allocations: size, stack, counts.
func (s *Scanner) allocations() {
	const what = "the profile of allocations"
	s.rec.Address, s.rec.Size = s.number(what), s.number(what)
	for n := s.number(what); n > 0 && s.err == nil; n-- {
		site := symbol.Frame{Function: s.text(what), File: s.text(what), Line: int64(s.number(what))}
		if len(s.rec.Sites) < mostSites {
			s.rec.Sites = append(s.rec.Sites, site)
		}
	}
	s.skip(2, what)
}

// contents skips bytes of memory, which Word reads, and says whether pointers follow at once.
func (s *Scanner) contents(of string, fields bool) {
	s.rec.Size = s.length(of)
	s.body = s.pos
	s.pos += int64(s.rec.Size)
	s.fields = fields && s.err == nil
}

// Pointer returns the offset of the next pointer in the contents of the record; ok is false after the last one.
func (s *Scanner) Pointer() (offset uint64, ok bool) {
	if !s.fields {
		return 0, false
	}
	at := s.pos
	kind := s.number("a list of pointers")
	if kind == 0 || s.err != nil {
		s.fields = false
		return 0, false
	}
	offset = s.number("a list of pointers")
	if kind > 3 {
		s.refuse(at, "a field has the unknown kind %d", kind)
	}
	s.fields = s.err == nil
	return offset, s.fields
}

// Word reads the pointer-sized number at an offset in the contents of the record; 0 outside.
func (s *Scanner) Word(offset uint64) uint64 {
	n := s.Layout.PointerSize
	if n == 0 || offset > s.rec.Size || s.rec.Size-offset < uint64(n) {
		return 0
	}
	at := s.body + int64(offset)
	w := &s.main
	if at < w.base || at+int64(n) > w.base+int64(len(w.buf)) {
		w = &s.side
	}
	b, err := w.at(at, n)
	if err != nil || len(b) < n {
		s.cut("contents", at, err)
		return 0
	}
	return s.Layout.word(b)
}

func (l Layout) word(b []byte) uint64 {
	var order binary.ByteOrder = binary.LittleEndian
	if l.BigEndian {
		order = binary.BigEndian
	}
	if l.PointerSize == 4 {
		return uint64(order.Uint32(b))
	}
	return order.Uint64(b)
}

// Err is the first fault; Word and Pointer return nothing after it.
func (s *Scanner) Err() error { return s.err }

func (s *Scanner) skip(n int, of string) {
	for range n {
		s.number(of)
	}
}

func (s *Scanner) number(of string) uint64 {
	if s.err != nil {
		return 0
	}
	v, n, err := s.main.uvarint(s.pos)
	if n == 0 {
		s.cut(of, s.pos, err)
		return 0
	}
	s.pos += int64(n)
	return v
}

// length reads a length and compares it with what is left of the file.
func (s *Scanner) length(of string) uint64 {
	at := s.pos
	n := s.number(of)
	if left := uint64(s.main.size - s.pos); n > left {
		s.refuse(at, "%s has %d bytes, and the file has %d more", of, n, left)
		return 0
	}
	return n
}

func (s *Scanner) text(of string) string {
	at := s.pos
	n := s.length("the name of " + of)
	if n > longest {
		s.refuse(at, "the name of %s has %d bytes, more than %d", of, n, longest)
	}
	if s.err != nil {
		return ""
	}
	b, err := s.main.at(s.pos, int(n))
	if uint64(len(b)) < n {
		s.cut("the name of "+of, s.pos, err)
		return ""
	}
	s.pos += int64(n)
	return string(b)
}

// cut is the fault of a dump that ends in the middle, or of a file that cannot be read.
func (s *Scanner) cut(of string, at int64, err error) {
	switch {
	case s.err != nil:
	case err != nil:
		s.err = fail.New(fail.Or(fail.BadInput, err), "read heap dump at byte %d: %w", at, err)
	case at < s.main.size-binary.MaxVarintLen64:
		s.refuse(at, "%s has a number of more than 64 bits", of)
	default:
		s.refuse(at, "%s is cut off: the file ends", of)
	}
}

func (s *Scanner) refuse(at int64, format string, args ...any) {
	if s.err == nil {
		s.err = fail.New(fail.BadInput, "heap dump, byte %d: "+format, append([]any{at}, args...)...).
			WithHint("write the dump again, and copy it when debug.WriteHeapDump has returned: it stops the program and " +
				"writes to the end")
	}
}

// GoTo goes to the record that begins at an offset of the file, as Entry.Offset said it.
func (s *Scanner) GoTo(offset int64) { s.pos, s.fields = offset, false }
