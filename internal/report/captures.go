package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/units"
)

// Captures writes what profiles there are of a program that hone put no load on, and what is
// missing:
//
//	cpu: 5 captures, 10.0 s together, 412 samples
func Captures(w io.Writer, c lab.CaptureRecord) error {
	b := &strings.Builder{}
	for _, k := range c.Captures {
		parts := []string{plural(k.Times, "capture")}
		if k.Duration > 0 {
			parts = append(parts, units.Seconds(k.Duration)+" together")
		}
		if k.Ticks > 0 {
			parts = append(parts, plural(int(k.Ticks), "sample"))
		}
		fmt.Fprintf(b, "%s: %s\n", k.Kind, strings.Join(parts, ", "))
	}
	for _, w := range c.Warnings {
		fmt.Fprintf(b, "note: %s\n", w)
	}
	return write(w, b)
}
