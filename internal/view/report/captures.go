package report

import (
	"io"
	"strings"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model"
)

// Captures writes what profiles there are of a program that hone put no load on, and what is
// missing:
//
//	cpu: 5 captures, 10.0 s together, 412 samples
func Captures(w io.Writer, c record.Captured) error {
	c = printable.Document(c)
	b := &strings.Builder{}
	m := model.CapturesOf(c)
	writeRows(b, m.Numbers)
	say(b, m.Check.Notes)
	return write(w, b)
}
