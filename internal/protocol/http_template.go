package protocol

import (
	"slices"
	"strconv"
	"strings"
)

// template is text with places for the columns of a feed.
type template []piece

// piece is text and the column behind it.
type piece struct {
	text   string
	column int  // none if negative
	escape bool // percent-encode the column's value
	place  place
	salt   int // tells the places of a request apart
}

// column is a place for a column in a text.
type column struct {
	begin, end int // of {name} in the text
	number     int // negative: place
	place      place
}

// longestPlace is that of {rand:K} with the largest K.
const longestPlace = len("rand:") + 19

// columns finds what fills a text: columns of the feed and, if braces are not raw, places.
func (o *Options) columns(text string) (all []column) {
	number, longest := map[string]int{}, 0
	if o.Feed != nil {
		for i, name := range o.Feed.Names {
			number[name] = i
			longest = max(longest, len(name))
		}
	}
	if !o.Raw {
		longest = max(longest, longestPlace)
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
		} else if p, ok, _ := placeOf(text[at : at+j]); ok && !o.Raw {
			all = append(all, column{begin: at - 1, end: at + j + 1, number: -1, place: p})
			at += j + 1
		}
	}
}

// templateOf makes a template of text; literal is applied to all outside the places,
// and escape says whether values are percent-encoded.
func (o *Options) templateOf(text string, literal func(string) string, escape bool) template {
	var t template
	at := 0
	for _, c := range o.columns(text) {
		t = append(t, piece{text: literal(text[at:c.begin]), column: c.number, escape: escape, place: c.place, salt: len(text)<<12 + c.begin})
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
	return !slices.ContainsFunc(t, func(p piece) bool { return p.column >= 0 || p.place.kind != noPlace })
}

// numbered says that the number of the request is in t.
func (t template) numbered() bool {
	return slices.ContainsFunc(t, func(p piece) bool { return p.place.kind == placeNumber })
}

// append appends t, filled, to dst.
func (t template) append(dst []byte, f fill) []byte {
	row := f.row
	for i := range t {
		p := &t[i]
		dst = append(dst, p.text...)
		switch {
		case p.place.kind != noPlace:
			dst = strconv.AppendUint(dst, p.place.value(&f, p.salt), 10)
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
func (t template) size(f fill) int {
	n := 0
	for i := range t {
		p := &t[i]
		n += len(p.text)
		switch {
		case p.place.kind != noPlace:
			n += digits(p.place.value(&f, p.salt))
		case p.column >= 0:
			n += len(f.row[p.column])
		}
	}
	return n
}
