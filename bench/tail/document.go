package tail

import (
	"fmt"

	"github.com/gohone/hone/bench/bed"
)

// write makes the result of the records. Of a trial that several sessions measured, the last one counts.
func write(r *bed.Result, records []record) {
	some := last(records)
	writeGoals(r, some)
	writeTable(r, some)
	writeControls(r, some)
	writeCosts(r, some)
	writeMisses(r, some)
}

// score adds up what the goals are about.
type score struct {
	first, shares, controls bed.Share
}

func scoreOf(some []record) (s score) {
	for _, r := range some {
		if shapeOf(r) == control {
			s.controls.Add(r.Judgement.Right)
			continue
		}
		s.first.Add(r.Judgement.Right)
		for _, one := range r.Judgement.Shares {
			s.shares.Add(one.held())
		}
	}
	return s
}

// shapeOf is that of a record's trial; last knows only records of trials.
func shapeOf(r record) shape {
	for _, t := range trials {
		if t.name() == r.Trial {
			return t.Shape
		}
	}
	return someSlow
}

func writeGoals(r *bed.Result, some []record) {
	s := scoreOf(some)
	r.Goal(fmt.Sprintf("`hone tail`: first cause right, in %d trials at %d rates", len(trials), len(paces)), s.first, bed.AtLeast, rightGoal)
	r.Goal(fmt.Sprintf("`hone tail`: every share within %.0f points of the service's own stamps", 100*shareGoal), s.shares, bed.AtLeast, 1)
	r.Goal("`hone tail`: no cause in a control", s.controls, bed.AtLeast, 1)
}

func writeTable(res *bed.Result, some []record) {
	t := res.Table("Services with a cause", "trial", "rate, 1/s", "typical", "slow", "planted", "first", "share: hone, stamps", "holder", "not explained")
	t.Say("No share stands where the service cannot stamp its cause: requests wait before the handler begins.")
	for _, r := range some {
		if shapeOf(r) == control {
			continue
		}
		j := r.Judgement
		t.Row(named(r), rate(r), latency(r, "typical"), latency(r, "slow"), j.Planted, word(j.Right),
			shares(j.Shares), holder(j.Behind), percent(j.Unexplained))
	}
}

func writeControls(res *bed.Result, some []record) {
	t := res.Table("Controls", "trial", "rate, 1/s", "typical", "slow", "none named", "largest", "not explained")
	for _, r := range some {
		if shapeOf(r) != control {
			continue
		}
		j := r.Judgement
		largest := "-"
		if j.Named != "" {
			largest = j.Named
		}
		t.Row(named(r), rate(r), latency(r, "typical"), latency(r, "slow"), word(j.Right), largest,
			percent(j.Unexplained))
	}
}

// writeMisses shows what hone said where it was wrong.
func writeMisses(res *bed.Result, some []record) {
	for _, r := range some {
		if r.Judgement.Right {
			continue
		}
		t := res.Table(fmt.Sprintf("Wrong: %s at %s per second: %s. hone said:", r.Trial, rate(r), r.Judgement.Why))
		for _, c := range r.Digest.Causes {
			t.Row(fmt.Sprintf("%.1f %%", 100*c.Share), duration(c.Nanos).String(), fmt.Sprint(c.place))
		}
	}
}

func named(r record) string {
	text := r.Trial
	if r.Disturbed {
		text += " (disturbed)"
	}
	if r.Invalid {
		text += " (hone distrusts the run)"
	}
	return text
}

func rate(r record) string { return fmt.Sprintf("%.0f", r.RateHz) }

func latency(r record, name string) string { return duration(r.Digest.cohort(name).Latency).String() }

func percent(fraction float64) string { return fmt.Sprintf("%.0f %%", 100*fraction) }

func word(right bool) string {
	if right {
		return "right"
	}
	return "wrong"
}

func holder(named *bool) string {
	if named == nil {
		return "-"
	}
	return map[bool]string{true: "named", false: "not named"}[*named]
}

func shares(all []share) string {
	text := ""
	for _, s := range all {
		if text != "" {
			text += "; "
		}
		text += percent(s.Hone) + ", " + percent(s.Truth)
		if !s.held() {
			text += " off"
		}
	}
	if text == "" {
		return "-"
	}
	return text
}
