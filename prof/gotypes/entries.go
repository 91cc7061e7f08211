package gotypes

import (
	"debug/dwarf"

	"github.com/gohone/hone/internal/text/fail"
)

// entries are those of the program's DWARF, of which only so many are read.
type entries struct {
	data  *dwarf.Data
	reads int // entries that may still be read
	// fault says that a type is one that no program can have; see contain.go.
	fault error
}

// Fault is what no program of Go has: a type that contains itself, types in types without end. nil: none was found so
// far.
func (e *entries) Fault() error { return e.fault }

func (e *entries) refuse(format string, args ...any) {
	if e.fault == nil {
		e.fault = fail.New(fail.BadInput, "the program's DWARF is damaged: "+format, args...).WithHint("%s", asBuilt)
	}
}

// next reads an entry of DWARF; nil at the end, or after more entries than any program needs.
func (e *entries) next(r *dwarf.Reader) *dwarf.Entry {
	if e.reads--; e.reads < 0 {
		e.refuse("its entries refer to each other in more ways than there are entries")
		return nil
	}
	entry, err := r.Next()
	if err != nil {
		return nil
	}
	return entry
}

// skipChildren goes past the children of the entry that was read last.
func (e *entries) skipChildren(r *dwarf.Reader) {
	for depth := 1; depth > 0; {
		entry := e.next(r)
		switch {
		case entry == nil:
			return
		case entry.Tag == 0:
			depth--
		case entry.Children:
			depth++
		}
	}
}

// entryAt is the entry at an offset.
func (e *entries) entryAt(at dwarf.Offset) *dwarf.Entry {
	r := e.data.Reader()
	r.Seek(at)
	return e.next(r)
}
