package advice

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/prof"
)

// found is a finding on its way: with the stacks that it explains.
type found struct {
	Finding
	rule *Rule
	// stacks are claimed, so that no later rule counts their cost again; nil for a finding that is not of CPU time.
	stacks []int
	// behind is what the goroutine does that a finding of waiting waits for, held are the stacks on which a lock is
	// held; nil if not known.
	behind *walltime.Call
	held   []int
	// setting is an entry of the environment that is the change; empty where the source is to be changed.
	setting string
	// about are the function that the rule looked for, and the one that the user's line calls for it, by their whole
	// names.
	about []string
}

// Find asks all rules about a run. The error is of profiles that cannot be read.
func Find(v *View) (*Findings, error) {
	if err := v.read(); err != nil {
		return nil, fmt.Errorf("findings: %w", err)
	}
	v.claimed, v.found = map[int]*found{}, nil
	fewSamples := v.samples > 0 && v.samples < prof.FewestSamples
	if fewSamples {
		v.missing = append(v.missing,
			fmt.Sprintf("the CPU profile has %d samples, too few to say what takes CPU time; "+
				"--profile-time takes a longer one", v.samples))
	}
	for _, r := range All {
		for _, f := range r.Find(v, r) {
			if f.stacks != nil && f.Measure == CPU && fewSamples {
				continue
			}
			f.rule = r
			if f = v.claim(f); f != nil {
				v.found = append(v.found, f)
			}
		}
	}
	return v.rank(fold(v.found)), nil
}

// claim takes from a finding what another one explains already. It returns nil if what is left is not worth a finding;
// what it would have said is then a row of the one that explains most of it.
func (v *View) claim(f *found) *found {
	if f.stacks == nil {
		return f
	}
	whole, gone, taken := 0.0, 0.0, map[*found]float64{}
	left := f.stacks[:0:0]
	for _, i := range f.stacks {
		whole += v.stacks[i].cost
		if by := v.claimed[i]; by != nil {
			taken[by] += v.stacks[i].cost
			gone += v.stacks[i].cost
			continue
		}
		left = append(left, i)
	}
	if whole > 0 && gone > 0 {
		keep := 1 - gone/whole
		f.Cost, f.Gain = f.Cost*keep, f.Gain*keep
	}
	// What is left of a finding of which another cause explains most is of that cause as well.
	if beside := v.sameAllocations(f); beside != nil {
		beside.Cost, beside.Gain = beside.Cost+f.Cost, beside.Gain+f.Gain
		beside.stacks = append(beside.stacks, left...)
		for _, i := range left {
			v.claimed[i] = beside
		}
		beside.Evidence = append(beside.Evidence, Evidence{Source: "also",
			Text: fmt.Sprintf("%s: %s", f.Place, f.Title)})
		return nil
	}
	if f.Gain < f.rule.threshold("gain") || gone > whole/2 {
		if by := most(taken); by != nil && taken[by] >= least {
			by.Evidence = append(by.Evidence, Evidence{Source: "consequence",
				Text: fmt.Sprintf("%s: %s (%s of the CPU time)", f.rule.Name, f.Title, percent(taken[by]))})
		}
		return nil
	}
	f.stacks = left
	for _, i := range left {
		v.claimed[i] = f
	}
	return f
}

// sameAllocations is the finding that names the way in which the function of a finding of objects allocates already;
// nil if there is none. What else it allocates there is of the same data.
func (v *View) sameAllocations(f *found) *found {
	if f.rule.Name != "object-per-call" {
		return nil
	}
	for _, by := range v.found {
		switch by.rule.Name {
		case "buffer-per-call", "append-growth", "map-growth", "boxing", "useless-pool":
			if by.Place.Function == f.Place.Function {
				return by
			}
		}
	}
	return nil
}

// most is the finding that takes most; nil of none.
func most(taken map[*found]float64) (by *found) {
	for f, share := range taken {
		if by == nil || share > taken[by] || share == taken[by] && comparePlaces(f.Place, by.Place) < 0 {
			by = f
		}
	}
	return by
}

// fold makes one finding of those of one rule in one function.
func fold(all []*found) []*found {
	type key struct{ rule, function string }
	first := map[key]*found{}
	var kept []*found
	for _, f := range all {
		k := key{f.rule.Name, f.Place.Function}
		if f.rule == nPlusOne || f.rule == slowStatement {
			k.function = f.Place.String() // each statement is a cause of its own
		}
		old := first[k]
		if old == nil || f.Place.Function == "" {
			first[k] = f
			kept = append(kept, f)
			continue
		}
		if old.Share() != f.Share() { // CPU time and waiting of one cause, or requests of two endpoints
			if f.Gain > old.Gain {
				f.stacks, f.Evidence = append(f.stacks, old.stacks...), append(f.Evidence, old.Evidence...)
				f.Evidence = append(f.Evidence, Evidence{Source: "also", Text: old.also()})
				*old = *f
				continue
			}
			old.Evidence = append(old.Evidence, Evidence{Source: "also", Text: f.also()})
			continue
		}
		old.Cost, old.Gain = min(1, old.Cost+f.Cost), min(1, old.Gain+f.Gain)
		old.stacks = append(old.stacks, f.stacks...)
		old.Evidence = append(old.Evidence, Evidence{Source: "also", Text: fmt.Sprintf("%s: %s", f.Place, f.Title)})
	}
	return kept
}

// also is a finding as a row of another one.
func (f *Finding) also() string {
	return fmt.Sprintf("%s of %s: %s", percent(f.Cost), f.Share(), f.Title)
}

