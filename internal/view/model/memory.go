package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
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
	v, changed := changedMemory(contest)
	if !changed {
		return nil
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

// changedMemory is the verdict on resident memory that says that it changed, or the one behind a caveat of that.
func changedMemory(contest record.Contest) (judge.Verdict, bool) {
	caveat := slices.ContainsFunc(contest.Caveats, func(c record.Caveat) bool { return c.Name == record.CaveatMemory })
	for _, key := range []string{measure.Resident.Key, measure.PeakRSS.Key} {
		if v, ok := verdictOn(contest, key); ok && (v.Word.Different() || caveat && v.Ratio > 1) {
			return v, true
		}
	}
	return judge.Verdict{}, false
}
