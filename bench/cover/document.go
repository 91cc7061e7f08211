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
	// fitGoal is the share of the services of which a fitted load has to reach enough.
	fitGoal = 0.8
)

// write makes the result of the latest record of each service.
func (c config) write(r *bed.Result, all map[string]record, halfOf map[string]string) {
	for _, half := range []string{bed.HalfOpen, bed.HalfClosed} {
		var judged []record
		for _, s := range services.All {
			if one := all[s.Name]; one.Service != "" && one.Failed == "" && halfOf[s.Name] == half {
				judged = append(judged, one)
			}
		}
		writeGoals(r, half, judged)
		if half == bed.HalfOpen || c.closed {
			writeTable(r, half, judged)
		}
	}
	writeMissing(r, all)
}

// off is how far what hone states of the load without some requests is from the truth, in points.
func (r record) off() float64 { return r.Less.Overlap - r.Truth.Overlap }

func writeGoals(r *bed.Result, half string, judged []record) {
	var same, near, inside, fitted, drawnSame, drawnNear, drawnHeld bed.Share
	for _, one := range judged {
		same.Add(one.Same.holds(100))
		near.Add(math.Abs(one.off()) <= points)
		inside.Add(one.Less.holds(one.Truth.Overlap))
		fitted.Add(one.Fit.reaches())
		drawnNear = sum(drawnNear, one.Drawn.within(points))
		drawnHeld = sum(drawnHeld, bed.Share{Of: one.Drawn.Held, N: len(one.Drawn.Off)})
		drawnSame = sum(drawnSame, bed.Share{Of: one.Drawn.Same, N: len(one.Drawn.Off)})
	}
	goal := func(what string, s bed.Share, limit float64) {
		r.Goal(fmt.Sprintf("`hone cover`, %s half of the services: %s", half, what), s, bed.AtLeast, limit)
	}
	goal("the interval of two profiles of one load holds 100", same, rightGoal)
	goal(fmt.Sprintf("the overlap with a load that lacks some requests is within %d points of the true one", points), near, rightGoal)
	goal("the interval holds the true overlap", inside, rightGoal)
	goal("profiles drawn from one: the interval holds 100", drawnSame, rightGoal)
	goal(fmt.Sprintf("profiles drawn from known ones: the overlap is within %d points", points), drawnNear, rightGoal)
	goal("profiles drawn from known ones: the interval holds the true overlap", drawnHeld, rightGoal)
	r.Goal(fmt.Sprintf("`hone run --access-log`, %s half of the services: the load exercises %d %% of production's CPU", half, enough), fitted, bed.AtLeast, fitGoal)
}

func sum(a, b bed.Share) bed.Share { return bed.Share{Of: a.Of + b.Of, N: a.N + b.N} }

func writeTable(r *bed.Result, half string, judged []record) {
	t := r.Table("Services of the "+half+" half, overlap in percent", "service", "fitted", "same load", "chance", "without", "of the CPU time", "seen", "stated", "true", "off", "samples", "drawn: off", "hold", "the same")
	for _, one := range judged {
		fitted := "none"
		if one.Fit.Stated != nil {
			fitted = one.Fit.Stated.String()
		}
		t.Row(one.Service, fitted, one.Same.String(), fmt.Sprintf("%.2f", one.Same.Chance), one.Truth.Missing, fmt.Sprintf("%.1f %%", one.Truth.Share), fmt.Sprintf("%.1f %%", one.Truth.Seen), one.Less.String(), fmt.Sprintf("%.1f +- %.1f", one.Truth.Overlap, one.Truth.Error),
			fmt.Sprintf("%+.1f", one.off()), fmt.Sprintf("%d, %d", one.Less.Samples[0], one.Less.Samples[1]),
			fmt.Sprintf("%+.1f", one.Drawn.mean()), fmt.Sprint(one.Drawn.Held), fmt.Sprintf("%d of %d", one.Drawn.Same, len(one.Drawn.Off)))
	}
	for _, one := range judged {
		t.Say("%s: %s. Fitted load: %s.", one.Service, one.Demand, one.Fit)
	}
	if len(judged) > 0 {
		t.Say("\"Chance\" is the probability that two profiles of one load differ so much: near 0 the machine, or the load, was not the same. \"True\" has its standard error; it rests on the share of the CPU time by the clock. \"Seen\" is the same share by production's profile.")
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
