package requests

import (
	"io"

	"github.com/gohone/hone/internal/text/inputs"
)

// cutMark ends a text that harCutter has cut.
const cutMark = "\x00cut"

// escapeLetter says that the byte after a backslash comes next.
const escapeLetter = 5

// harCutter passes JSON on and cuts the texts in it that are longer than a bound: contents of answers, which make most
// of a recording, are never whole in memory. What comes between two calls of next is bounded, too.
type harCutter struct {
	name string
	r    io.Reader
	text int64 // the longest text, in bytes as they stand in the file
	most int64 // between two calls of next

	in      bool  // inside of a text
	escape  int   // bytes that an escape still has, or escapeLetter
	length  int64 // of the text so far
	cut     bool  // it was cut
	since   int64
	chunk   []byte
	waiting []byte // filtered, not passed on yet
	out     []byte
	err     error
}

func newHARCutter(name string, r io.Reader) *harCutter {
	return &harCutter{name: name, r: r, text: inputs.HARText.Most, most: inputs.HAREntry.Most,
		chunk: make([]byte, 32<<10)}
}

// next says that a new entry begins.
func (c *harCutter) next() { c.since = 0 }

func (c *harCutter) Read(p []byte) (int, error) {
	for len(c.waiting) == 0 {
		if c.err != nil {
			return 0, c.err
		}
		var n int
		n, c.err = c.r.Read(c.chunk)
		c.out = c.out[:0]
		for _, b := range c.chunk[:n] {
			c.take(b)
		}
		c.waiting = c.out
		if c.since += int64(len(c.out)); c.since > c.most {
			c.waiting, c.err = nil, inputs.HAREntry.Beyond(c.name)
		}
	}
	n := copy(p, c.waiting)
	c.waiting = c.waiting[n:]
	return n, nil
}

func (c *harCutter) take(b byte) {
	if !c.in {
		c.in, c.length, c.cut = b == '"', 0, false
		c.out = append(c.out, b)
		return
	}
	switch { // an escape is kept or cut as a whole (RFC 8259 section 7: \n, \", \u0041)
	case c.escape == escapeLetter:
		if c.escape = 0; b == 'u' {
			c.escape = 4
		}
	case c.escape > 0:
		c.escape--
	case b == '"':
		if c.in = false; c.cut {
			c.out = append(c.out, `\u0000cut`...)
		}
		c.out = append(c.out, b)
		return
	default:
		c.cut = c.cut || c.length >= c.text
		if b == '\\' {
			c.escape = escapeLetter
		}
	}
	if c.length++; !c.cut {
		c.out = append(c.out, b)
	}
}
