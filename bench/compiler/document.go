package compiler

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/bed"
)

// The goals: 38 of 40 named, and silent where nothing changed.
const (
	namedGoal = 38.0 / 40
	falseGoal = 0.0
)

// write makes the result of the latest record of each pair and commit.
func (c config) write(r *bed.Result, records []record, pairs []*pair) {
	all := last(records)
	for _, half := range []string{bed.HalfOpen, bed.HalfClosed} {
		var judged []judgement
		for _, p := range pairs {
			if one, ok := judgePair(p, all[p.Name]); ok && bed.Half(p.Closed) == half {
				judged = append(judged, one)
			}
		}
		writeGoals(r, half, judged)
		if half == bed.HalfOpen || c.closed {
			writeTable(r, half, judged)
		}
	}
	writeNoOps(r, all)
	writeMissing(r, all)
}

func writeGoals(r *bed.Result, half string, judged []judgement) {
	var named, kind, slower bed.Share
	for _, j := range judged {
		named.Add(j.Named)
		kind.Add(j.Kind)
		slower.Add(j.Answer != nil && j.Answer.slower())
	}
	claim := func(what string) string {
		return fmt.Sprintf("`hone bench`, pairs of the %s half: %s", half, what)
	}
	r.Goal(claim("a line names the decision of the compiler, with its function or line"), named, bed.AtLeast, namedGoal)
	r.Table("Pairs, "+half+" half").Say("A line names the kind: %v. B is found to be slower: %v.", kind, slower)
}

func writeTable(r *bed.Result, half string, judged []judgement) {
	t := r.Table("Pairs of the "+half+" half", "pair", "kind", "where", "slower", "named", "said")
	for _, j := range judged {
		t.Row(j.Name, strings.Join(j.kinds, " or "), fmt.Sprintf("%s, %s:%d", j.function, j.file, j.line),
			bed.Yes(j.Answer != nil && j.Answer.slower()), bed.Yes(j.Named), cmp.Or(j.Said, "nothing"))
	}
}

// writeNoOps counts the commits that change nothing of which a decision is named.
func writeNoOps(r *bed.Result, all map[string]record) {
	var spoke bed.Share
	t := r.Table("Commits that change nothing, of which a decision is named", "commit", "said")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if one := all[name]; one.NoOp != "" && one.Answer != nil {
			lines := one.Answer.decisions()
			spoke.Add(len(lines) > 0)
			for _, line := range lines {
				t.Row(name, line)
			}
		}
	}
	if spoke.N > 0 {
		r.Goal("`hone bench`, commits that change nothing: a decision of the compiler is named", spoke, bed.AtMost, falseGoal)
	}
}

// writeMissing names what has no answer, with the reason.
func writeMissing(r *bed.Result, all map[string]record) {
	t := r.Table("Without an answer", "pair or commit", "reason")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if first, _, _ := strings.Cut(all[name].Failed, "\n"); first != "" {
			t.Row(name, first)
		}
	}
}
