package holders

import (
	"strings"

	"github.com/gohone/hone/prof/gotypes"
	"github.com/gohone/hone/prof/heapdump"
)

// origin says whether a program is the one that wrote a dump: all functions of goroutines have to begin where they do
// in the program's table of lines, which also a stripped program has.
type origin struct {
	names   map[uint64]string // of functions of goroutines, by the address of their code in memory
	entries []uint64          // in the order of the dump
}

// mostChecked is how many functions are compared.
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

// check compares the dump with its program, and finds out where a stripped one was loaded.
func (o *origin) check(h *heap) error {
	p := h.program
	if p == nil {
		return nil
	}
	if dump, _, _ := strings.Cut(h.layout.Version, " "); p.GoVersion != "" && dump != p.GoVersion {
		return badProgram("the dump is of %s, the program of %s", dump, p.GoVersion)
	}
	if !p.HasLines() || len(o.entries) == 0 {
		return nil
	}
	if p.Data == 0 {
		first := o.entries[0]
		entry, ok := p.EntryOf(o.names[first])
		if !ok {
			return o.differs(first)
		}
		h.slide = first - entry
	}
	for _, entry := range o.entries {
		if p.FunctionAt(entry-h.slide) != o.names[entry] {
			return o.differs(entry)
		}
	}
	return nil
}

func (o *origin) differs(entry uint64) error {
	return badProgram("the dump has the function %s at %#x, the program does not", gotypes.Short(o.names[entry]), entry)
}
