package answer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/units"
)

// FirstWrong begins the note on what the first wrong answer was.
const FirstWrong = "first wrong answer: "

// FirstOf is the note of all notes that says what the first wrong answer was, behind the doubt about all of them; empty
// if none does.
func FirstOf(notes []string) string {
	for _, note := range notes {
		if strings.Contains(note, FirstWrong) {
			return "; " + note
		}
	}
	return ""
}

// First is what the first wrong answer was, of all connections that share it.
type First struct{ text atomic.Pointer[string] }

// Open says that none was told yet.
func (f *First) Open() bool { return f.text.Load() == nil }

// Tell keeps the first text that it gets.
func (f *First) Tell(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); f.Open() {
		f.text.CompareAndSwap(nil, &text)
	}
}

// Notes is one sentence, or none.
func (f *First) Notes() []string {
	if text := f.text.Load(); text != nil {
		return []string{FirstWrong + *text}
	}
	return nil
}

// shownBytes is how much of a wrong answer is shown.
const shownBytes = 160

// Front is the front of a text of others, in one line, without what is a secret by its look. What is cut off may be the
// end of a secret: it is looked for in more than what is shown.
func Front(text []byte) string {
	looked := text[:min(len(text), 4*shownBytes)]
	line := printable.Line(redact.Value(strings.ReplaceAll(strings.TrimSpace(string(looked)), "\r\n", "\n")))
	if len(line) > shownBytes {
		return strings.ToValidUTF8(line[:shownBytes], "") + " ..."
	}
	if len(looked) < len(text) {
		line += " ..."
	}
	return line
}

// cameWords says what came as a body of size bytes, of which text is the front.
func cameWords(status uint16, text []byte, size int64) string {
	words := ""
	if status != 0 {
		words = fmt.Sprintf("status %d, ", status)
	}
	if size == 0 {
		return words + "an empty body:"
	}
	return words + "a body of " + units.Plural(int(size), "byte") + ", " + Front(text) + ":"
}

// refusedWords says what came with a wrong status: "500 Internal Server Error: not leader".
func refusedWords(status uint16, body *Body) string {
	words := strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(int(status))))
	if body == nil || len(body.Kept) == 0 {
		return words
	}
	return words + ": " + Front(body.front())
}

// JSONFault says where a text stops being JSON; empty if it is JSON.
func JSONFault(text []byte) string {
	var raw json.RawMessage
	err := json.Unmarshal(text, &raw)
	if err == nil {
		if gjson.ValidBytes(text) {
			return ""
		}
		return "it is not JSON"
	}
	var fault *json.SyntaxError
	if !errors.As(err, &fault) {
		return "it is not JSON: " + err.Error()
	}
	at := int(min(max(fault.Offset, 1), int64(len(text)))) // the byte after which it is not JSON any more, from 1
	before := string(text[:max(at-1, 0)])
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	where := fmt.Sprintf("byte %d (line %d, column %d)", at, strings.Count(before, "\n")+1, column)
	if fault.Offset >= int64(len(text)) && strings.HasPrefix(fault.Error(), "unexpected end") {
		where = fmt.Sprintf("its end, after %s", units.Plural(len(text), "byte"))
	}
	return "it is not JSON from " + where + ": " + printable.Line(fault.Error())
}

// Fault says what is wrong with a body; empty if nothing is.
func (j *JSON) Fault(body []byte) string {
	if fault := JSONFault(body); fault != "" {
		return fault
	}
	r := gjson.GetBytes(body, j.path)
	switch {
	case !r.Exists():
		return fmt.Sprintf("it has nothing at %s", j.path)
	case !j.right(r):
		return fmt.Sprintf("it has %s at %s, and %s is right", Front([]byte(r.Raw)), j.path, Front([]byte(j.value)))
	}
	return ""
}

// fault says which value an answer lacks; empty if it has all.
func (t *Taking) fault(body []byte) string {
	for i := range t.Takes {
		one := &t.Takes[i]
		switch {
		case t.Found[i]:
		case len(one.Header) > 0:
			return fmt.Sprintf("its head has no header %s with a value to take", one.Header)
		case one.Cookie != nil:
			return fmt.Sprintf("its head sets no cookie %s, or deletes it", one.Cookie.Name)
		case one.Regex != nil:
			return fmt.Sprintf("nothing in it matches %s", one.Regex)
		default:
			if fault := JSONFault(body); fault != "" {
				return fault
			}
			return fmt.Sprintf("it has no value to take at %s", one.JSON)
		}
	}
	return ""
}

// front is what may be shown of the body. Where values are taken, such as a token, the texts of its JSON are not, nor a
// body of one word.
func (b *Body) front() []byte {
	switch {
	case b.Taking == nil:
		return b.Kept
	case !bytes.ContainsAny(b.Kept, " \n<{[") && len(b.Kept) > 0:
		return []byte(redact.Mark)
	}
	return jsonText.ReplaceAllFunc(b.Kept[:min(len(b.Kept), 4*shownBytes)], func(text []byte) []byte {
		if bytes.HasSuffix(text, []byte(":")) {
			return text
		}
		return []byte(`"` + redact.Mark + `"`)
	})
}

// jsonText is a text in JSON, or the front of one; with the colon if it is a key.
var jsonText = regexp.MustCompile(`"(?:[^"\\]|\\.)*(?:"(?:\s*:)?|$)`)

// fault says what is wrong with the body that is whole; empty if nothing is.
func (b *Body) fault(missesText bool) string {
	switch {
	case missesText:
		return "it does not hold the text " + Front(b.Text.text)
	case b.over:
		return "it is longer than " + units.Bytes(MaxJSON) + ", and not looked at"
	}
	if b.JSON != nil {
		if fault := b.JSON.Fault(b.Kept); fault != "" {
			return fault
		}
	}
	if b.Taking != nil {
		return b.Taking.fault(b.Kept)
	}
	return ""
}
