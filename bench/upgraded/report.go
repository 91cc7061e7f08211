package upgraded

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/bed"
)

// The goals.
const (
	namedGoal = 11.0 / 12
	sumGoal   = 11.0 / 12
)

// write makes the result of all records: of each program the latest one.
func write(res *bed.Result, records []record) {
	last := bed.Last(records, record.named)
	var carried, right, sums, silent bed.Share
	t := res.Table("Programs", "program", "whole", "parts shown", "rest", "whole again", "parts again", "carrier",
		"named", "adds up")
	for _, name := range slices.Sorted(maps.Keys(last)) {
		r := last[name]
		if r.Control != "" {
			silent.Add(!r.Named)
		}
		if r.Whole == nil {
			t.Row(name, "no confirmed change")
			continue
		}
		row := []string{name, r.Whole.String(), list(r.Parts), fmt.Sprintf("%+.1f %%", 100*r.Rest)}
		if r.Truth == nil || !r.confirmed() {
			t.Row(append(row, "not found again")...)
			continue
		}
		truth, said := carrier(*r.Truth, r.Alone), carrier(*r.Whole, r.Parts)
		if truth != "" {
			carried.Add(said == truth)
		} else {
			right.Add(said == "")
		}
		sums.Add(r.addsUp())
		t.Row(append(row, r.Truth.String(), list(r.Alone), cmp.Or(truth, "none"), cmp.Or(said, "none"),
			bed.Yes(r.addsUp()))...)
	}
	t.Say("Shares are of the CPU time of an operation by the older release. Parts that are not shown are left out.")
	res.Goal("the part that carries 70 % of a confirmed change is named", carried, bed.AtLeast, namedGoal)
	res.Goal("the parts of a confirmed change, measured again, add up to the whole", sums, bed.AtLeast, sumGoal)
	res.Goal("a part that is off on both sides is not named", silent, bed.AtLeast, 1)
	if right.N > 0 {
		res.Claim("where no part carries 70 % of a confirmed change, none is said to", "%s", right)
	}
	res.Claim("programs with a confirmed change", "%d of %d", sums.N, len(last))
}

// list has the parts that are shown.
func list(parts []share) string {
	var texts []string
	for _, p := range parts {
		if p.shown() {
			texts = append(texts, p.String())
		}
	}
	return cmp.Or(strings.Join(texts, ", "), "none")
}
