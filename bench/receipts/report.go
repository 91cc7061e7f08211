package receipts

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
)

// The goals: 28 of 30 honest receipts hold, and 29 of 30 forged ones do not.
const (
	holdGoal   = 0.93
	forgedGoal = 0.966
)

// document makes the result of the records: of each receipt the latest answer.
func document(res *bed.Result, records []record) {
	last := bed.Last(records, func(r record) (string, bool) { return r.name(), r.Said != nil })
	var honest, forged []record
	for _, r := range records {
		if r.Said == nil || last[r.name()] != r {
			continue
		}
		if r.Forged == "" {
			honest = append(honest, r)
		} else {
			forged = append(forged, r)
		}
	}
	held := share(honest, holds)
	res.Goal("honest receipts that hold when they are verified later", held, bed.AtLeast, holdGoal)
	kept := share(forged, refused, refuted, open)
	res.Goal("forged receipts that do not hold", kept, bed.AtLeast, forgedGoal)
	if len(forged) > 0 {
		res.Claim("what becomes of forged receipts", "%d are refused when they are read, or break a test, %d are excluded by "+
			"the second measurement, %d are left open, %d hold; of %d", share(forged, refused).Of+unmeasured(forged),
			share(forged, refuted).Of-unmeasured(forged), share(forged, open).Of, share(forged, holds).Of, len(forged))
	}
	kindsTable(res, forged)
	answers(res.Table("Honest receipts", "subject", "claims", "hours old", "exit code", "seconds", "reason"), honest, func(r record) string {
		return claimOf(records, r.Subject)
	})
	answers(res.Table("Forged receipts", "receipt", "fits together", "hours old", "exit code", "seconds", "reason"), forged,
		func(r record) string { return fmt.Sprint(r.Careful) })
}

// share is that of the records with one of some exit codes.
func share(records []record, codes ...int) (s bed.Share) {
	for _, r := range records {
		is := false
		for _, code := range codes {
			is = is || r.Said.Exit == code
		}
		s.Add(is)
	}
	return s
}

// unmeasured are those that were refuted without a measurement: a patch that breaks a test.
func unmeasured(records []record) (n int) {
	for _, r := range records {
		if r.Said.Exit == refuted && r.Said.Answer == "" {
			n++
		}
	}
	return n
}

func kindsTable(res *bed.Result, forged []record) {
	t := res.Table("Kinds of forged receipts", "kind", "n", "refused", "does not hold", "open", "holds")
	for _, k := range kinds {
		var some []record
		for _, r := range forged {
			if r.Forged == k.kind {
				some = append(some, r)
			}
		}
		if len(some) == 0 {
			continue
		}
		cells := []string{string(k.kind), fmt.Sprint(len(some))}
		for _, code := range []int{refused, refuted, open, holds} {
			cells = append(cells, fmt.Sprint(share(some, code).Of))
		}
		t.Row(cells...)
	}
	t.Say("refused: when it is read, or because the trees are others. open: it cannot be told here.")
}

// answers has a row for each record.
func answers(t *bed.Table, records []record, about func(record) string) {
	for _, r := range records {
		reason, _, _ := strings.Cut(r.Said.Reason, "\n")
		t.Row(r.name(), about(r), fmt.Sprintf("%.1f", r.Age.Hours()), fmt.Sprint(r.Said.Exit),
			fmt.Sprintf("%.0f", r.Said.Seconds), strings.ToValidUTF8(reason[:min(len(reason), 100)], ""))
	}
	if len(records) > 0 {
		t.Say("seconds: %s.", figures.Spread("%.0f", figures.Column(records, func(r record) float64 { return r.Said.Seconds })))
	}
}

// claimOf is what the receipt of a subject claims first.
func claimOf(records []record, subject string) string {
	for _, r := range records {
		if r.Subject != subject || r.Said != nil {
			continue
		}
		if receipt, err := r.receipt(); err == nil && len(receipt.Claims) > 0 {
			c := &receipt.Claims[0]
			if v := lead(c); v != nil {
				return fmt.Sprintf("%s, %+.1f %% (%+.1f ... %+.1f)", c.Word, 100*(v.Ratio-1), 100*(v.Low-1), 100*(v.High-1))
			}
			return string(c.Word)
		}
	}
	return ""
}
