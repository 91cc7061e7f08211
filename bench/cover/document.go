package cover

import (
	"fmt"
	"math"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/cover/services"
)

const (
	// points is how far what hone states may be from the truth.
	points = 3
	// rightGoal is the share of the services of which hone has to be right.
	rightGoal = 0.9
)

// write makes the result of the latest record of each service.
func (c config) write(r *bed.Result, all map[string]record, halfOf map[string]string) {
	for _, half := range []string{open, closed} {
		var judged []record
		for _, s := range services.All {
			if one := all[s.Name]; one.Service != "" && one.Failed == "" && halfOf[s.Name] == half {
				judged = append(judged, one)
			}
		}
		writeGoals(r, half, judged)
		if half == open || c.closed {
			writeTable(r, half, judged)
		}
	}
	writeMissing(r, all)
}

// off is how far what hone states of the load without some requests is from the truth, in points.
func (r record) off() float64 { return r.Less.Overlap - r.Truth.Overlap }

func writeGoals(r *bed.Result, half string, judged []record) {
	var same, near, inside bed.Share
	for _, one := range judged {
		same.Add(one.Same.holds(100))
		near.Add(math.Abs(one.off()) <= points)
		inside.Add(one.Less.holds(one.Truth.Overlap))
	}
	goal := func(what string, s bed.Share, limit float64) {
		r.Goal(fmt.Sprintf("`hone cover`, %s half of the services: %s", half, what), s, bed.AtLeast, limit)
	}
	goal("the interval of two profiles of one load holds 100", same, rightGoal)
	goal(fmt.Sprintf("the overlap with a load that lacks some requests is within %d points of the true one", points), near, rightGoal)
	goal("the interval holds the true overlap", inside, rightGoal)
}

func writeTable(r *bed.Result, half string, judged []record) {
	t := r.Table("Services of the "+half+" half, overlap in percent", "service", "same load", "without", "of the CPU time", "stated", "true", "off", "samples", "additive")
	for _, one := range judged {
		t.Row(one.Service, one.Same.String(), one.Truth.Missing, fmt.Sprintf("%.0f %%", one.Truth.Share), one.Less.String(), fmt.Sprintf("%.1f +- %.1f", one.Truth.Overlap, one.Truth.Error),
			fmt.Sprintf("%+.1f", one.off()), fmt.Sprintf("%d, %d", one.Less.Samples[0], one.Less.Samples[1]), fmt.Sprintf("%.2f", one.Additive))
	}
	for _, one := range judged {
		t.Say("%s: %s.", one.Service, one.Demand)
	}
	if len(judged) > 0 {
		t.Say("\"True\" has its standard error. \"Additive\" is what a request of production cost, divided by the sum of its parts alone.")
	}
}

// writeMissing names what has no result, with the reason.
func writeMissing(r *bed.Result, all map[string]record) {
	t := r.Table("Without a result", "service", "reason")
	for _, s := range services.All {
		if reason := all[s.Name].Failed; reason != "" {
			first, _, _ := strings.Cut(reason, "\n")
			t.Row(s.Name, first)
		}
	}
}
