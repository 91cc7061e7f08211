package shellwords

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A wordError is a fault at a place of a command line.
type wordError struct {
	column int // of the character, from 1
	what   string
}

func (e *wordError) Error() string { return fmt.Sprintf("column %d: %s", e.column, e.what) }

// Split splits a line into the words of one command as ParseVariant does: quotes
// and backslash as in a POSIX shell, and nothing else of a shell. Errors name the column.
func Split(line string) ([]string, error) {
	var (
		words   []string
		word    strings.Builder
		started bool // a word has begun; it may still be empty ('')
	)
	fault := func(at int, what string) error {
		return &wordError{column: utf8.RuneCountInString(line[:at]) + 1, what: what}
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch c {
		case 0:
			return nil, fault(i, "a zero byte cannot be passed to a program")
		case ' ', '\t', '\n', '\r':
			if started {
				words = append(words, word.String())
				word.Reset()
			}
			started = false
		case '\\':
			if i+1 == len(line) {
				return nil, fault(i, "a backslash with nothing after it")
			}
			i++
			if line[i] == 0 {
				return nil, fault(i, "a zero byte cannot be passed to a program")
			}
			if line[i] == '\n' { // a line that goes on
				continue
			}
			started = true
			word.WriteByte(line[i])
		case '\'', '"':
			inside, end := quoted(line, i)
			if end < 0 {
				return nil, fault(i, "a quote that is never closed")
			}
			if zero := strings.IndexByte(inside, 0); zero >= 0 {
				return nil, fault(i, "a zero byte in quotes cannot be passed to a program")
			}
			started = true
			word.WriteString(inside)
			i = end
		default:
			started = true
			word.WriteByte(c)
		}
	}
	if started {
		words = append(words, word.String())
	}
	return words, nil
}

// quoted reads the quoted text that starts with the quote at start, and returns it
// with the place of the closing quote, or -1. In double quotes a backslash takes the
// meaning from " \ $ ` and the end of a line, and is itself before anything else.
func quoted(line string, start int) (inside string, end int) {
	quote := line[start]
	var b strings.Builder
	for i := start + 1; i < len(line); i++ {
		c := line[i]
		if c == quote {
			return b.String(), i
		}
		if quote == '"' && c == '\\' && i+1 < len(line) && strings.IndexByte("\"\\$`\n", line[i+1]) >= 0 {
			i++
			if line[i] == '\n' {
				continue
			}
			c = line[i]
		}
		b.WriteByte(c)
	}
	return "", -1
}

// Join is the inverse of Split: one line that a shell reads as these words.
func Join(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
	}
	return strings.Join(quoted, " ")
}

func Quote(w string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%^"
	if w != "" && strings.Trim(w, plain) == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
