package accesslog

import (
	"fmt"
	"strings"
)

// requestLine takes the first line of a request apart. A line of another kind has no method.
func requestLine(text string) (method, target string) {
	method, rest, _ := strings.Cut(text, " ")
	i := strings.LastIndexByte(rest, ' ')
	if i < 0 || !strings.HasPrefix(rest[i+1:], "HTTP/") {
		return "", ""
	}
	return method, rest[:i]
}

// nextWord cuts the next word off, which may be in quotes.
func nextWord(text string) (word, rest string, quoted bool) {
	text = strings.TrimLeft(text, " \t")
	if strings.HasPrefix(text, `"`) {
		if word, rest, ok := unquote(text[1:]); ok {
			return word, rest, true
		}
		return "", "", true
	}
	word, rest, _ = strings.Cut(text, " ")
	if key, value, pair := strings.Cut(word, `="`); pair { // a value between quotes, which may have blanks
		if inside, after, ok := unquote(value + " " + rest); ok {
			return key + "=" + inside, after, false
		}
	}
	return word, rest, false
}

// unquote reads up to the closing quote: \" and \xHH are how Apache and nginx write what would end it.
func unquote(text string) (inside, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"':
			return b.String(), text[i+1:], true
		case c == '\\' && i+1 < len(text):
			if n := 0; text[i+1] == 'x' && i+3 < len(text) {
				if _, err := fmt.Sscanf(text[i+2:i+4], "%02x", &n); err == nil {
					b.WriteByte(byte(n))
					i += 3
					continue
				}
			}
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}
