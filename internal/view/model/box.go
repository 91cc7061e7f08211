package model

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
)

// boxRow says what the limits of a program did to it; false without a box.
func boxRow(r record.Run) (Row, bool) {
	b := r.Box
	if b == nil {
		return Row{}, false
	}
	parts := []string{b.Limits.String()}
	if b.CPUs > 0 {
		parts = append(parts, fmt.Sprintf("throttled %s of the time", units.Share(b.ThrottledShare)))
		if b.Periods > 0 && r.Comparison == "" { // variants take turns, and their idle time has periods, too
			parts[1] += fmt.Sprintf(", in %s of the periods of 100 ms",
				units.Share(float64(b.ThrottledPeriods)/float64(b.Periods)))
		}
	}
	if b.GOMAXPROCS > 0 {
		parts = append(parts, fmt.Sprintf("GOMAXPROCS %d", b.GOMAXPROCS))
	}
	if b.PeakMemory > 0 {
		parts = append(parts, "peak "+units.Bytes(float64(b.PeakMemory)))
	}
	return Row{Name: "box", Text: strings.Join(parts, ", "), Parts: parts}, true
}
