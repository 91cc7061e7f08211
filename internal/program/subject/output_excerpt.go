package subject

import (
	"fmt"
	"strings"
)

// The end of the output that an error quotes.
const (
	quotedLines = 20
	quotedBytes = 4 << 10
)

// excerpt chooses the lines to quote: those from the last Go panic or fatal error
// on, which stand before the stacks, and otherwise the last ones.
func excerpt(text string) string {
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

// errorLines is how much of the output of a command an error shows.
const errorLines = 20

// endOf returns the last errorLines lines of an output, and says how many come before them.
func endOf(output string) string {
	lines := strings.Split(strings.TrimRight(output, "\n"), "\n")
	before := max(len(lines)-errorLines, 0)
	last := strings.Join(lines[before:], "\n")
	if before > 0 {
		return fmt.Sprintf("[%d lines before]\n%s", before, last)
	}
	return last
}

// lastWords quotes the end of stderr, or of stdout if there is none.
func (o Output) lastWords() string {
	for _, s := range []struct {
		name   string
		stream Stream
	}{{"stderr", o.Stderr}, {"stdout", o.Stdout}} {
		if text := excerpt(s.stream.String()); text != "" {
			return fmt.Sprintf("; the end of its %s:\n%s", s.name, text)
		}
	}
	return "; it wrote nothing"
}

// text is what was written: the errors, then the output.
func (o Output) text() string { return o.Stderr.String() + "\n" + o.Stdout.String() }
