package output

import (
	"fmt"
	"strings"
)

// The end of the output that an error quotes.
const (
	quotedLines = 20
	quotedBytes = 4 << 10
)

// Excerpt chooses the lines to quote: those from the last Go panic or fatal error
// on, which stand before the stacks, and otherwise the last ones.
func Excerpt(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	from := max(0, len(lines)-quotedLines)
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.HasPrefix(lines[i], "panic: ") || strings.HasPrefix(lines[i], "fatal error: ") {
			from = i
			break
		}
	}
	quoted := strings.Join(lines[from:min(len(lines), from+quotedLines)], "\n")
	return strings.ToValidUTF8(quoted[:min(len(quoted), quotedBytes)], "?")
}

// ErrorLines is how much of the output of a command an error shows.
const ErrorLines = 20

// LastLines returns the last ErrorLines lines of an output, and says how many come before them.
func LastLines(output string) string {
	lines := strings.Split(strings.TrimRight(output, "\n"), "\n")
	before := max(len(lines)-ErrorLines, 0)
	last := strings.Join(lines[before:], "\n")
	if before > 0 {
		return fmt.Sprintf("[%d lines before]\n%s", before, last)
	}
	return last
}

// LastWords quotes the end of stderr, or of stdout if there is none.
func (o Streams) LastWords() string {
	for _, s := range []struct {
		name   string
		stream Stream
	}{{"stderr", o.Stderr}, {"stdout", o.Stdout}} {
		if text := Excerpt(s.stream.String()); text != "" {
			return fmt.Sprintf("; the end of its %s:\n%s", s.name, text)
		}
	}
	return "; it wrote nothing"
}

// Text is what was written: the errors, then the output.
func (o Streams) Text() string { return o.Stderr.String() + "\n" + o.Stdout.String() }
