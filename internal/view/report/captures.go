package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// Captures writes what profiles there are of a program that hone put no load on, and what is
// missing:
//
//	cpu: 5 captures, 10.0 s together, 412 samples
func Captures(w io.Writer, c lab.CaptureRecord) error {
	c = printable.Document(c)
	b := &strings.Builder{}
	for _, k := range c.Captures {
		f := CaptureRow(k)
		fmt.Fprintf(b, "%s: %s\n", f.Name, f.Text)
	}
	for _, w := range c.Warnings {
		fmt.Fprintf(b, "note: %s\n", w)
	}
	return write(w, b)
}

// CaptureRow says how many captures of a kind there are, and what they are of.
func CaptureRow(k lab.KindSummary) Row {
	parts := []string{plural(k.Times, "capture")}
	if k.Duration > 0 {
		parts = append(parts, units.Seconds(k.Duration)+" together")
	}
	if k.Ticks > 0 {
		parts = append(parts, plural(int(k.Ticks), "sample"))
	}
	return Row{Name: k.Kind, Text: strings.Join(parts, ", ")}
}
