package protocol

import (
	"bytes"
	"regexp"
	"sync/atomic"
	"unsafe"

	"github.com/tidwall/gjson"
)

// httpTake is a Take, compiled.
type httpTake struct {
	value  int // of the dialog's values
	json   string
	header []byte
	cookie []byte
	regex  *regexp.Regexp
}

// maxTaken bounds a value that is taken of an answer: 64 KiB, as much as a head has.
const maxTaken = 64 << 10

// ofBody says that the value stands in the body.
func (t *httpTake) ofBody() bool { return len(t.header) == 0 && len(t.cookie) == 0 }

// httpTaking takes the values of one step's answers on one connection.
type httpTaking struct {
	takes  []httpTake
	missed []atomic.Uint64 // by take, of all connections
	values *httpValues
	found  []bool // by take, in the answer that is being read
	body   bool   // a value stands in the body
}

// httpValues are the values of one connection: those of the feed's row, then those that
// were taken, whose bytes are kept.
type httpValues struct {
	row  []string
	kept [][]byte
}

// set keeps a value. It is missing if it is empty, too long, or would end a header.
func (v *httpValues) set(i int, value []byte) bool {
	if len(value) == 0 || len(value) > maxTaken {
		return false
	}
	for _, c := range value {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	v.kept[i] = append(v.kept[i][:0], value...)
	v.row[i] = unsafe.String(unsafe.SliceData(v.kept[i]), len(v.kept[i]))
	return true
}

// head takes the values of a head: all of its lines.
func (t *httpTaking) head(lines []byte) {
	clear(t.found)
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
		for i := range t.takes {
			one := &t.takes[i]
			switch {
			case t.found[i] || one.ofBody():
			case len(one.header) > 0 && bytes.EqualFold(name, one.header):
				t.found[i] = t.values.match(one, value)
			case len(one.cookie) > 0 && bytes.EqualFold(name, setCookie):
				if cookie, rest, ok := bytes.Cut(value, []byte("=")); ok && string(cookie) == string(one.cookie) {
					rest, _, _ = bytes.Cut(rest, []byte(";"))
					t.found[i] = t.values.set(one.value, bytes.TrimSpace(rest))
				}
			}
		}
	}
}

var setCookie = []byte("Set-Cookie")

// match keeps what the expression of one finds in text, or all of it without one.
func (v *httpValues) match(one *httpTake, text []byte) bool {
	if one.regex == nil {
		return v.set(one.value, text)
	}
	at := one.regex.FindSubmatchIndex(text)
	return at != nil && at[2] >= 0 && v.set(one.value, text[at[2]:at[3]])
}

// end takes the values of a body, and says whether the answer had all of the step's.
func (t *httpTaking) end(body []byte, whole bool) bool {
	all := true
	valid := false
	for i := range t.takes {
		one := &t.takes[i]
		switch {
		case !one.ofBody() || !whole:
		case one.regex != nil:
			t.found[i] = t.values.match(one, body)
		default:
			if valid = valid || gjson.ValidBytes(body); valid {
				t.found[i] = t.values.json(one, body)
			}
		}
		if !t.found[i] {
			all = false
			t.missed[i].Add(1)
		}
	}
	return all
}

func (v *httpValues) json(one *httpTake, body []byte) bool {
	r := gjson.Get(unsafe.String(unsafe.SliceData(body), len(body)), one.json) // see httpJSON.match
	text := r.Raw
	switch {
	case !r.Exists() || r.Type == gjson.Null:
		return false
	case r.Type == gjson.String:
		text = r.Str
	}
	return v.set(one.value, unsafe.Slice(unsafe.StringData(text), len(text)))
}
