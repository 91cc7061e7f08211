package protocol

import (
	"slices"
	"strings"
)

// template is text with places for the columns of a feed.
type template []piece

// piece is text and the column behind it.
type piece struct {
	text   string
	column int  // none if negative
	escape bool // percent-encode the column's value
}

// column is a place for a column in a text.
type column struct {
	begin, end int // of {name} in the text
	number     int
}

// columns finds the places in text that name a column of f, which may be nil.
func (f *Feed) columns(text string) (all []column) {
	if f == nil {
		return nil
	}
	number, longest := map[string]int{}, 0
	for i, name := range f.Names {
		number[name] = i
		longest = max(longest, len(name))
	}
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '{')
		if i < 0 {
			return all
		}
		at += i + 1
		// No name is longer: looking no further keeps this linear in a text of braces.
		j := strings.IndexByte(text[at:min(len(text), at+longest+1)], '}')
		if j < 0 {
			continue
		}
		if n, ok := number[text[at:at+j]]; ok {
			all = append(all, column{begin: at - 1, end: at + j + 1, number: n})
			at += j + 1
		}
	}
}

// templateOf makes a template of text; literal is applied to all outside the places,
// and escape says whether values are percent-encoded.
func (f *Feed) templateOf(text string, literal func(string) string, escape bool) template {
	var t template
	at := 0
	for _, c := range f.columns(text) {
		t = append(t, piece{text: literal(text[at:c.begin]), column: c.number, escape: escape})
		at = c.end
	}
	return t.then(literal(text[at:]))
}

// asIs is the literal function of text that is not encoded.
func asIs(s string) string { return s }

// then is t with text behind it.
func (t template) then(text string) template {
	if text == "" {
		return t
	}
	return append(t, piece{text: text, column: -1})
}

// fixed says that no column is in t.
func (t template) fixed() bool {
	return !slices.ContainsFunc(t, func(p piece) bool { return p.column >= 0 })
}

// append appends t, filled from row, to dst.
func (t template) append(dst []byte, row []string) []byte {
	for _, p := range t {
		dst = append(dst, p.text...)
		switch {
		case p.column < 0:
		case p.escape:
			dst = appendEscaped(dst, row[p.column], isUnreserved)
		default:
			dst = append(dst, row[p.column]...)
		}
	}
	return dst
}

// size is how many bytes append appends, where nothing is escaped.
func (t template) size(row []string) int {
	n := 0
	for _, p := range t {
		n += len(p.text)
		if p.column >= 0 {
			n += len(row[p.column])
		}
	}
	return n
}
