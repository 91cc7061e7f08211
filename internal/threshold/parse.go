package threshold

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/gohone/hone/internal/fail"
)

// example is a threshold that hints show.
const example = "p99>300ms, errors>0.1% or rate<1000"

// Parse reads METRIC OP VALUE, with or without spaces between them. OP is one of < <= >
// >=. VALUE is a duration for latencies (ns, us, ms, s), a share for errors and
// unanswered (0.1% or 0.001), a rate for rate (1000, 1k, 50/1s), and a number for
// requests. Errors are *fail.Error of kind BadInput and name the column, from 1.
func Parse(text string) (Threshold, error) {
	name, op, value := split(text)
	if op.text == "" {
		return Threshold{}, noOperator(text, name)
	}
	if name.text == "" {
		return Threshold{}, at(text, op, fail.New(fail.BadInput, "no metric before %s", op.text).
			WithHint("write it like %s; metrics are %s", example, Names()))
	}
	switch Op(op.text) {
	case Less, AtMost, More, AtLeast:
	default:
		return Threshold{}, at(text, op, fail.New(fail.BadInput, "unknown operator %q", op.text).
			WithHint("operators are < <= > >=, as in %s", example))
	}
	metric, err := metricOf(name.text)
	if err != nil {
		return Threshold{}, at(text, name, err)
	}
	number, err := valueOf(metric, value.text)
	if err != nil {
		return Threshold{}, at(text, value, err)
	}
	return Threshold{Metric: metric, Op: Op(op.text), Value: number, Text: strings.TrimSpace(text)}, nil
}

// part is a piece of a text and the byte it begins at.
type part struct {
	text  string
	start int
}

// split cuts a text at its first operator, and trims spaces.
func split(text string) (name, op, value part) {
	const signs = "<>=!"
	from := strings.IndexAny(text, signs)
	if from < 0 {
		return trimmed(text, 0, len(text)), part{}, part{}
	}
	to := from
	for to < len(text) && strings.IndexByte(signs, text[to]) >= 0 {
		to++
	}
	return trimmed(text, 0, from), part{text[from:to], from}, trimmed(text, to, len(text))
}

// trimmed is text[from:to] without the spaces around it.
func trimmed(text string, from, to int) part {
	left := strings.TrimLeft(text[from:to], " \t\r\n")
	return part{strings.TrimRight(left, " \t\r\n"), to - len(left)}
}

// noOperator is the error for a text without any of < > =.
func noOperator(text string, name part) error {
	if name.text == "" {
		return fail.New(fail.BadInput, "the threshold is empty").
			WithHint("write it like %s; metrics are %s", example, Names())
	}
	return at(text, part{start: name.start + len(name.text)}, fail.New(fail.BadInput, "no operator").
		WithHint("write METRIC, one of < <= > >=, and a value, as in %s", example))
}

// at adds the text and the column of a part to an error; its hint stays.
func at(text string, p part, err *fail.Error) error {
	column := utf8.RuneCountInString(text[:p.start]) + 1
	cause := errors.Unwrap(err)
	return fail.New(err.Kind, "threshold %q, column %d: %w", text, column, cause).WithHint("%s", err.Hint)
}
