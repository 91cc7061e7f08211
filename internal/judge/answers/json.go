package answers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// jsonValue is a value of JSON: an object, a list, or the text of anything else.
type jsonValue struct {
	kind    json.Delim // '{', '[', or 0
	text    string     // of a string, a number as it was written, true, false or null
	members []jsonMember
	items   []jsonValue
}

type jsonMember struct {
	key   string // as JSON
	value jsonValue
}

// mostJSONDepth bounds the nesting that is read: encoding/json has the same bound for what it
// decodes into values, and 10,000 levels would be no answer of a program.
const mostJSONDepth = 1000

var errDeepJSON = errors.New("JSON is nested too deeply")

// readJSON reads one value after the other: JSON, or JSON lines.
func readJSON(text []byte) (all []jsonValue, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		v, err := readJSONValue(d, token, 0)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
}

func readJSONValue(d *json.Decoder, token json.Token, depth int) (v jsonValue, err error) {
	if depth > mostJSONDepth {
		return v, errDeepJSON
	}
	delim, isDelim := token.(json.Delim)
	if !isDelim {
		v.text = jsonText(token)
		return v, nil
	}
	for v.kind = delim; d.More(); {
		var m jsonMember
		if token, err = d.Token(); err == nil && delim == '{' {
			m.key = jsonText(token)
			token, err = d.Token()
		}
		if err == nil {
			m.value, err = readJSONValue(d, token, depth+1)
		}
		switch {
		case err != nil:
			return v, noEOF(err)
		case delim == '{':
			v.members = append(v.members, m)
		default:
			v.items = append(v.items, m.value)
		}
	}
	_, err = d.Token() // the end of it
	// Equal keys stay in their order: the last one counts for most readers.
	slices.SortStableFunc(v.members, func(a, b jsonMember) int { return cmp.Compare(a.key, b.key) })
	return v, noEOF(err)
}

// noEOF is err, where the end of the text is the end of a value.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// jsonText writes a token that is not a bracket, a number as it was written.
func jsonText(token json.Token) string {
	text, isString := token.(string)
	if !isString {
		if token == nil {
			return "null"
		}
		return fmt.Sprint(token)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil { // a string can always be written
		return text
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// appendJSON writes values with their keys in order and without white space, each with a line end
// behind it. sorted says that the items of lists are in order, too.
func appendJSON(dst []byte, values []jsonValue, sorted bool) []byte {
	for _, v := range values {
		dst = append(v.append(dst, sorted), '\n')
	}
	return dst
}

func (v jsonValue) append(dst []byte, sorted bool) []byte {
	var parts [][]byte
	for _, m := range v.members {
		parts = append(parts, m.value.append([]byte(m.key+":"), sorted))
	}
	for _, item := range v.items {
		parts = append(parts, item.append(nil, sorted))
	}
	switch v.kind {
	case '{':
		return append(append(append(dst, '{'), bytes.Join(parts, []byte(","))...), '}')
	case '[':
		if sorted {
			slices.SortFunc(parts, bytes.Compare)
		}
		return append(append(append(dst, '['), bytes.Join(parts, []byte(","))...), ']')
	}
	return append(dst, v.text...)
}
