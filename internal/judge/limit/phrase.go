package limit

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gohone/hone/internal/text/fail"
)

// grammar is what the errors about a kind of phrase say of it.
type grammar struct {
	kind     string // "threshold", "gate"
	subject  string // what a name stands for: "metric"
	names    string // lists the names
	examples string // whole phrases
}

// phrase is a condition as its user typed it, cut in three: NAME OP VALUE.
type phrase struct {
	grammar
	text string
	// op is all of the signs < > = ! that stand first, known operator or not; without any
	// it is empty, and all of the text is the name.
	name, op, value part
}

// part is a piece of a text, without spaces around it, and the byte it begins at.
type part struct {
	text  string
	start int
}

// cut cuts a text at its first operator. Errors are *fail.Error of kind BadInput.
func (g grammar) cut(text string) (phrase, error) {
	const signs = "<>=!"
	p := phrase{grammar: g, text: text}
	if bare := strings.Trim(text, "'\"` "); text != "" && strings.ContainsAny(text[:1], "'\"`") {
		fault := fail.New(fail.BadInput, "the quotes are a part of it").WithHint("leave them out: %s", cmp.Or(bare, g.examples))
		return p, p.at(part{start: 0}, fault)
	}
	inside := max(behindFunction(text), behindTarget(text))
	from := strings.IndexAny(text[inside:], signs)
	if from >= 0 {
		from += inside
	}
	if from < 0 {
		p.name = trimmed(text, 0, len(text))
		return p, p.check()
	}
	to := from + len(text[from:]) - len(strings.TrimLeft(text[from:], signs))
	p.name, p.op, p.value = trimmed(text, 0, from), part{text[from:to], from}, trimmed(text, to, len(text))
	return p, p.check()
}

// trimmed is text[from:to] without the spaces around it.
func trimmed(text string, from, to int) part {
	left := strings.TrimLeft(text[from:to], " \t\r\n")
	return part{strings.TrimRight(left, " \t\r\n"), to - len(left)}
}

// at adds the text and the column of a part, from 1, to an error; its hint stays.
func (p phrase) at(where part, err *fail.Error) error {
	column := utf8.RuneCountInString(p.text[:where.start]) + 1
	cause := errors.Unwrap(err)
	return fail.New(err.Kind, "%s %q, column %d: %w", p.kind, p.text, column, cause).WithHint("%s", err.Hint)
}

// check says what is wrong with the form: nothing there, no operator or an unknown one,
// no name.
func (p phrase) check() error {
	switch op := p.op.text; {
	case op == "" && p.name.text == "":
		return fail.New(fail.BadInput, "the %s is empty", p.kind).
			WithHint("write it like %s; %ss are %s", p.examples, p.subject, p.names)
	case op == "":
		behind := part{start: p.name.start + len(p.name.text)}
		return p.at(behind, fail.New(fail.BadInput, "no operator").
			WithHint("write %s, one of < <= > >=, and a value, as in %s", strings.ToUpper(p.subject), p.examples))
	case p.name.text == "":
		return p.at(p.op, fail.New(fail.BadInput, "no %s before %s", p.subject, op).
			WithHint("write it like %s; %ss are %s", p.examples, p.subject, p.names))
	case op != "<" && op != "<=" && op != ">" && op != ">=":
		return p.at(p.op, fail.New(fail.BadInput, "unknown operator %q", op).
			WithHint("operators are < <= > >=, as in %s", p.examples))
	}
	return nil
}

// unknown is the error for a name that stands for nothing, with a guess if there is one.
func (g grammar) unknown(name, guess string) *fail.Error {
	err := fail.New(fail.BadInput, "unknown %s %q", g.subject, name)
	if guess != "" {
		return err.WithHint("did you mean %q? known are %s", guess, g.names)
	}
	return err.WithHint("known are %s", g.names)
}

// noValue is the error for a phrase that ends with its operator.
func (g grammar) noValue() *fail.Error {
	return fail.New(fail.BadInput, "no value").WithHint("write it like %s", g.examples)
}

// cutNumber cuts a text after the digits it begins with, and trims spaces.
func cutNumber(text string) (number, unit string) {
	end := 0
	for end < len(text) && (isDigit(text[end]) || text[end] == '.') {
		end++
	}
	return text[:end], strings.TrimSpace(text[end:])
}

// parseNumber reads digits with at most one point among them. Signs, exponents, commas
// and names of numbers, which strconv would read, are none.
func parseNumber(text string) (float64, bool) {
	for i := range len(text) {
		if !isDigit(text[i]) && text[i] != '.' {
			return 0, false
		}
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
