package lab

import (
	"encoding/json"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// A comparison that is repeated until it passes passes at last. The ledger knows how often two programs were compared,
// under whatever load, and what became of it. Programs are the same if they were built from one commit, or have one
// build ID. Who deletes the ledger, or changes a line that nothing executes, begins at 1 again.

// sameProgram says that two runs are of one program.
func sameProgram(a, b ledger.Run) bool {
	clean := !a.Dirty && !b.Dirty && a.Commit != ""
	return a.Package == b.Package && (clean && a.Commit == b.Commit || a.BuildID != "" && a.BuildID == b.BuildID)
}

// alike says that two comparisons are of the same programs: those with a and b, and those with c and d. One program
// with two sets of arguments is told apart by them.
func alike(a, b, c, d ledger.Run) bool {
	if !sameProgram(a, c) || !sameProgram(b, d) {
		return false
	}
	return !sameProgram(a, b) || a.Label == c.Label && b.Label == d.Label
}

// countTries says of each contest how many comparisons of its programs there were before. A ledger that cannot be read
// has none: no verdict rests on it.
func (m *Measurement) countTries(c *record.Comparison) {
	if m.Task.Calibrate || m.Comparison == nil {
		return
	}
	runs, err := m.Ledger.Runs(ledger.RunFilter{NoDoc: true})
	if err != nil {
		return
	}
	sides := map[string]map[string]ledger.Run{} // by comparison and letter
	for _, r := range runs {
		if r.Comparison == "" {
			continue
		}
		if sides[r.Comparison] == nil {
			sides[r.Comparison] = map[string]ledger.Run{}
		}
		sides[r.Comparison][r.Variant] = r
	}
	own := sides[m.Comparison.ID()]
	delete(sides, m.Comparison.ID())
	for i := range c.Contests {
		one := &c.Contests[i]
		a, knownA := own[letter(one.A)]
		b, knownB := own[letter(one.B)]
		if !knownA || !knownB {
			continue
		}
		one.Tries = &record.Tries{Number: 1}
		for id, with := range sides {
			for other, r := range with {
				if was, ok := with[letter(one.A)]; ok && other != letter(one.A) && alike(a, b, was, r) {
					one.Tries.Number++
					if m.contradicts(id, other) {
						one.Tries.Contradict++
					}
				}
			}
		}
	}
}

// contradicts says that a variant was found not to be faster in an earlier comparison. An undecided one says nothing.
func (m *Measurement) contradicts(id, variant string) bool {
	row, err := m.Ledger.Comparison(id)
	var c record.Comparison
	if err != nil || row.Status != ledger.Complete || json.Unmarshal(row.Doc, &c) != nil {
		return false
	}
	for _, one := range c.Contests {
		if letter(one.B) == variant {
			return one.Word.Alike() || one.Word == judge.Slower
		}
	}
	return false
}

func letter(side int) string { return string(rune('A' + side)) }
