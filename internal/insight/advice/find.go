package advice

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
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
	// elsewhere says that much of what goes with the cause is spent where no profile of the program sees it.
	elsewhere bool
	// limiter is the variable of the limiter that a wait is for; nil for any other finding.
	limiter *types.Var
	// traced is how many requests a wait was seen of; 0 for what is not a wait.
	traced int
}

// search is one pass of all rules over a view.
type search struct {
	*facts.View
	// found is what rules found so far, claimed which of it explains a stack.
	found   []*found
	claimed map[int]*found
}

// Find asks all rules about a run. The error is of profiles that cannot be read.
func Find(view *facts.View) (*Findings, error) {
	if err := view.Read(); err != nil {
		return nil, fmt.Errorf("findings: %w", err)
	}
	v := &search{View: view, claimed: map[int]*found{}}
	fewSamples := v.Samples > 0 && v.Samples < prof.FewestSamples
	if fewSamples {
		v.Missing = append(v.Missing,
			fmt.Sprintf("the CPU profile has %d samples, too few to say what takes CPU time; "+
				"--profile-time takes a longer one", v.Samples))
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
	out := v.rank(onOneLine(fold(v.found)))
	if !fewSamples {
		out.Large = v.largest(out.Findings)
	}
	return out, nil
}

// rank sorts findings by what they cost, and fills in what follows from the rule.
func (v *search) rank(all []*found) *Findings {
	for _, f := range all {
		f.LineCost = v.lineCost(f)
	}
	slices.SortStableFunc(all, func(a, b *found) int {
		return cmp.Or(cmp.Compare(b.urgency(), a.urgency()),
			facts.CompareShares(a.Cost, b.Cost), facts.CompareShares(a.LineCost, b.LineCost),
			facts.CompareShares(a.Gain, b.Gain), code.ComparePlaces(a.Place, b.Place))
	})
	all = v.underOne(all)
	out := &Findings{Schema: Schema, Findings: []Finding{}, Spent: v.spent(), Samples: v.Samples,
		Growth: v.Numbers.Growth, Missing: v.Missing}
	if v.Numbers.AllocBytes > 0 {
		out.PerByte = v.Collector / v.Numbers.AllocBytes
	}
	for _, f := range all {
		f.Rule = f.rule.Name
		if f.Code = v.Statement(f.Place); f.Measure == CPU {
			f.Routes = v.RoutesOf(f.stacks)
		} else {
			f.Routes = v.RouteNamed(f.Of)
		}
		if f.Change == "" {
			f.Remedy = v.remedyAt(f)
		}
		f.Lines = append(f.Lines, v.linesOf(f.stacks)...)
		f.Mechanical = f.Mechanical && f.rule.Mechanical
		f.Absolute = f.Cost * cmp.Or(f.Whole, v.unit(f.Measure))
		v.predict(f)
		f.Explained = v.ShareOf(f.stacks)
		for _, i := range f.stacks {
			f.Worked += v.Stacks[i].CPU
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
func (v *search) lineCost(f *found) (share float64) {
	if f.Measure != CPU || f.Place.Function == "" {
		return 0
	}
	for i := range v.Stacks {
		s := &v.Stacks[i]
		if s.Find(func(one *facts.Frame) bool { return one.Function == f.Place.Function && one.Line == f.Place.Line }) >= 0 {
			share += s.Cost
		}
	}
	return max(share, f.Cost)
}

// mostLines is how many lines a finding names whose cost it counts.
const mostLines = 5

// linesOf are the user's lines nearest to what stacks do, the dearest first.
func (v *search) linesOf(stacks []int) (lines []code.Place) {
	costs := map[code.Place]float64{}
	for _, i := range stacks {
		if s := &v.Stacks[i]; s.Own(0) < len(s.Frames) {
			costs[s.Frames[s.Own(0)].Place()] += s.Cost
		}
	}
	lines = slices.SortedFunc(maps.Keys(costs), func(a, b code.Place) int {
		return cmp.Or(facts.CompareShares(costs[a], costs[b]), code.ComparePlaces(a, b))
	})
	return lines[:min(mostLines, len(lines))]
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
// that grows, and connections that are lost. What is not the program's own comes last.
func (f *found) urgency() int {
	switch {
	case f.rule == cpuWithheld:
		return -1
	case f.Measure == Answers:
		return 2
	case f.Measure == Growing, f.rule == unclosedBody:
		return 1
	}
	return 0
}

// unit is the whole of a measure, in nanoseconds or bytes per request; memory in bytes.
func (v *search) unit(m Measure) float64 {
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
func (v *search) verify(f *found, number int) string {
	switch {
	case f.setting != "" && v.Compare != "" && v.Setting != nil:
		return v.Setting(f.setting)
	case f.setting != "", f.rule == cpuWithheld: // of which the source is not the reason
		return ""
	case !v.MeasuredAgain:
	case f.Mechanical && f.Place.File != "" && v.Rewrites != nil && v.Rewrites(f.Rule, f.Place):
		return fmt.Sprintf("hone advise --try %d %s%s", number, v.Run, v.Completing)
	case f.Rule == "gc-thrash" || f.Rule == "procs":
		return fmt.Sprintf("hone advise --verify %s%s", v.Run, v.Completing)
	}
	return v.Compare
}

// spent says where the CPU time goes.
func (v *search) spent() (s Spent) {
	for i := range v.Stacks {
		one := &v.Stacks[i]
		switch {
		case one.CPU == 0:
		case one.Background(), one.Assists():
			s.Collector += one.CPU
		case one.Kernel():
			s.Kernel += one.CPU
		case one.Leaf() < 0:
			s.Scheduler += one.CPU
		case one.Own(0) < len(one.Frames):
			s.User += one.CPU
		default:
			s.Libraries += one.CPU
		}
	}
	return s
}
