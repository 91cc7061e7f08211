package answer

import (
	"bytes"
	"html"
	"regexp"
	"sync/atomic"
	"unsafe"

	"github.com/tidwall/gjson"
)

// Take is a Take, compiled.
type Take struct {
	Value  int // of the dialog's values
	JSON   string
	Header []byte
	Cookie *Cookie // nil: no cookie
	Regex  *regexp.Regexp
	HTML   bool
}

// maxTaken bounds a value that is taken of an answer: 64 KiB, as much as a head has.
const maxTaken = 64 << 10

// OfBody says that the value stands in the body.
func (t *Take) OfBody() bool { return len(t.Header) == 0 && t.Cookie == nil }

// Taking takes the values of one step's answers on one connection.
type Taking struct {
	Takes  []Take
	Missed []atomic.Uint64 // by take, of all connections
	Values *Values
	Found  []bool // by take, in the answer that is being read
	Body   bool   // a value stands in the body
	// cookies are those that the head sets, by take.
	cookies [][]setCookie
}

// Values are the values of one connection: those of the feed's row, then those that
// were taken, whose bytes are kept.
type Values struct {
	Row  []string
	Kept [][]byte
}

// set keeps a value. It is missing if it is empty, too long, or would end a header.
func (v *Values) set(i int, value []byte) bool {
	if len(value) == 0 || len(value) > maxTaken {
		return false
	}
	for _, c := range value {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	v.Kept[i] = append(v.Kept[i][:0], value...)
	v.Row[i] = unsafe.String(unsafe.SliceData(v.Kept[i]), len(v.Kept[i]))
	return true
}

// Head takes the values of a head: all of its lines.
func (t *Taking) Head(lines []byte) {
	clear(t.Found)
	if t.cookies == nil {
		t.cookies = make([][]setCookie, len(t.Takes))
	}
	for i := range t.cookies {
		t.cookies[i] = t.cookies[i][:0]
	}
	for len(lines) > 0 {
		line := lines
		if i := bytes.IndexByte(lines, '\n'); i >= 0 {
			line, lines = lines[:i], lines[i+1:]
		} else {
			lines = nil
		}
		name, value, ok := bytes.Cut(line, []byte(":"))
		if !ok {
			continue
		}
		value = bytes.TrimSpace(value)
		for i := range t.Takes {
			one := &t.Takes[i]
			switch {
			case t.Found[i] || one.OfBody():
			case len(one.Header) > 0 && bytes.EqualFold(name, one.Header):
				t.Found[i] = t.Values.match(one, value)
			case one.Cookie != nil && bytes.EqualFold(name, setCookieName):
				if cookie, ok := one.Cookie.read(value); ok {
					t.cookies[i] = store(t.cookies[i], cookie)
				}
			}
		}
	}
	for i, all := range t.cookies {
		if one := &t.Takes[i]; one.Cookie != nil {
			t.Found[i] = t.Values.set(one.Value, one.Cookie.choose(all))
		}
	}
}

var setCookieName = []byte("Set-Cookie")

// match keeps what the expression of one finds in text, or all of it without one.
func (v *Values) match(one *Take, text []byte) bool {
	if one.Regex == nil {
		return v.set(one.Value, text)
	}
	at := one.Regex.FindSubmatchIndex(text)
	if at == nil || at[2] < 0 {
		return false
	}
	found := text[at[2]:at[3]]
	if one.HTML && bytes.IndexByte(found, '&') >= 0 {
		found = []byte(html.UnescapeString(string(found)))
	}
	return v.set(one.Value, found)
}

// end takes the values of a body, and says whether the answer had all of the step's.
func (t *Taking) end(body []byte, whole bool) bool {
	all := true
	valid := false
	for i := range t.Takes {
		one := &t.Takes[i]
		switch {
		case !one.OfBody() || !whole:
		case one.Regex != nil:
			t.Found[i] = t.Values.match(one, body)
		default:
			if valid = valid || gjson.ValidBytes(body); valid {
				t.Found[i] = t.Values.json(one, body)
			}
		}
		if !t.Found[i] {
			all = false
			t.Missed[i].Add(1)
		}
	}
	return all
}

func (v *Values) json(one *Take, body []byte) bool {
	r := gjson.Get(unsafe.String(unsafe.SliceData(body), len(body)), one.JSON) // see JSON.match
	text := r.Raw
	switch {
	case !r.Exists() || r.Type == gjson.Null:
		return false
	case r.Type == gjson.String:
		text = r.Str
	}
	return v.set(one.Value, unsafe.Slice(unsafe.StringData(text), len(text)))
}
