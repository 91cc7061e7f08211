package model

import (
	"strings"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
)

// captureRow says how many captures of a kind there are, and what they are of.
func captureRow(k record.KindSummary) Row {
	parts := []string{units.Plural(k.Times, "capture")}
	if k.Duration > 0 {
		parts = append(parts, units.Seconds(k.Duration)+" together")
	}
	if k.Ticks > 0 {
		parts = append(parts, units.Plural(int(k.Ticks), "sample"))
	}
	return Row{Name: k.Kind, Text: strings.Join(parts, ", ")}
}
