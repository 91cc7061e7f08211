package accesslog

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// parseCommon reads a line in the common or the combined log format, with or without a virtual host in front, and what nginx
// and Apache are told to write after it. The time is the first [...], and the request the first "..." after it.
func parseCommon(line string) (e entry, ok bool) {
	e = newEntry()
	open := strings.IndexByte(line, '[')
	length := strings.IndexByte(line[max(0, open):], ']')
	if open < 0 || length < 0 {
		return e, false
	}
	if e.at, ok = parseTime(line[open+1 : open+length]); !ok {
		return e, false
	}
	words := strings.Fields(line[:open]) // [virtual host] address identity user
	if n := len(words); n > 0 {
		e.client = words[max(0, n-3)]
	}
	rest := line[open+length+1:]
	quote := strings.IndexByte(rest, '"')
	if quote < 0 {
		return e, false
	}
	asked, rest, ok := unquote(rest[quote+1:])
	if !ok {
		return e, false
	}
	e.method, e.target = requestLine(asked)
	e.rest(rest)
	return e, true
}

// requestLine takes the first line of a request apart. A line of another kind has no method.
func requestLine(text string) (method, target string) {
	method, rest, _ := strings.Cut(text, " ")
	i := strings.LastIndexByte(rest, ' ')
	if i < 0 || !strings.HasPrefix(rest[i+1:], "HTTP/") {
		return "", ""
	}
	return method, rest[:i]
}

// rest reads what follows the request: status, bytes, referrer, user agent, and what was added.
func (e *entry) rest(text string) {
	var numbers []int64
	for n := 0; text != ""; n++ {
		var word string
		var quoted bool
		word, text, quoted = nextWord(text)
		switch value, err := strconv.ParseInt(word, 10, 64); {
		case n == 0:
			e.status, _ = strconv.Atoi(word)
		case n == 1 && err == nil:
			e.answer = max(-1, value)
		case n == 1 && word == "-":
			e.answer = 0 // of Apache: no body
		case n == 3 && quoted:
			e.agent = word
		case quoted:
		case err == nil && value >= 0:
			numbers = append(numbers, value)
		default:
			e.added(word)
		}
	}
	e.bare(numbers)
}

// added reads a word that a format was extended by: a duration with a point, as nginx writes it, or key=value.
func (e *entry) added(word string) {
	key, value, pair := strings.Cut(word, "=")
	if !pair {
		key, value = "request_time", word
	}
	name := plainName(key)
	if t, ok := tookOf(name, strings.Trim(value, `"`)); ok && e.took.key == "" {
		if !pair && t.unit == time.Second {
			t.key = "the number with a point at the end of the line"
		}
		e.took = t
	}
	if n, err := strconv.ParseInt(strings.Trim(value, `"`), 10, 64); err == nil && n >= 0 && (name == "requestlength" || name == "rl") {
		e.length = n
	}
}

// bare reads whole numbers at the end of a line. After nginx's duration it is the length of the request; two are what Apache
// received and sent (%I %O); one is Apache's duration in microseconds (%D).
func (e *entry) bare(numbers []int64) {
	switch {
	case len(numbers) == 0:
	case e.took.unit == time.Second && e.length < 0, len(numbers) == 2:
		e.length = numbers[0]
	case len(numbers) == 1 && e.took.key == "":
		e.took = took{key: "the number at the end of the line", value: float64(numbers[0]), unit: time.Microsecond}
	}
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
