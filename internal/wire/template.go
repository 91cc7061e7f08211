package wire

import (
	"slices"
	"strconv"
	"strings"
)

// Template is text with places for the columns of a feed.
type Template []piece

// piece is text and the column after it.
type piece struct {
	Text   string
	Column int  // none if negative
	escape bool // percent-encode the column's value
	Place  Place
	Salt   int // tells the places of a request apart
}

// column is a place for a column in a text.
type column struct {
	begin, end int // of {name} in the text
	number     int // negative: place
	place      Place
}

// longestPlace is that of {rand:K} with the largest K.
const longestPlace = len("rand:") + 19

// Columns finds what fills a text: columns of the feed and, if braces are not raw, places.
func (o *Options) Columns(text string) (all []column) {
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
		} else if p, ok, _ := PlaceOf(text[at : at+j]); ok && !o.Raw {
			all = append(all, column{begin: at - 1, end: at + j + 1, number: -1, place: p})
			at += j + 1
		}
	}
}

// TemplateOf makes a template of text; literal is applied to all outside the places,
// and escape says whether values are percent-encoded.
func (o *Options) TemplateOf(text string, literal func(string) string, escape bool) Template {
	var t Template
	at := 0
	for _, c := range o.Columns(text) {
		t = append(t, piece{Text: literal(text[at:c.begin]), Column: c.number, escape: escape, Place: c.place,
			Salt: len(text)<<12 + c.begin})
		at = c.end
	}
	return t.Then(literal(text[at:]))
}

// BodyTemplate makes a template of the body. In a form, values are percent-encoded as they are in a URL: one with & in
// it would otherwise be two fields.
func (o *Options) BodyTemplate() Template {
	form := AnyHeader(o.Headers, "Content-Type", func(value string) bool {
		kind, _, _ := strings.Cut(value, ";")
		return strings.EqualFold(strings.TrimSpace(kind), "application/x-www-form-urlencoded")
	})
	return o.TemplateOf(string(o.Body), AsIs, form)
}

// AsIs is the literal function of text that is not encoded.
func AsIs(s string) string { return s }

// Then is t with text after it.
func (t Template) Then(text string) Template {
	if text == "" {
		return t
	}
	return append(t, piece{Text: text, Column: -1})
}

// Fixed says that no column is in t.
func (t Template) Fixed() bool {
	return !slices.ContainsFunc(t, func(p piece) bool { return p.Column >= 0 || p.Place.Kind != NoPlace })
}

// Numbered says that the number of the request is in t.
func (t Template) Numbered() bool {
	return slices.ContainsFunc(t, func(p piece) bool { return p.Place.Kind == PlaceNumber })
}

// Append appends t, filled, to dst.
func (t Template) Append(dst []byte, f Fill) []byte {
	row := f.Row
	for i := range t {
		p := &t[i]
		dst = append(dst, p.Text...)
		switch {
		case p.Place.Kind != NoPlace:
			dst = strconv.AppendUint(dst, p.Place.Value(&f, p.Salt), 10)
		case p.Column < 0:
		case p.escape:
			dst = AppendEscaped(dst, row[p.Column], IsUnreserved)
		default:
			dst = append(dst, row[p.Column]...)
		}
	}
	return dst
}

// Size is how many bytes Append appends.
func (t Template) Size(f Fill) int {
	n := 0
	for i := range t {
		p := &t[i]
		n += len(p.Text)
		switch {
		case p.Place.Kind != NoPlace:
			n += Digits(p.Place.Value(&f, p.Salt))
		case p.Column >= 0 && p.escape:
			n += escapedLen(f.Row[p.Column], IsUnreserved)
		case p.Column >= 0:
			n += len(f.Row[p.Column])
		}
	}
	return n
}
