package lab

import (
	"context"
	"encoding/json"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tries"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/judge"
)

// countTries says of each contest which comparison of its programs this one is. A ledger that cannot be read has no
// others: no verdict rests on it.
func (m *Measurement) countTries(c *record.Comparison) {
	if m.Task.Calibrate || m.Comparison == nil {
		return
	}
	history, err := tries.Read(m.Ledger, git.Trees(context.Background(), m.WorkDir))
	if err != nil {
		return
	}
	for i := range c.Contests {
		one := &c.Contests[i]
		all := history.Of(m.Comparison.ID(), letter(one.A), letter(one.B))
		place := tries.Place(all, m.Comparison.ID())
		one.Tries = &record.Tries{Number: place}
		for _, t := range all[:max(0, place-1)] {
			if contradicts(t) {
				one.Tries.Contradict++
			}
		}
	}
}

// contradicts says that a variant was found not to be faster in an earlier comparison. An undecided one says nothing.
func contradicts(t tries.Try) bool {
	var c record.Comparison
	if t.Comparison.Status != ledger.Complete || json.Unmarshal(t.Comparison.Doc, &c) != nil {
		return false
	}
	for _, one := range c.Contests {
		if letter(one.B) == t.Letters[1] {
			return one.Word.Alike() || one.Word == judge.Slower
		}
	}
	return false
}

func letter(side int) string { return string(rune('A' + side)) }
