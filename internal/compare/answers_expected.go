package compare

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gohone/hone/internal/units"
)

// body is the content of an answer as it is compared.
type body struct {
	length int64
	hash   uint64
}

// expected is what A answered to one request, and what of B's answers differs from it.
type expected struct {
	starts   map[int]bool
	n        int // answers of A
	codes    map[int]bool
	bodies   map[body]bool
	shortest int64
	longest  int64
	fields   map[string]*field
	volatile bool // bodies differ by nature

	compared int // answers of B
	found    map[string]*AnswerDifference
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
				starts: map[int]bool{}, codes: map[int]bool{}, bodies: map[body]bool{}, fields: map[string]*field{},
				shortest: answer.Length, longest: answer.Length, found: map[string]*AnswerDifference{}, volatile: volatile,
			}
			all[answer.Request] = e
		}
		e.n++
		e.starts[answer.Start], e.codes[answer.Code], e.bodies[bodyOf(answer)] = true, true, true
		e.shortest, e.longest = min(e.shortest, answer.Length), max(e.longest, answer.Length)
		for name, value := range answer.Fields {
			if e.fields[name] == nil {
				e.fields[name] = &field{values: map[uint64]bool{}}
			}
			e.fields[name].n++
			e.fields[name].values[value] = true
		}
	}
	for _, e := range all {
		e.volatile = e.volatile || len(e.bodies) > 1
	}
	return all
}

func bodyOf(a Answer) body { return body{a.Length, a.Content} }

// compare notes how an answer of B differs, by the first kind that fits.
func (e *expected) compare(b Answer) {
	e.compared++
	if !e.codes[b.Code] {
		e.note(AnswersStatus, b, fmt.Sprintf("status %s, now %d", list(e.codes), b.Code))
		return
	}
	switch kind := e.bodyKind(b); kind {
	case "":
	case AnswersContent:
		e.note(kind, b, "other "+lengthOf(b.Length))
		return
	default:
		e.note(kind, b, fmt.Sprintf("%s, now %s", e.lengths(), lengthOf(b.Length)))
		return
	}
	if name := e.otherField(b); name != "" {
		e.note(AnswersHeader, b, name)
	}
}

// bodyKind is how the body of an answer of B differs; empty if it does not.
func (e *expected) bodyKind(b Answer) string {
	low, high := e.shortest, e.longest
	if e.volatile {
		low -= int64(volatileMargin*float64(low)) + min(volatileBytes, low/2)
		high += int64(volatileMargin*float64(high)) + volatileBytes
	}
	switch {
	case b.Length == 0 && e.shortest > 0:
		return AnswersEmpty
	case b.Length < low:
		return AnswersShorter
	case b.Length > high:
		return AnswersLonger
	case !e.volatile && !e.bodies[bodyOf(b)]:
		return AnswersContent
	}
	return ""
}

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

func (e *expected) note(kind string, b Answer, text string) {
	if e.found[kind] == nil {
		if b.What != "" {
			text = b.What + ": " + text
		}
		e.found[kind] = &AnswerDifference{Kind: kind, Example: text}
	}
	e.found[kind].Count++
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

// still says that B answers equal requests of one start with the same body where A's bodies
// change: a counter that does not count, a time that does not pass.
func still(a, b []Answer, c map[uint64]*expected) bool {
	ofA, known := moving(a, c)
	ofB, also := moving(b, c)
	return known && also && ofA >= stillMoving && ofB <= stillShare*ofA
}

// moving is the share of different bodies among the answers to equal requests of one start, 0
// to 1; false without enough such answers.
func moving(all []Answer, c map[uint64]*expected) (share float64, known bool) {
	type group struct {
		request uint64
		start   int
	}
	bodies, counts := map[group]map[body]bool{}, map[group]int{}
	for _, answer := range all {
		if e := c[answer.Request]; e == nil || !e.volatile || len(e.starts) < answersStarts {
			continue
		}
		g := group{answer.Request, answer.Start}
		if bodies[g] == nil {
			bodies[g] = map[body]bool{}
		}
		bodies[g][bodyOf(answer)] = true
		counts[g]++
	}
	different, n := 0, 0
	for g, count := range counts {
		if count >= stillLeast {
			different += len(bodies[g]) - 1 // one body is there in any case
			n += count - 1
		}
	}
	if n == 0 {
		return 0, false
	}
	return float64(different) / float64(n), true
}

// oneBody is the number of requests that A answers with different bodies and every start of B
// with one and the same; 0 if B's differ too.
func oneBody(b []Answer, c map[uint64]*expected) int {
	ofA, asked, ofB := map[body]bool{}, map[uint64]bool{}, map[int]body{}
	for _, answer := range b {
		e := c[answer.Request]
		if e == nil || len(e.starts) < answersStarts {
			continue
		}
		if one, known := ofB[answer.Start]; known && one != bodyOf(answer) {
			return 0
		}
		ofB[answer.Start], asked[answer.Request] = bodyOf(answer), true
		for one := range e.bodies {
			ofA[one] = true
		}
	}
	if len(asked) < 2 || 2*len(ofA) <= len(asked) {
		return 0
	}
	return len(asked)
}
