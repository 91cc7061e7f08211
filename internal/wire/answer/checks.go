package answer

import (
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// Checks say which answers are right. They are shared and never change, but for the first wrong answer.
type Checks struct {
	right  [load.MaxCode]bool // by status
	Length int64              // of the body; -1: any
	text   []byte             // in the body; nil: no check
	json   *JSON              // nil: no check
	First  First
}

// NewChecks builds the checks of e for requests of a method with the user's headers.
// Errors are *fail.Error of kind BadInput.
func NewChecks(e wire.Expect, method string, headers []string) (*Checks, error) {
	c := &Checks{Length: -1}
	if err := c.expectStatus(e.Status); err != nil {
		return nil, err
	}
	looks := e.Body != "" || e.JSON != ""
	if method == "HEAD" && (looks || e.Length != nil) {
		return nil, fail.New(fail.BadInput, "answers to HEAD have no body to check").
			WithHint("check the status, or use GET")
	}
	if looks && AsksForCoding(headers) {
		return nil, fail.New(fail.BadInput,
			"a body cannot be checked when Accept-Encoding lets the server compress it").
			WithHint("leave the Accept-Encoding header out: none is sent then")
	}
	if e.Length != nil {
		if c.Length = *e.Length; c.Length < 0 {
			return nil, fail.New(fail.BadInput, "the expected length is %d bytes, want 0 or more", c.Length)
		}
	}
	if e.Body != "" {
		c.text = []byte(e.Body)
	}
	var err error
	if e.JSON != "" {
		c.json, err = NewJSON(e.JSON)
	}
	return c, err
}

// expectStatus fills the statuses that are right: without a list, all below 400.
func (c *Checks) expectStatus(list []string) error {
	if len(list) == 0 {
		c.accept(100, 400)
	}
	for _, s := range list {
		s = strings.TrimSpace(s)
		code, ok := wire.Decimal([]byte(s))
		switch {
		case len(s) == 3 && strings.EqualFold(s[1:], "xx") && '2' <= s[0] && s[0] <= '5':
			c.accept(100*int(s[0]-'0'), 100*int(s[0]-'0')+100)
		case ok && len(s) == 3 && code >= 200:
			c.accept(int(code), int(code)+1)
		default:
			return fail.New(fail.BadInput, "expected status %q is neither a final status nor a class of them", s).
				WithHint("write it like 200 or 2xx; statuses below 200 are not answers")
		}
	}
	return nil
}

func (c *Checks) accept(from, to int) {
	for s := from; s < to; s++ {
		c.right[s] = true
	}
}

// Cause judges a whole answer, by its status and the length of its body, and makes body, which may be nil, ready for
// the next.
func (c *Checks) Cause(status uint16, length int64, body *Body) load.Cause {
	refused, words := c.refuses(status), ""
	if refused && c.First.Open() {
		words = refusedWords(status, body)
	}
	found := body == nil || body.End(status)
	switch {
	case refused:
		if words != "" {
			c.First.Tell("%s", words)
		}
		return load.WrongStatus
	case c.Length >= 0 && length != c.Length:
		return load.WrongLength
	case !found:
		return load.WrongBody
	}
	return load.OK
}

// refuses says that a status is wrong.
func (c *Checks) refuses(status uint16) bool { return int(status) >= len(c.right) || !c.right[status] }

// Refused is what looks at the body of an answer that nothing else looks at and whose status is wrong, so that the
// first one can be shown; nil for other answers.
func (c *Checks) Refused(status uint16) *Body {
	if c == nil || !c.refuses(status) || !c.First.Open() {
		return nil
	}
	return &Body{}
}

// NewBody is what looks at the bodies on one connection; nil if nothing has to.
func (c *Checks) NewBody() *Body {
	if c.text == nil && c.json == nil {
		return nil
	}
	return &Body{Text: text{text: c.text}, JSON: c.json, First: &c.First}
}

// Body looks at the body of the answer that is being read.
type Body struct {
	Text   text
	JSON   *JSON
	Taking *Taking // nil: no values are taken
	First  *First  // nil: wrong bodies are not told
	size   int64
	// Kept is the body so far, where it is needed whole, else its front; over says that it became too long for that.
	Kept []byte
	over bool
}

// MaxJSON bounds the bodies that a JSON check takes, since it needs them whole.
const MaxJSON = 8 << 20

// whole says that the body is needed from its beginning to its end.
func (b *Body) whole() bool { return b.JSON != nil || b.Taking != nil && b.Taking.Body }

// Take looks at the next piece of the body, which the caller keeps.
func (b *Body) Take(piece []byte) {
	b.Text.Take(piece)
	b.size += int64(len(piece))
	switch {
	case b.over:
	case !b.whole():
		b.Kept = append(b.Kept, piece[:min(len(piece), max(0, 4*shownBytes-len(b.Kept)))]...)
	case len(b.Kept)+len(piece) > MaxJSON:
		b.over = true
	default:
		b.Kept = append(b.Kept, piece...)
	}
}

// End judges the whole body of an answer with a status, 0 for none, and makes b ready for the next.
func (b *Body) End(status uint16) bool {
	hasText := b.Text.end()
	right := hasText
	if b.JSON != nil {
		right = right && !b.over && b.JSON.Match(b.Kept)
	}
	if b.Taking != nil {
		right = b.Taking.end(b.Kept, !b.over) && right
	}
	if !right && b.First != nil && b.First.Open() {
		b.First.Tell("%s %s", cameWords(status, b.front(), max(b.size, int64(len(b.Kept)))), b.fault(!hasText))
	}
	b.Ready()
	return right
}

// Ready forgets the body so far.
func (b *Body) Ready() {
	b.Text.end()
	b.Kept, b.over, b.size = b.Kept[:0], false, 0
	if b.Taking != nil {
		clear(b.Taking.Found)
	}
}

// AsksForCoding says that the headers let a server encode bodies (RFC 9110 section
// 12.5.3).
func AsksForCoding(headers []string) bool {
	return wire.AnyHeader(headers, "Accept-Encoding", func(value string) bool {
		return value != "" && !strings.EqualFold(value, "identity")
	})
}
