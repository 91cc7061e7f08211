// Package printable makes text of unknown origin safe to show. Names of functions,
// answers of servers, output of programs and paths may hold bytes that a terminal obeys:
// they move the cursor, change its title, answer for the user, or hide what stands there.
//
// Newline, tab and visible text pass unchanged. Hidden characters are written as in strings
// of JSON and Go, such as \u001b for escape:
//
//   - the control characters U+0000..U+001F, U+007F and U+0080..U+009F (ECMA-48);
//   - format characters (Unicode category Cf): they turn the direction of text around
//     (U+202A..E, U+2066..9, U+200E, U+200F, U+061C), or show nothing (U+200B, U+00AD, U+FEFF);
//   - what a font leaves out (Other_Default_Ignorable_Code_Point), such as U+3164;
//   - the separators of lines and paragraphs, U+2028 and U+2029.
//
// A byte that is not UTF-8 is written as \x9b. Clean text stays the same, byte by byte. A JSON
// document stays a JSON document with the same meaning: outside of its strings there is
// nothing to escape.
package printable

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns a text as Writer writes it.
func Text(text string) string {
	raw := []byte(text)
	if cleanBytes(raw) == len(raw) {
		return text
	}
	clean, rest := appendClean(make([]byte, 0, len(raw)+16), raw)
	return string(appendBytes(clean, rest))
}

// Line is Text for a place that has one line: newlines and tabs become spaces.
func Line(text string) string {
	if !strings.ContainsAny(text, "\n\t") {
		return Text(text)
	}
	return Text(strings.NewReplacer("\n", " ", "\t", " ").Replace(text))
}

// hidden says whether a character may not be shown as it is.
func hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7f
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point)
}

// cleanBytes is the length of the longest beginning that stays as it is.
func cleanBytes(text []byte) int {
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			if r, size = utf8.DecodeRune(text[i:]); size == 1 {
				return i // no UTF-8
			}
		}
		if hidden(r) {
			return i
		}
		i += size
	}
	return len(text)
}

// appendClean appends what is shown of a text. The rest is the beginning of a character whose
// other bytes are not there yet.
func appendClean(to, text []byte) (clean, rest []byte) {
	for {
		n := cleanBytes(text)
		to, text = append(to, text[:n]...), text[n:]
		if len(text) == 0 || !utf8.FullRune(text) {
			return to, text
		}
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError { // of size 1: the character U+FFFD is clean
			to = appendBytes(to, text[:size])
		} else {
			to = appendEscape(to, r)
		}
		text = text[size:]
	}
}

// appendEscape writes a character as JSON does in a string: one beyond the first plane takes
// two units of UTF-16.
func appendEscape(to []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return fmt.Appendf(to, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(to, `\u%04x`, r)
}

// appendBytes writes bytes that are not UTF-8.
func appendBytes(to, raw []byte) []byte {
	for _, b := range raw {
		to = fmt.Appendf(to, `\x%02x`, b)
	}
	return to
}
