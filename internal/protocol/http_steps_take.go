package protocol

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unsafe"

	"github.com/tidwall/gjson"
	"golang.org/x/net/http/httpguts"

	"github.com/gohone/hone/internal/fail"
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

// takeForms is how a hint says what ParseTake reads.
const takeForms = "write json PATH, header NAME, cookie NAME, regex EXPRESSION, or header NAME ~ EXPRESSION"

// ParseTake reads what a user writes behind the name of a value: "json data.token",
// "header X-Token", "cookie session", "regex token=([a-z]+)", "header Location ~ /items/([0-9]+)".
// Errors are *fail.Error of kind BadInput.
func ParseTake(name, text string) (Take, error) {
	kind, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	rest = strings.TrimSpace(rest)
	t := Take{Name: name}
	switch {
	case rest == "":
		return t, fail.New(fail.BadInput, "take %s: %q does not say where the value is", name, text).WithHint(takeForms)
	case kind == "json":
		t.JSON = rest
	case kind == "cookie":
		t.Cookie = rest
	case kind == "regex":
		t.Regex = rest
	case kind == "header":
		header, expression, matched := strings.Cut(rest, "~")
		t.Header, t.Regex = strings.TrimSpace(header), strings.TrimSpace(expression)
		if matched && t.Regex == "" {
			return t, fail.New(fail.BadInput, "take %s: nothing stands behind ~", name).WithHint(takeForms)
		}
	default:
		return t, fail.New(fail.BadInput, "take %s: %q is no place in an answer", name, kind).WithHint(takeForms)
	}
	return t, t.check()
}

// check says what is wrong with a Take.
func (t Take) check() error {
	set := 0
	for _, text := range []string{t.JSON, t.Header, t.Cookie} {
		if text != "" {
			set++
		}
	}
	switch {
	case !isWord(t.Name) || "{"+t.Name+"}" == PortTemplate:
		return fail.New(fail.BadInput, "take: %q is no name of a value", t.Name).WithHint("names have letters, digits, _ . - and are not port")
	case set > 1 || set == 0 && t.Regex == "" || t.Regex != "" && (t.JSON != "" || t.Cookie != ""):
		return fail.New(fail.BadInput, "take %s: want one place in the answer", t.Name).WithHint(takeForms)
	case t.Header != "" && !httpguts.ValidHeaderFieldName(t.Header), t.Cookie != "" && !httpguts.ValidHeaderFieldName(t.Cookie):
		return fail.New(fail.BadInput, "take %s: %q is no name of a header or a cookie", t.Name, t.Header+t.Cookie).WithHint(takeForms)
	}
	if t.Regex == "" {
		return nil
	}
	rx, err := regexp.Compile(t.Regex)
	if err != nil {
		return fail.New(fail.BadInput, "take %s: %w", t.Name, err).WithHint("expressions are those of Go: https://pkg.go.dev/regexp/syntax")
	}
	if rx.NumSubexp() != 1 {
		return fail.New(fail.BadInput, "take %s: %q has %d groups, want 1", t.Name, t.Regex, rx.NumSubexp()).
			WithHint("put what is to be taken in (...), and other groups in (?:...)")
	}
	return nil
}

// compileTake compiles a take and gives its value a number: several steps may take the
// same value anew.
func (p *httpSteps) compileTake(t Take) (httpTake, error) {
	if err := t.check(); err != nil {
		return httpTake{}, err
	}
	i := slices.Index(p.names, t.Name)
	switch {
	case i >= 0 && i < p.columns:
		return httpTake{}, fail.New(fail.BadInput, "take %s: a column of the feed has that name", t.Name).WithHint("give the value another name")
	case i < 0:
		i = len(p.names)
		p.names = append(p.names, t.Name)
	}
	out := httpTake{value: i, json: t.JSON, header: []byte(t.Header), cookie: []byte(t.Cookie)}
	if t.Regex != "" {
		out.regex = regexp.MustCompile(t.Regex) // check has compiled it
	}
	return out, nil
}

// ofBody says that the value stands in the body.
func (t *httpTake) ofBody() bool { return len(t.header) == 0 && len(t.cookie) == 0 }

// httpTaking takes the values of one step's answers on one connection.
type httpTaking struct {
	step   *httpStep
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
		for i := range t.step.takes {
			one := &t.step.takes[i]
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
	for i := range t.step.takes {
		one := &t.step.takes[i]
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
			t.step.missed[i].Add(1)
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
