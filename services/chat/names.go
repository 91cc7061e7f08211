package chat

import (
	"unicode"
	"unicode/utf8"
)

// validName says whether a user, nickname or room may be called that: 1 to MaxName
// bytes of printable UTF-8 without spaces. So a name can neither end a line of the
// journal nor pretend to be a field of it.
func validName(name []byte) bool {
	if len(name) == 0 || len(name) > MaxName {
		return false
	}
	for len(name) > 0 {
		r, n := utf8.DecodeRune(name)
		if r == utf8.RuneError && n == 1 || r == ' ' || !unicode.IsPrint(r) {
			return false
		}
		name = name[n:]
	}
	return true
}
