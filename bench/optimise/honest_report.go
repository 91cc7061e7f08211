package optimise

import (
	"cmp"
	"fmt"

	"github.com/gohone/hone/bench/bed"
)

// The goals: 57 of 60 merged commits are accepted, and at most 1 of 40 commits that make nothing faster.
const (
	acceptedGoal = 57.0 / 60
	fooledGoal   = 1.0 / 40
)

// documentHonest makes the result of the latest verdict on each patch.
func documentHonest(res *bed.Result, all []verdict) {
	last := bed.Last(all, verdict.name)
	known, err := offers()
	if err != nil {
		return // the program does not start with such a list
	}
	t := res.Table("Patches", "commit", "benchmark", "kind", "right", "hone", "seconds")
	var gains, none bed.Share
	for _, o := range known {
		v, ok := last[o.name()]
		if !ok {
			continue
		}
		of := &gains
		if o.nothingNew() {
			of = &none
		}
		of.Add(v.Said.Passed)
		t.Row(o.Repo+"@"+o.Name(), o.Benchmark, string(o.kind), bed.Yes(v.Said.Passed != o.nothingNew()),
			v.Said.reason(), fmt.Sprintf("%.0f", v.Said.Seconds))
	}
	t.Say("right: yes where a merged commit passes the gate %s, or one that makes nothing faster does not", gainGate)
	res.Goal("merged performance commits of public repositories as patches: accepted", gains, bed.AtLeast, acceptedGoal)
	res.Goal("public commits that make nothing faster as patches: accepted", none, bed.AtMost, fooledGoal)
}

// nothingNew says that the commit makes nothing faster.
func (o offer) nothingNew() bool {
	for _, k := range nothingNew {
		if string(k.Kind) == string(o.kind) {
			return true
		}
	}
	return false
}

// reason is why a patch is refused, or what hone says of its benchmark.
func (a *answer) reason() string {
	if why := cmp.Or(a.refused(), a.Unmeasured); why != "" {
		return why
	}
	if len(a.Benchmarks) == 0 {
		return ""
	}
	m := a.Benchmarks[0]
	text := string(m.Word)
	if m.Low > 0 {
		text += fmt.Sprintf(", %s (%s ... %s)", percent(m.Ratio), percent(m.Low), percent(m.High))
	}
	if c := a.doubt(nil); c != nil {
		text += "; " + c.Text
	}
	return text
}
