package requests

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gohone/hone/internal/text/fail"
)

// Words splits a command line as a POSIX shell and bash's $'...' do (POSIX XCU section
// 2.2). What a shell would expand or execute is refused: it would stand for something
// that only the shell knows. Errors are *fail.Error of kind BadInput with the column.
func Words(line string) ([]string, error) {
	s := &splitter{text: line}
	for s.at < len(s.text) {
		if err := s.step(); err != nil {
			return nil, err
		}
	}
	s.end()
	return s.words, nil
}

// splitter is a command line that is being split.
type splitter struct {
	text  string
	at    int
	word  strings.Builder
	open  bool // a word has begun, perhaps an empty one
	words []string
}

func (s *splitter) end() {
	if s.open {
		s.words = append(s.words, s.word.String())
	}
	s.word.Reset()
	s.open = false
}

func (s *splitter) refuse(at int, hint, format string, args ...any) error {
	return fail.New(fail.BadInput, "column %d: %s", utf8.RuneCountInString(s.text[:at])+1,
		fmt.Sprintf(format, args...)).WithHint("%s", hint)
}

const (
	hintExpand = "put the value itself there, or quote the text with '...'"
	hintOne    = "give one curl command alone; quote the character if it belongs to a word"
)

// step takes what begins at the next byte, outside of quotes.
func (s *splitter) step() error {
	c := s.text[s.at]
	rest := s.text[s.at:]
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		s.end()
		s.at++
	case strings.HasPrefix(rest, "\\\n"), strings.HasPrefix(rest, "\\\r\n"):
		s.at += strings.IndexByte(rest, '\n') + 1
	case strings.HasPrefix(rest, "^\n"), strings.HasPrefix(rest, "^\r\n"), strings.HasPrefix(rest, `^"`):
		return s.refuse(s.at, `copy it as "cURL (bash)" or "cURL (POSIX)"`, "this is quoted for Windows' command line")
	case c == '\\' && len(rest) > 1:
		s.open = true
		_, size := utf8.DecodeRuneInString(rest[1:])
		s.word.WriteString(rest[1 : 1+size])
		s.at += 1 + size
	case c == '\'':
		end := strings.IndexByte(rest[1:], '\'')
		if end < 0 {
			return s.refuse(s.at, "close it", "the quote ' is not closed")
		}
		s.open = true
		s.word.WriteString(rest[1 : 1+end])
		s.at += end + 2
	case c == '"':
		return s.double()
	case strings.HasPrefix(rest, "$'"):
		return s.escaped()
	case c == '$' && expands(rest), c == '`':
		return s.refuse(s.at, hintExpand, "a shell would expand %q here", firstWord(rest))
	case strings.IndexByte(";|&<>()", c) >= 0:
		return s.refuse(s.at, hintOne, "%q ends the command, or leads it elsewhere", string(c))
	case c == '#' && !s.open:
		end := strings.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest)
		}
		s.at += end
	default:
		s.open = true
		s.word.WriteByte(c)
		s.at++
	}
	return nil
}

// expands says that a shell expands what begins with this $.
func expands(rest string) bool {
	if len(rest) < 2 {
		return false
	}
	c := rest[1]
	return c == '{' || c == '(' || c == '_' || c == '"' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' ||
		strings.IndexByte("?!$#@*-", c) >= 0
}

func firstWord(text string) string {
	if i := strings.IndexAny(text[1:], " \t\r\n\"'"); i >= 0 {
		text = text[:i+1]
	}
	return text[:min(len(text), 20)]
}

// double takes "...": XCU section 2.2.3.
func (s *splitter) double() error {
	from := s.at
	s.open = true
	for s.at++; s.at < len(s.text); s.at++ {
		rest := s.text[s.at:]
		switch c := rest[0]; {
		case c == '"':
			s.at++
			return nil
		case c == '\\' && len(rest) > 1 && strings.IndexByte("$`\"\\\n", rest[1]) >= 0:
			if s.at++; rest[1] != '\n' {
				s.word.WriteByte(rest[1])
			}
		case c == '`', c == '$' && expands(rest) && rest[1] != '"':
			return s.refuse(s.at, hintExpand, "a shell would expand %q here", firstWord(rest))
		default:
			s.word.WriteByte(c)
		}
	}
	return s.refuse(from, "close it", `the quote " is not closed`)
}

// escaped takes $'...' with the escapes of C, as browsers write them.
func (s *splitter) escaped() error {
	from := s.at
	s.open = true
	for s.at += 2; s.at < len(s.text); s.at++ {
		c := s.text[s.at]
		switch {
		case c == '\'':
			s.at++
			return nil
		case c == '\\' && s.at+1 < len(s.text):
			s.at++
			if err := s.escape(); err != nil {
				return err
			}
		default:
			s.word.WriteByte(c)
		}
	}
	return s.refuse(from, "close it", "the quote $' is not closed")
}

// simpleEscapes are the escapes of one letter.
var simpleEscapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'a': 7, 'b': 8, 'e': 27, 'E': 27, 'f': 12, 'v': 11,
	'\\': '\\', '\'': '\'', '"': '"', '?': '?'}

// escape takes the escape whose letter is at s.at, and ends on its last byte.
func (s *splitter) escape() error {
	c := s.text[s.at]
	if b, ok := simpleEscapes[c]; ok {
		s.word.WriteByte(b)
		return nil
	}
	from, base, most := s.at+1, 16, 0
	switch {
	case c == 'x':
		most = 2
	case c == 'u':
		most = 4
	case c == 'U':
		most = 8
	case '0' <= c && c <= '7':
		from, base, most = s.at, 8, 3
	default:
		s.word.WriteString(`\` + string(c))
		return nil
	}
	to := from
	for to < len(s.text) && to < from+most {
		if _, err := strconv.ParseUint(s.text[to:to+1], base, 8); err != nil {
			break
		}
		to++
	}
	n, err := strconv.ParseUint(s.text[from:to], base, 32)
	if err != nil {
		return s.refuse(s.at-1, `write \x41, \u0041 or \101`, "the escape \\%c has no digits", c)
	}
	if most > 3 {
		s.word.WriteRune(rune(n))
	} else {
		s.word.WriteByte(byte(n))
	}
	s.at = to - 1
	return nil
}
