package report

import (
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/units"
)

// TimePart is a part of a latency, or of the difference of two.
type TimePart struct {
	Label walltime.Label
	// Text says what it is, Nanos how long it takes, Share how much that is of the whole, 0 to 1.
	Text         string
	Nanos, Share float64
}

// Amount is the share and the time: "78 %, 0.72 ms".
func (p TimePart) Amount() string {
	if p.Share < 0.005 {
		return "under 1 %, " + units.Nanos(p.Nanos)
	}
	return fmt.Sprintf("%.0f %%, %s", 100*p.Share, units.Nanos(p.Nanos))
}

// CohortTitle says which requests a cohort is, as the table of hone tail does.
func CohortTitle(c *walltime.Cohort) string {
	if c.Name == walltime.TypicalName {
		return fmt.Sprintf("typical, p%g to p%g", c.From, c.To)
	}
	if c.Requests == 1 {
		return "the slowest"
	}
	return fmt.Sprintf("slow, from p%g", c.From)
}

// CohortParts are what the latency of a cohort is made of, in the order in which a request meets it. They add up to the
// latency: of each state those that the table of hone tail names, and the rest of the state in one part.
func CohortParts(c *walltime.Cohort) []TimePart {
	var all []TimePart
	whole := c.LatencyNanos
	for _, row := range tailRows {
		left := stateSum(c, row.state)
		if left <= 0 {
			continue
		}
		for _, p := range largestParts(c, c, row.state) {
			part := TimePart{Label: p.label, Text: PartText(p.label), Nanos: p.typical, Share: p.typical / c.LatencyNanos}
			all, left = append(all, part), left-p.typical
		}
		if left > smallestPart*c.LatencyNanos {
			label := walltime.Label{Call: walltime.Call{State: row.state}}
			if row.state == unjoined { // which has no colour of its own
				label.State = walltime.Unexplained
			}
			text := row.title
			if named := len(all) > 0 && all[len(all)-1].Label.State == row.state; named {
				text += ", other"
			}
			all = append(all, TimePart{Label: label, Text: text, Nanos: left, Share: left / c.LatencyNanos})
		}
	}
	for _, p := range all {
		whole -= p.Nanos
	}
	if whole > smallestPart*c.LatencyNanos { // a run's document keeps the largest parts only
		label := walltime.Label{Call: walltime.Call{State: walltime.Unexplained}}
		all = append(all, TimePart{Label: label, Text: "in smaller parts", Nanos: whole, Share: whole / c.LatencyNanos})
	}
	return all
}

// smallestPart is the share of a latency below which what is left of a state is nothing but rounding.
const smallestPart = 1e-6

// CauseParts are what slow requests spend more time on than typical ones, those that the sentence of a tail may name, and
// last what they leave open.
func CauseParts(d *walltime.Digest) []TimePart {
	typical, slow := d.Cohort(walltime.TypicalName), d.Cohort(walltime.SlowName)
	if typical == nil || slow == nil || d.Joined == 0 || slow.LatencyNanos <= typical.LatencyNanos {
		return nil
	}
	differ := slow.LatencyNanos - typical.LatencyNanos
	left := 1.0
	var all []TimePart
	for _, c := range d.Causes {
		if c.Share < leastSaid && len(all) > 0 {
			break
		}
		all = append(all, TimePart{Label: c.Label, Text: PartText(c.Label), Nanos: c.Nanos, Share: c.Share})
		left -= c.Share
	}
	label := walltime.Label{Call: walltime.Call{State: walltime.Unexplained}}
	if missed := unjoinedShare(typical, slow); missed >= leastSaid {
		all = append(all, TimePart{Label: label, Text: stateWord(unjoined), Nanos: missed * differ, Share: missed})
		left -= missed
	}
	if left >= leastSaid || len(all) == 0 {
		all = append(all, TimePart{Label: label, Text: "in smaller parts or not explained", Nanos: left * differ, Share: left})
	}
	return slices.Clip(all)
}
