package storytest

import (
	"unicode"
	"unicode/utf8"
)

// Steering finds a character that a terminal may obey or hide.
func Steering(text string) (string, bool) {
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 || r != '\n' && r != '\t' &&
			(unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)) {
			return text[:size], true
		}
		text = text[size:]
	}
	return "", false
}
