package advice

import (
	"fmt"
	"math"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/text/units"
)

var longTransaction = &Rule{
	Name: "long-transaction", Title: "a transaction that does something else after it has written",
	Looks: "time of typical requests between the first write of a transaction and its end in which it has no statement: " +
		"calls of other services, sleeps, waits for a lock, computing",
	Thresholds: append([]Threshold{{Name: "idle", Value: 1e6,
		Reason: "ns in a transaction: what is computed between two statements takes less"}}, latencyThreshold...),
	Remedy: Remedy{
		Change: "Until it ends, the rows that it wrote are locked and its connection is taken: requests that write the same " +
			"rows wait as long. Do the other work before the first write or after COMMIT. Where the write depends on it, write " +
			"\"pending\" in one transaction and the outcome in a second one.",
		Before: "tx.Exec(\"UPDATE accounts ...\"); ask(auditor); tx.Commit()",
		After:  "ask(auditor); tx.Exec(\"UPDATE accounts ...\"); tx.Commit()",
	},
	Find: func(v *search, r *Rule) (all []*found) {
		for _, s := range v.Statements() {
			t := s.One.Transaction
			if t == nil || s.Slow || t.Idle/s.Callers < r.threshold("idle") || t.Idle/s.Whole < r.threshold("latency") {
				continue
			}
			held, idle := t.Held/s.Callers, t.Idle/s.Callers
			p := code.Place{Function: t.Meanwhile.Function, File: t.Meanwhile.File, Line: int64(t.Meanwhile.Line)}
			if p.Function == "" {
				p = code.Place{Function: s.One.Function, File: s.One.File, Line: int64(s.One.Line)}
			}
			title := fmt.Sprintf("a transaction does something else for %s after it has written%s", units.Nanos(idle),
				s.OfEndpoint(", in "))
			all = append(all, &found{Finding: Finding{
				Title: title, Place: p, Costs: Costs{Measure: measureOf(s.Latency), Of: s.Requests(), Whole: s.Whole,
					Cost: math.Min(1, t.Idle/s.Whole)},
				Evidence: []Evidence{transactionEvidence(&s, held, idle)},
			}, traced: s.Traced})
		}
		return all
	},
}

// transactionEvidence says how long a transaction holds what it has written, and how many of them one row takes.
func transactionEvidence(s *facts.Statement, held, idle float64) Evidence {
	return Evidence{Source: "wait", Text: fmt.Sprintf("%s of the %s from its first write to its end have no statement, so one "+
		"row takes at most %s such transactions a second: %s", units.Nanos(idle), units.Nanos(held),
		units.Digits(1e9/held), s.One.Transaction.Wrote)}
}
