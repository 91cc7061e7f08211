package answer

import (
	"unsafe"

	"github.com/tidwall/gjson"

	"github.com/gohone/hone/internal/text/fail"
)

// JSON is a check of a value in a JSON body. It is shared and never changes.
type JSON struct {
	path, value string
	exact       bool // the value must be value, not just exist
}

// NewJSON reads "PATH" or "PATH=VALUE". The = is the first that is in no brackets
// or quotes, so that queries such as items.#(id=="x").name are paths.
func NewJSON(check string) (*JSON, error) {
	at, ok := equalsSign(check)
	j := &JSON{path: check[:at]}
	if at < len(check) {
		j.value, j.exact = check[at+1:], true
	}
	if !ok || j.path == "" {
		return nil, fail.New(fail.BadInput, "JSON check %q is not of the form PATH or PATH=VALUE", check).
			WithHint("for example items.0.id=7, or items.# for the number of items; brackets and quotes go in pairs")
	}
	return j, nil
}

// equalsSign finds the = between path and value, or else the end. It is not ok if
// brackets or quotes in the path are open at its end.
func equalsSign(check string) (at int, ok bool) {
	var open []byte // what closes what is open
	for i := 0; i < len(check); i++ {
		c := check[i]
		quoted := len(open) > 0 && open[len(open)-1] == '"'
		switch {
		case c == '\\':
			i++
		case len(open) > 0 && c == open[len(open)-1]:
			open = open[:len(open)-1]
		case quoted:
		case c == '=' && len(open) == 0:
			return i, true
		case c == '"':
			open = append(open, '"')
		case c == '(':
			open = append(open, ')')
		case c == '[':
			open = append(open, ']')
		case c == '{':
			open = append(open, '}')
		}
	}
	return len(check), len(open) == 0
}

// Match checks a whole body: valid JSON that has the value. It keeps nothing of body.
func (j *JSON) Match(body []byte) bool {
	if !gjson.ValidBytes(body) {
		return false
	}
	// gjson.GetBytes copies what it finds. A string over the body's own bytes spares
	// that: nothing changes them before the result is dropped at the end.
	r := gjson.Get(unsafe.String(unsafe.SliceData(body), len(body)), j.path)
	return j.right(r)
}

// right says that what stands at the path is what is wanted there.
func (j *JSON) right(r gjson.Result) bool {
	if !r.Exists() || !j.exact {
		return r.Exists()
	}
	if r.Type == gjson.String {
		return r.Str == j.value
	}
	return r.Raw == j.value
}
