package holders

import (
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof/gotypes"
	"github.com/gohone/hone/prof/heapdump"
)

// origin says whether a program is the one that wrote a dump, by what a dump has of its program:
//
//   - the segment of data, which lies where the symbols say, or the section of a stripped program;
//   - functions of goroutines, which begin where they do in the table of lines, which also a stripped program has;
//   - types, which have the size that the DWARF says.
//
// The build ID is not in a dump. A program with which nothing can be compared is refused.
type origin struct {
	names          map[uint64]string // of functions of goroutines, by the address of their code in memory
	entries        []uint64          // in the order of the dump
	types          []heapdump.Entry
	data, dataSize uint64
}

// mostChecked is how many functions and types are compared.
const mostChecked = 1 << 12

// add notes the function of a frame.
func (o *origin) add(rec *heapdump.Entry) {
	if o.names == nil {
		o.names = map[uint64]string{}
	}
	if _, known := o.names[rec.Frame.Entry]; known || len(o.entries) >= mostChecked ||
		strings.HasPrefix(rec.Name, "unknown") {
		return
	}
	o.names[rec.Frame.Entry] = rec.Name
	o.entries = append(o.entries, rec.Frame.Entry)
}

func (o *origin) addType(rec *heapdump.Entry) {
	if len(o.types) < mostChecked {
		o.types = append(o.types, *rec)
	}
}

// check compares the dump with its program, and finds out where a stripped one was loaded.
func (o *origin) check(h *heap) error {
	p := h.program
	if p == nil {
		return nil
	}
	if dump, _, _ := strings.Cut(h.layout.Version, " "); p.GoVersion != "" && dump != p.GoVersion {
		return differs("the dump is of %s, the program of %s", dump, p.GoVersion)
	}
	functions := p.HasLines() && len(o.entries) > 0
	if p.Data > 0 && o.dataSize > 0 && o.dataSize != p.DataSize {
		return differs("the dump's data segment has %d bytes, that of the program %d", o.dataSize, p.DataSize)
	}
	if p.Data == 0 && !functions {
		return fail.New(fail.BadInput, "nothing in this program says whether it wrote the dump: it has neither symbols nor "+
			"a table of functions").WithHint("name the executable as go build wrote it, with its sections")
	}
	if functions {
		if err := o.checkFunctions(h); err != nil {
			return err
		}
	}
	at := o.data - h.slide - p.Section
	if p.Data == 0 && p.SectionSize > 0 && (at > p.SectionSize || at+o.dataSize > p.SectionSize ||
		p.Alone && (at != 0 || o.dataSize != p.SectionSize)) {
		return differs("the dump's data segment has %d bytes at %#x, that of the program %d at %#x", o.dataSize,
			o.data-h.slide, p.SectionSize, p.Section)
	}
	return o.checkTypes(h)
}

func (o *origin) checkFunctions(h *heap) error {
	p := h.program
	if p.Data == 0 {
		first := o.entries[0]
		entry, ok := p.EntryOf(o.names[first])
		if !ok {
			return o.noFunction(first)
		}
		h.slide = first - entry
	}
	for _, entry := range o.entries {
		if p.FunctionAt(entry-h.slide) != o.names[entry] {
			return o.noFunction(entry)
		}
	}
	return nil
}

// checkTypes compares the types that both have: the linker leaves out what it can do without.
func (o *origin) checkTypes(h *heap) error {
	for _, rec := range o.types {
		if t := h.program.Runtime(rec.Address - h.slide); t != nil && t.Size != rec.Size {
			return differs("the dump has the type %s of %d bytes at %#x, the program %s of %d",
				gotypes.Short(rec.Name), rec.Size, rec.Address, t.Short(), t.Size)
		}
	}
	return nil
}

func (o *origin) noFunction(entry uint64) error {
	return differs("the dump has the function %s at %#x, the program does not", gotypes.Short(o.names[entry]), entry)
}

func differs(format string, args ...any) error {
	return fail.New(fail.BadInput, "this is not the program that wrote the dump: "+format, args...).
		WithHint("name the executable that wrote it, not one that was built again from other source")
}
