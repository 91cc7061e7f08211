package model

import (
	"fmt"
	"math"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// memoryRows say where the resident memory of a run is; none where that is not known.
func memoryRows(r record.Run) []Row {
	a := r.Memory
	if a == nil || a.Resident == 0 {
		return nil
	}
	row := Row{Name: "memory is", Text: printable.Line(a.Line())}
	if r.ID != "" {
		row.Note = "hone profile memory " + r.ID
	}
	return []Row{row}
}

// whyMemory says which parts of the resident memory changed, where that changed. What goes against the verdict is left
// out: it is not why.
func whyMemory(contest record.Contest) (lines []string) {
	v, ok := verdictOn(contest, measure.Resident.Key)
	if !ok || !v.Word.Different() {
		if v, ok = verdictOn(contest, measure.PeakRSS.Key); !ok || !v.Word.Different() {
			return nil
		}
	}
	for _, c := range contest.WhyMemory {
		if (c.Delta() > 0) != (v.Ratio > 1) {
			continue
		}
		u := units.Octets.Pick(math.Abs(c.Delta()), math.Abs(v.B-v.A))
		lines = append(lines, fmt.Sprintf("why %s: %s %s -> %s: %s %s", v.Measure.Name, printable.Line(c.Name),
			units.Bytes(c.A), units.Bytes(c.B), partOf(c.Delta()/u.Scale, (v.B-v.A)/u.Scale), u.Name))
	}
	return lines
}
