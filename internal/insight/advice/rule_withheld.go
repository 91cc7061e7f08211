package advice

import (
	"fmt"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/units"
)

var cpuWithheld = &Rule{
	Name: "cpu-withheld", Title: "a CPU that the program does not get",
	Looks: "time that requests wait since the kernel does not let the program's threads run: the quota of its control " +
		"group is used up, or a signal has stopped it; what other programs and the host of the virtual machine have is " +
		"no finding about the program, and is noted",
	Thresholds: append([]Threshold{
		{Name: "wait", Value: float64(machine.LeastDelay),
			Reason: "nanoseconds of such a request: a program that computes keeps a CPU for so long, waits below are those " +
				"in which a thread wakes up"},
	}, latencyThreshold...),
	Remedy: withheldBy[0].Remedy,
	Find: func(v *search, r *Rule) (all []*found) {
		for _, by := range withheldBy {
			if by.state == walltime.Throttled && v.ruleSpoke(throttled) {
				continue
			}
			var most facts.Wait
			for _, w := range v.WaitOfAll() {
				enough := w.Share >= r.threshold("latency") && (!w.Slow || w.Share >= leastTail)
				if w.Own.State == by.state && enough && w.Nanos >= r.threshold("wait") && w.Share > most.Share {
					most = w
				}
			}
			if most.Share == 0 {
				continue
			}
			if by.Change == "" {
				v.Missing = append(v.Missing, fmt.Sprintf("what else %s wait for: %s for %s", most.Who(), by.what,
					ofTheirTime(most)))
				continue
			}
			all = append(all, &found{Finding: Finding{
				Title: fmt.Sprintf("%s wait for %s: %s", most.Who(), ofTheirTime(most), by.what),
				Costs: Costs{Measure: measureOf(most.Latency), Whole: most.Whole, Cost: most.Share, Gain: most.Share},
				Evidence: []Evidence{{Source: "kernel", Text: fmt.Sprintf("%s of %s while its threads could run and did not",
					units.Share(most.Share), most.Text())}},
				Remedy: by.Remedy,
			}, traced: most.Traced})
		}
		return all
	},
}

// ruleSpoke says whether a rule has found something already.
func (v *search) ruleSpoke(r *Rule) bool {
	for _, f := range v.found {
		if f.rule == r {
			return true
		}
	}
	return false
}

// withheldBy are what may withhold a CPU. What belongs to the machine has no remedy in the program, and is noted.
var withheldBy = []struct {
	state walltime.State
	what  string
	Remedy
}{
	{walltime.Throttled, "the quota of its control group is used up", Remedy{
		Change: "Raise the limit of CPU time, or let it use less at a time: GOMAXPROCS that is not above the limit, a " +
			"collector that runs less often (GOGC, GOMEMLIMIT), work in the background in smaller pieces. A quota is used up " +
			"within a period of 100 ms, also where the mean is far below it."}},
	{walltime.Preempted, "other programs have the CPU", Remedy{}},
	{walltime.Stolen, "the host of the virtual machine gives the CPU to others", Remedy{}},
	{walltime.Halted, "a signal has stopped the program", Remedy{
		Change: "Nothing in the source is the reason. Look for what sends SIGSTOP: a debugger, a snapshot or checkpoint, a " +
			"freezer of containers, a shell's job control."}},
}
