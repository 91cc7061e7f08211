package inputs

import (
	"bufio"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// Text passes on a text as UTF-8 without a byte order mark: of UTF-8 the mark is left out, and what begins with the
// mark of UTF-16, as PowerShell's > writes it, is decoded (RFC 3629 section 6, RFC 2781 section 3.2). All else passes
// unchanged.
func Text(r io.Reader) io.Reader {
	in := bufio.NewReader(r)
	head, _ := in.Peek(3)
	switch {
	case len(head) == 3 && string(head) == "\xef\xbb\xbf":
		_, _ = in.Discard(3)
	case len(head) >= 2 && (head[0] == 0xff && head[1] == 0xfe || head[0] == 0xfe && head[1] == 0xff):
		_, _ = in.Discard(2)
		return &utf16Reader{in: in, big: head[0] == 0xfe}
	}
	return in
}

// utf16Reader decodes UTF-16. A surrogate without its other half, and a byte too many at the end, become U+FFFD.
type utf16Reader struct {
	in   *bufio.Reader
	big  bool
	rest []byte // decoded, and not passed on yet
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.rest) < 512 {
		c, err := u.char()
		if err != nil && len(u.rest) == 0 {
			return 0, err
		}
		if err != nil {
			break
		}
		u.rest = utf8.AppendRune(u.rest, c)
	}
	n := copy(p, u.rest)
	u.rest = append(u.rest[:0], u.rest[n:]...)
	return n, nil
}

// char is the next character.
func (u *utf16Reader) char() (rune, error) {
	first, err := u.unit(0)
	if err != nil {
		return 0, err
	}
	if utf16.IsSurrogate(first) {
		if second, err := u.unit(2); err == nil {
			if c := utf16.DecodeRune(first, second); c != utf8.RuneError {
				_, err := u.in.Discard(4)
				return c, err
			}
		}
		first = utf8.RuneError
	}
	_, err = u.in.Discard(min(2, u.in.Buffered()))
	return first, err
}

// unit is the unit of 16 bits at an offset in bytes.
func (u *utf16Reader) unit(at int) (rune, error) {
	b, err := u.in.Peek(at + 2)
	switch {
	case len(b) == at+1:
		return utf8.RuneError, nil
	case len(b) < at+2:
		return 0, err
	case u.big:
		return rune(b[at])<<8 | rune(b[at+1]), nil
	}
	return rune(b[at+1])<<8 | rune(b[at]), nil
}
