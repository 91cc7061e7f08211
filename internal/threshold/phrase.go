package threshold

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gohone/hone/internal/fail"
)

// Phrase is a condition as its user typed it, cut in three: NAME OP VALUE. The language
// of thresholds and that of gates have its form in common, and how faults are told.
type Phrase struct {
	// Kind is what errors call it: "threshold", "gate".
	Kind string
	Text string
	// Op is all of the signs < > = ! that stand first, known operator or not; without any
	// it is empty, and all of the text is the name.
	Name, Op, Value Part
}

// Part is a piece of a text, without spaces around it, and the byte it begins at.
type Part struct {
	Text  string
	Start int
}

// Cut cuts a text at its first operator.
func Cut(kind, text string) Phrase {
	const signs = "<>=!"
	p := Phrase{Kind: kind, Text: text}
	from := strings.IndexAny(text, signs)
	if from < 0 {
		p.Name = trimmed(text, 0, len(text))
		return p
	}
	to := from
	for to < len(text) && strings.IndexByte(signs, text[to]) >= 0 {
		to++
	}
	p.Name, p.Op, p.Value = trimmed(text, 0, from), Part{text[from:to], from}, trimmed(text, to, len(text))
	return p
}

// trimmed is text[from:to] without the spaces around it.
func trimmed(text string, from, to int) Part {
	left := strings.TrimLeft(text[from:to], " \t\r\n")
	return Part{strings.TrimRight(left, " \t\r\n"), to - len(left)}
}

// At adds the text and the column of a part, from 1, to an error; its hint stays.
func (p Phrase) At(part Part, err *fail.Error) error {
	column := utf8.RuneCountInString(p.Text[:part.Start]) + 1
	cause := errors.Unwrap(err)
	return fail.New(err.Kind, "%s %q, column %d: %w", p.Kind, p.Text, column, cause).WithHint("%s", err.Hint)
}

// Check says what is wrong with the form: nothing there, no operator or an unknown one,
// no name. subject is what a name stands for ("metric"); names lists them, and examples
// shows whole phrases, for hints.
func (p Phrase) Check(subject, names, examples string) error {
	switch op := p.Op.Text; {
	case op == "" && p.Name.Text == "":
		return fail.New(fail.BadInput, "the %s is empty", p.Kind).
			WithHint("write it like %s; %ss are %s", examples, subject, names)
	case op == "":
		behind := Part{Start: p.Name.Start + len(p.Name.Text)}
		return p.At(behind, fail.New(fail.BadInput, "no operator").
			WithHint("write %s, one of < <= > >=, and a value, as in %s", strings.ToUpper(subject), examples))
	case p.Name.Text == "":
		return p.At(p.Op, fail.New(fail.BadInput, "no %s before %s", subject, op).
			WithHint("write it like %s; %ss are %s", examples, subject, names))
	case op != "<" && op != "<=" && op != ">" && op != ">=":
		return p.At(p.Op, fail.New(fail.BadInput, "unknown operator %q", op).
			WithHint("operators are < <= > >=, as in %s", examples))
	}
	return nil
}

// CutNumber cuts a text behind the digits it begins with, and trims spaces.
func CutNumber(text string) (number, unit string) {
	end := 0
	for end < len(text) && (isDigit(text[end]) || text[end] == '.') {
		end++
	}
	return text[:end], strings.TrimSpace(text[end:])
}

// ParseNumber reads digits with at most one point among them. Signs, exponents, commas
// and names of numbers, which strconv would read, are none.
func ParseNumber(text string) (float64, bool) {
	for i := range len(text) {
		if !isDigit(text[i]) && text[i] != '.' {
			return 0, false
		}
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
