package vary

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gohone/hone/internal/wire"
)

// leastNumbers is how many numbers, or ends of words, there are at least in the place of one: more than a check has
// requests for a cache to be of much use.
const leastNumbers = 1 << 14

// valuesFound says what a request has of its own.
type valuesFound struct{ numbers, words bool }

// otherValues puts places for the numbers in the path, the query and the body of a request; words says to lengthen the
// words in its query and its body, too. A number that counts things is below the one that is there, as far as anyone
// can know.
func otherValues(target string, o wire.Options, words bool) (Variation, valuesFound) {
	var found valuesFound
	fill := filler{words: words, found: &found}
	url := func(text string) string {
		address, path := parts(text)
		return address + fill.path(path)
	}
	v := Variation{Target: url(target), Values: true}
	o.Requests = withPaths(o.Requests, url)
	switch {
	case isForm(o):
		o.Body = []byte(fill.query(string(o.Body)))
	case json.Valid(o.Body):
		o.Body = jsonValue.ReplaceAllFunc(o.Body, fill.inJSON)
	case utf8.Valid(o.Body):
		o.Body = wholeNumber.ReplaceAllFunc(o.Body, fill.inText)
	}
	v.Options, v.By = o, "other numbers"
	switch {
	case words && found.words && found.numbers:
		v.By = "other numbers and words"
	case words && found.words:
		v.By = "other words"
	}
	return v, found
}

// parts cuts a URL, or a path, before its path.
func parts(target string) (address, path string) {
	from := 0
	if scheme := strings.Index(target, "://"); scheme >= 0 {
		from = scheme + len("://")
	} else if socket, ok := strings.CutPrefix(target, "unix:"); ok {
		i := strings.Index(socket, ":")
		if i < 0 {
			return target, ""
		}
		from = len("unix:") + i
	}
	i := strings.IndexAny(target[from:], "/?")
	if i < 0 {
		return target, ""
	}
	return target[:from+i], target[from+i:]
}

// filler puts places for values, and notes which it found.
type filler struct {
	words bool
	found *valuesFound
}

// number is the place for a number; not ok if the text is not one.
func (f filler) number(text string) (place string, ok bool) {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return text, false
	}
	f.found.numbers = true
	return fmt.Sprintf("{rand:%d}", max(n, leastNumbers)), true
}

// value is the place for a value, as far as it is of a kind that is to vary.
func (f filler) value(text string) string {
	if place, ok := f.number(text); ok || text == "" || strings.ContainsAny(text, "{}") {
		return place
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil || text == "true" || text == "false" {
		return text
	}
	f.found.words = true
	if !f.words {
		return text
	}
	return text + fmt.Sprintf("{rand:%d}", leastNumbers)
}

// path is a path with its query: segments that are numbers, and all values of the query.
func (f filler) path(text string) string {
	text, _, _ = strings.Cut(text, "#")
	path, query, asked := strings.Cut(text, "?")
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i], _ = f.number(s)
	}
	path = strings.Join(segments, "/")
	if asked {
		path += "?" + f.query(query)
	}
	return path
}

func (f filler) query(text string) string {
	pairs := strings.Split(text, "&")
	for i, pair := range pairs {
		if name, value, ok := strings.Cut(pair, "="); ok {
			pairs[i] = name + "=" + f.value(value)
		}
	}
	return strings.Join(pairs, "&")
}

// wholeNumber is a number that stands alone.
var wholeNumber = regexp.MustCompile(`\b[0-9]+\b`)

func (f filler) inText(number []byte) []byte {
	place, _ := f.number(string(number))
	return []byte(place)
}

// jsonValue is a string, with the colon after it where it is a key, or a number.
var jsonValue = regexp.MustCompile(`"(?:[^"\\]|\\.)*"(?:\s*:)?|-?[0-9][0-9.eE+-]*`)

// inJSON is the place for a value of a valid text in JSON. The keys of objects stay.
func (f filler) inJSON(value []byte) []byte {
	if value[0] != '"' {
		return f.inText(value)
	}
	text, ok := bytes.CutSuffix(value, []byte(`"`))
	if !ok || len(text) == 1 || bytes.ContainsAny(text, "{}") { // a key, nothing, or braces of its own
		return value
	}
	f.found.words = true
	if !f.words {
		return value
	}
	return fmt.Appendf(nil, `%s{rand:%d}"`, text, leastNumbers)
}
