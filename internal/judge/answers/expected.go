package answers

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gohone/hone/internal/text/units"
)

// expected is what A answered to one request.
type expected struct {
	starts   map[int]bool
	n        int // answers of A
	codes    map[int]bool
	bodies   map[uint64]Answer // by hash; one of each
	raws     map[uint64]bool
	codings  map[string]bool
	packed   bool // some are in a coding that hone cannot undo
	wire     map[int64]bool
	wireSum  int64
	shortest int64
	longest  int64
	fields   map[string]*field
	volatile bool   // bodies differ by nature
	form     form   // in which they are compared
	heldBack tested // A's own bodies against the form that others of them have
}

// field is what A's answers to one request have in the place of a header field.
type field struct {
	n      int // answers that have it
	values map[uint64]bool
}

// answersOf sorts the answers of A by request.
func answersOf(a []Answer, volatile bool) map[uint64]*expected {
	all := map[uint64]*expected{}
	for _, answer := range a {
		e := all[answer.Request]
		if e == nil {
			e = &expected{
				starts: map[int]bool{}, codes: map[int]bool{}, bodies: map[uint64]Answer{}, fields: map[string]*field{},
				raws: map[uint64]bool{}, codings: map[string]bool{}, wire: map[int64]bool{},
				shortest: answer.Length, longest: answer.Length, volatile: volatile,
			}
			all[answer.Request] = e
		}
		e.add(answer)
	}
	var order []uint64
	for _, answer := range a { // as they came: what is drawn below must not depend on the order of a map
		order = append(order, answer.Content)
	}
	for _, e := range all {
		e.volatile = e.volatile || len(e.bodies) > 1
		if e.volatile && !volatile {
			e.form, e.heldBack = formOf(e.bodies, order)
			e.volatile = e.form.kind == formTemplate || e.form.kind == formNone
		}
	}
	return all
}

func (e *expected) add(a Answer) {
	e.n += a.count()
	e.starts[a.Start], e.codes[a.Code], e.raws[a.Raw], e.codings[a.Packed], e.wire[a.Wire] = true, true, true, true,
		true
	e.packed = e.packed || a.Opaque
	e.wireSum += a.Wire * int64(a.count())
	same := e.bodies[a.Content]
	if same.Body == nil {
		same.Body = a.Body
	}
	same.Count += a.count()
	e.bodies[a.Content] = same
	e.shortest, e.longest = min(e.shortest, a.Length), max(e.longest, a.Length)
	for name, value := range a.Fields {
		if e.fields[name] == nil {
			e.fields[name] = &field{values: map[uint64]bool{}}
		}
		e.fields[name].n += a.count()
		e.fields[name].values[value] = true
	}
}

// compare says how an answer of B differs, by the first kind that fits, with an example; the kind is
// empty if it does not.
func (e *expected) compare(b Answer) (kind, text string) {
	if !e.codes[b.Code] {
		return Status, fmt.Sprintf("status %s, now %d", list(e.codes), b.Code)
	}
	switch kind := e.bodyKind(b); kind {
	case "":
	case Content:
		return kind, "other " + lengthOf(b.Length)
	default:
		return kind, fmt.Sprintf("%s, now %s", e.lengths(), lengthOf(b.Length))
	}
	if name := e.otherField(b); name != "" {
		return Header, name
	}
	return "", ""
}

// bodyKind is how the body of an answer of B differs; empty if it does not.
func (e *expected) bodyKind(b Answer) string {
	if e.has(b) || e.opaque(b) {
		return ""
	}
	low, high := e.shortest, e.longest
	if e.volatile {
		low -= int64(volatileMargin*float64(low)) + min(volatileBytes, low/2)
		high += int64(volatileMargin*float64(high)) + volatileBytes
	}
	switch {
	case b.Length == 0 && e.shortest > 0:
		return Empty
	case e.form.kind == formSorted || e.form.kind == formBag:
		if e.form.matches(b.Body) {
			return ""
		}
	}
	switch {
	case b.Length < low:
		return Shorter
	case b.Length > high:
		return Longer
	case e.volatile && e.form.matches(b.Body):
		return ""
	}
	return Content
}

// has says that A answered so, too.
func (e *expected) has(b Answer) bool {
	_, has := e.bodies[b.Content]
	return has
}

// opaque says that nothing is known of the content of B's answer: it is packed, and so are A's.
func (e *expected) opaque(b Answer) bool { return b.Opaque && e.packed && !e.has(b) }

// otherwisePacked says that B's answer has A's content in another packing.
func (e *expected) otherwisePacked(b Answer) bool {
	packed := b.Packed != "" || len(e.codings) > 1 || !e.codings[""]
	return packed && !e.volatile && (!e.codings[b.Packed] || !e.wire[b.Wire])
}

// reordered says that B's answer is A's as JSON only.
func (e *expected) reordered(b Answer) bool { return !e.volatile && b.Body != nil && !e.raws[b.Raw] }

// otherField names a header field of B's answer that A's always or never have, or always have
// with another value; empty if there is none.
func (e *expected) otherField(b Answer) string {
	for _, name := range slices.Sorted(maps.Keys(b.Fields)) {
		f := e.fields[name]
		if f == nil {
			return name + " is new"
		}
		if f.n == e.n && len(f.values) == 1 && !f.values[b.Fields[name]] {
			return name + " differs"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.fields)) {
		if _, has := b.Fields[name]; !has && e.fields[name].n == e.n {
			return name + " is missing"
		}
	}
	return ""
}

// lengths are those of A's bodies.
func (e *expected) lengths() string {
	if e.shortest == e.longest {
		return lengthOf(e.longest)
	}
	return fmt.Sprintf("%s to %s", units.Count(uint64(e.shortest)), lengthOf(e.longest))
}

func lengthOf(n int64) string { return units.Count(uint64(n)) + " bytes" }

func list(codes map[int]bool) string {
	text := ""
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		if text != "" {
			text += " or "
		}
		text += fmt.Sprint(code)
	}
	return text
}
