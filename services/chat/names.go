package chat

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// validName says whether a user, nickname or room may be called that: 1 to MaxName
// bytes of printable UTF-8 without spaces. So a name can neither end a line of the
// journal nor pretend to be a field of it.
func validName(name []byte) bool {
	unfit := func(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }
	return 0 < len(name) && len(name) <= MaxName && utf8.Valid(name) && !bytes.ContainsFunc(name, unfit)
}