// rank sorts findings by what they cost with all that their lines call, and fills in what follows from the rule.
func (v *View) rank(all []*found) *Findings {
	for _, f := range all {
		f.LineCost = v.lineCost(f)
	}
	slices.SortStableFunc(all, func(a, b *found) int {
		return cmp.Or(cmp.Compare(b.urgency(), a.urgency()),
			compareShares(max(a.LineCost, a.Cost), max(b.LineCost, b.Cost)),
			compareShares(a.Cost, b.Cost), compareShares(a.Gain, b.Gain), comparePlaces(a.Place, b.Place))
	})
	all = v.underOne(all)
	out := &Findings{Schema: Schema, Findings: []Finding{}, Spent: v.spent(), Samples: v.samples,
		Growth: v.Numbers.Growth, Missing: v.missing}
	if v.Numbers.AllocBytes > 0 {
		out.PerByte = v.collector / v.Numbers.AllocBytes
	}
	for _, f := range all {
		f.Rule = f.rule.Name
		f.Change, f.Before, f.After = cmp.Or(f.Change, f.rule.Change), cmp.Or(f.Before, f.rule.Before),
			cmp.Or(f.After, f.rule.After)
		f.Code = v.statement(f.Place)
		f.Mechanical = f.Mechanical && f.rule.Mechanical
		f.Absolute = f.Cost * cmp.Or(f.Whole, v.unit(f.Measure))
		if f.Measure == CPU && f.Gain > 0 {
			f.Gain = atMost(f.Gain, v.samples)
		}
		f.Explained = v.shareOf(f.stacks)
		for _, i := range f.stacks {
			f.Worked += v.stacks[i].cpu
		}
		f.Verify = cmp.Or(f.Verify, v.verify(f, len(out.Findings)+1))
		if v.Numbers.Connections == 0 {
			f.ofExecutions()
		}
		out.Findings = append(out.Findings, f.Finding)
	}
	return out
}

// lineCost is what the line of a finding costs with all that it calls, the collector's work for it included; 0 for a
// finding that is not of CPU time, or of no line.
func (v *View) lineCost(f *found) (share float64) {
	if f.Measure != CPU || f.Place.Function == "" {
		return 0
	}
	for i := range v.stacks {
		s := &v.stacks[i]
		if s.find(func(one *frame) bool { return one.function == f.Place.Function && one.line == f.Place.Line }) >= 0 {
			share += s.cost
		}
	}
	return max(share, f.Cost)
}

// atMost is the upper end of the 95 % interval of a share that a profile of n samples shows: Wilson's score interval
// (J. Am. Stat. Assoc. 22, 1927).
func atMost(share float64, n int64) float64 {
	if n <= 0 {
		return share
	}
	const z = 1.96
	m := float64(n)
	return min(1, (share+z*z/(2*m)+z*math.Sqrt(share*(1-share)/m+z*z/(4*m*m)))/(1+z*z/m))
}

// ofExecutions speaks of executions where a program ends by itself.
func (f *found) ofExecutions() {
	word := func(s string) string {
		return strings.NewReplacer("per request", "per execution", "for each request", "in an execution").Replace(s)
	}
	f.Title, f.Measure = word(f.Title), Measure(word(string(f.Measure)))
	for i := range f.Evidence {
		f.Evidence[i].Text = word(f.Evidence[i].Text)
	}
}

// urgency puts before all gains what makes the service answer wrongly or not at all, or ends it sooner or later: memory
// that grows, and connections that are lost.
func (f *found) urgency() int {
	switch {
	case f.Measure == Answers:
		return 2
	case f.Measure == Growing, f.rule == unclosedBody:
		return 1
	}
	return 0
}

// dominated says whether one finding names the cause of at least half of the allocated bytes, or something grows with
// every request: the collector's work is then a consequence.
func (v *View) dominated() bool {
	all, most := v.allBytes(), 0.0
	for _, f := range v.found {
		bytes := 0.0
		for _, i := range f.stacks {
			bytes += v.stacks[i].bytes
		}
		if f.Measure == Growing {
			return true
		}
		most = max(most, bytes)
	}
	return 2*most >= all
}

func (v *View) shareOf(stacks []int) (share float64) {
	for _, i := range stacks {
		share += v.stacks[i].cost
	}
	return share
}

// unit is the whole of a measure, in nanoseconds or bytes per request; memory in bytes.
func (v *View) unit(m Measure) float64 {
	n := v.Numbers
	switch m {
	case CPU:
		return n.CPUNanos
	case Latency:
		return float64(n.LatencyP50)
	case Tail:
		return float64(n.LatencyP99)
	case Memory:
		return float64(n.Resident)
	}
	return 0
}

// verify is the command that shows whether a change helped.
func (v *View) verify(f *found, number int) string {
	switch {
	case f.setting != "" && v.Compare != "" && v.Setting != nil:
		return v.Setting(f.setting)
	case f.setting != "":
		return ""
	case !v.MeasuredAgain:
	case f.Mechanical && f.Place.File != "" && v.Rewrites != nil && v.Rewrites(f.Finding):
		return fmt.Sprintf("hone advise --try %d %s%s", number, v.Run, v.Completing)
	case f.Rule == "gc-thrash" || f.Rule == "procs":
		return fmt.Sprintf("hone advise --verify %s%s", v.Run, v.Completing)
	}
	return v.Compare
}

// spent says where the CPU time goes.
func (v *View) spent() (s Spent) {
	for i := range v.stacks {
		one := &v.stacks[i]
		switch {
		case one.cpu == 0:
		case one.background(), one.assists():
			s.Collector += one.cpu
		case one.kernel():
			s.Kernel += one.cpu
		case one.leaf() < 0:
			s.Scheduler += one.cpu
		case one.own(0) < len(one.frames):
			s.User += one.cpu
		default:
			s.Libraries += one.cpu
		}
	}
	return s
}

func comparePlaces(a, b Place) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Function, b.Function))
}
