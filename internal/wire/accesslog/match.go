package accesslog

import (
	"fmt"
	"strings"
)

// match is a line while it is compared with a format.
type match struct {
	*layout
	text   string
	values []string // of each part
	tail   string
	// steps bounds the work: variables whose end is not certain are tried one end after the other.
	steps int
	// furthest is the part that was reached in the line, at the byte reached.
	furthest, reached int
}

// mostSteps are enough for any line that is in a format: one step for each part and place where it may end.
const mostSteps = 20_000

func newMatch(l *layout, text string) *match {
	return &match{layout: l, text: text, values: make([]string, len(l.parts)), steps: mostSteps}
}

// line compares the whole line.
func (m *match) line() bool {
	if m.from(0, 0) {
		return true
	}
	for i := 0; m.open && i < len(m.text)-1; i++ {
		if isBlank(m.text[i]) && !isBlank(m.text[i+1]) && m.from(0, i+1) {
			return true
		}
	}
	return false
}

// from compares the parts from one on with the line from a byte on.
func (m *match) from(part, at int) bool {
	if part > m.furthest || part == m.furthest && at > m.reached {
		m.furthest, m.reached = part, at
	}
	if m.steps--; m.steps < 0 {
		return false
	}
	if part == len(m.parts) {
		return m.end(at)
	}
	p := &m.parts[part]
	if p.variable == "" {
		next, ok := literalAt(m.text, at, p.literal)
		return ok && m.from(part+1, next)
	}
	most := p.reach(m.text[at:])
	least := 1
	if p.mayBeEmpty {
		least = 0
	}
	if part+1 == len(m.parts) || m.parts[part+1].variable != "" {
		// Nothing says where it ends: it has all that it may have.
		least = max(least, most)
	}
	for n := least; n <= most; n++ {
		if m.values[part] = m.text[at : at+n]; m.from(part+1, at+n) {
			return true
		}
	}
	return false
}

// end says that the line may end after the format.
func (m *match) end(at int) bool {
	rest := m.text[at:]
	if m.tail = strings.TrimSpace(rest); m.tail == "" {
		return true
	}
	return m.open && isBlank(rest[0])
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// literalAt compares literal text, in which any number of blanks stands for one: programs pad columns.
func literalAt(text string, at int, literal string) (next int, ok bool) {
	for i := 0; i < len(literal); i++ {
		switch c := literal[i]; {
		case isBlank(c) && i > 0 && isBlank(literal[i-1]):
		case isBlank(c):
			from := at
			for at < len(text) && isBlank(text[at]) {
				at++
			}
			if at == from {
				return at, false
			}
		case at == len(text) || text[at] != c:
			return at, false
		default:
			at++
		}
	}
	return at, true
}

// mismatch says where a line stops to be in the format.
func (l *layout) mismatch(text string) string {
	m := newMatch(l, text)
	if m.line() {
		return "its time is in no known notation"
	}
	rest := fmt.Sprintf("it goes on with %.30q", text[m.reached:])
	if m.reached == len(text) {
		rest = "it ends"
	}
	if m.furthest == len(l.parts) {
		return fmt.Sprintf("after all of the format, at column %d, %s", m.reached+1, rest)
	}
	return fmt.Sprintf("at column %d the format has %s, and %s", m.reached+1, l.parts[m.furthest].shown(), rest)
}

func (p *part) shown() string {
	if p.variable != "" {
		return "$" + p.variable
	}
	return fmt.Sprintf("%q", p.literal)
}
