package accesslog

import (
	"errors"
	"strings"
)

// layout is a format of lines of text: which column means what.
type layout struct {
	// name is how --set log.format names it; of one that the user wrote it is empty.
	name, format string
	// open formats may have text in front (as syslog and containers put it there), and further columns at the end.
	open  bool
	parts []part
	words []string // of the literal text, in its order: what a line has to have
}

// newLayout compiles a format.
func newLayout(name, format string, open bool) (*layout, error) {
	parts, err := partsOf(format)
	if err != nil {
		return nil, err
	}
	l := &layout{name: name, format: format, open: open, parts: parts}
	has := map[field]bool{}
	for i := range parts {
		p := &parts[i]
		if p.variable == "" {
			l.words = append(l.words, strings.Fields(p.literal)...)
			continue
		}
		p.reach = reachOf(p, l.bracketed(i))
		name := plainName(p.variable)
		of, isField := known[name]
		p.isRead = isField || isDuration(name)
		p.isAnswer = isField && of.field == answer
		has[of.field] = has[of.field] || isField
	}
	switch {
	case !has[moment]:
		return nil, errors.New("it has no time of the request: $time_local, $time_iso8601 or $msec")
	case !has[line] && !(has[method] && has[target]):
		return nil, errors.New("it has no request: $request, or $request_method and $request_uri")
	}
	return l, nil
}

// bracketed says that a variable stands between [ and ].
func (l *layout) bracketed(i int) bool {
	return i > 0 && strings.HasSuffix(l.parts[i-1].literal, "[") &&
		i+1 < len(l.parts) && strings.HasPrefix(l.parts[i+1].literal, "]")
}

// mayBe says quickly that a line has the literal text of the format.
func (l *layout) mayBe(text string) bool {
	for _, word := range l.words {
		i := strings.Index(text, word)
		if i < 0 {
			return false
		}
		text = text[i+len(word):]
	}
	return true
}

// entry reads a line. tail are the columns of an open format that it does not name.
func (l *layout) entry(text string) (e entry, tail string, ok bool) {
	m := newMatch(l, text)
	if !m.line() {
		return e, "", false
	}
	r := &record{}
	for i, p := range l.parts {
		value := m.values[i]
		switch {
		case !p.isRead:
			continue
		case value == "-" && p.isAnswer:
			value = "0" // of Apache: no body
		case value == "-":
			continue
		case p.quoted:
			value, _, _ = unquote(value + `"`)
		}
		r.put([]string{"$" + p.variable}, value)
	}
	e, ok = r.entry()
	return e, m.tail, ok
}
