package protocol

import (
	"strings"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/load"
)

// httpChecks say which answers are right. They are shared and never change, but for the first wrong answer.
type httpChecks struct {
	right  [load.MaxCode]bool // by status
	length int64              // of the body; -1: any
	text   []byte             // in the body; nil: no check
	json   *httpJSON          // nil: no check
	first  firstWrong
}

// newHTTPChecks builds the checks of e for requests of a method with the user's headers.
// Errors are *fail.Error of kind BadInput.
func newHTTPChecks(e Expect, method string, headers []string) (*httpChecks, error) {
	c := &httpChecks{length: -1}
	if err := c.expectStatus(e.Status); err != nil {
		return nil, err
	}
	looks := e.Body != "" || e.JSON != ""
	if method == "HEAD" && (looks || e.Length != nil) {
		return nil, fail.New(fail.BadInput, "answers to HEAD have no body to check").
			WithHint("check the status, or use GET")
	}
	if looks && asksForCoding(headers) {
		return nil, fail.New(fail.BadInput, "a body cannot be checked when Accept-Encoding lets the server compress it").
			WithHint("leave the Accept-Encoding header out: none is sent then")
	}
	if e.Length != nil {
		if c.length = *e.Length; c.length < 0 {
			return nil, fail.New(fail.BadInput, "the expected length is %d bytes, want 0 or more", c.length)
		}
	}
	if e.Body != "" {
		c.text = []byte(e.Body)
	}
	var err error
	if e.JSON != "" {
		c.json, err = newHTTPJSON(e.JSON)
	}
	return c, err
}

// expectStatus fills the statuses that are right: without a list, all below 400.
func (c *httpChecks) expectStatus(list []string) error {
	if len(list) == 0 {
		c.accept(100, 400)
	}
	for _, s := range list {
		s = strings.TrimSpace(s)
		code, ok := decimal([]byte(s))
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

func (c *httpChecks) accept(from, to int) {
	for s := from; s < to; s++ {
		c.right[s] = true
	}
}

// cause judges a whole answer, by its status and the length of its body, and makes body, which may be nil, ready for the next.
func (c *httpChecks) cause(status uint16, length int64, body *httpBody) load.Cause {
	found := body == nil || body.end(status)
	switch {
	case int(status) >= len(c.right) || !c.right[status]:
		return load.WrongStatus
	case c.length >= 0 && length != c.length:
		return load.WrongLength
	case !found:
		return load.WrongBody
	}
	return load.OK
}

// newBody is what looks at the bodies on one connection; nil if nothing has to.
func (c *httpChecks) newBody() *httpBody {
	if c.text == nil && c.json == nil {
		return nil
	}
	return &httpBody{text: httpText{text: c.text}, json: c.json, first: &c.first}
}

// httpBody looks at the body of the answer that is being read.
type httpBody struct {
	text   httpText
	json   *httpJSON
	taking *httpTaking // nil: no values are taken
	first  *firstWrong // nil: wrong bodies are not told
	size   int64
	// kept is the body so far, where it is needed whole, else its front; over says that it became too long for that.
	kept []byte
	over bool
}

// maxJSON bounds the bodies that a JSON check takes, since it needs them whole.
const maxJSON = 8 << 20

// whole says that the body is needed from its beginning to its end.
func (b *httpBody) whole() bool { return b.json != nil || b.taking != nil && b.taking.body }

// take looks at the next piece of the body, which the caller keeps.
func (b *httpBody) take(piece []byte) {
	b.text.take(piece)
	b.size += int64(len(piece))
	switch {
	case b.over:
	case !b.whole():
		b.kept = append(b.kept, piece[:min(len(piece), max(0, 4*shownBytes-len(b.kept)))]...)
	case len(b.kept)+len(piece) > maxJSON:
		b.over = true
	default:
		b.kept = append(b.kept, piece...)
	}
}

// end judges the whole body of an answer with a status, 0 for none, and makes b ready for the next.
func (b *httpBody) end(status uint16) bool {
	hasText := b.text.end()
	right := hasText
	if b.json != nil {
		right = right && !b.over && b.json.match(b.kept)
	}
	if b.taking != nil {
		right = b.taking.end(b.kept, !b.over) && right
	}
	if !right && b.first != nil && b.first.open() {
		b.first.tell("%s %s", cameWords(status, b.front(), max(b.size, int64(len(b.kept)))), b.fault(!hasText))
	}
	b.ready()
	return right
}

// ready forgets the body so far.
func (b *httpBody) ready() {
	b.text.end()
	b.kept, b.over, b.size = b.kept[:0], false, 0
	if b.taking != nil {
		clear(b.taking.found)
	}
}

// asksForCoding says that the headers let a server encode bodies (RFC 9110 section
// 12.5.3).
func asksForCoding(headers []string) bool {
	return anyHeader(headers, "Accept-Encoding", func(value string) bool {
		return value != "" && !strings.EqualFold(value, "identity")
	})
}
