package model

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// timeMeasures are the measures that traces explain, each by the requests that it speaks of. In a
// closed loop throughput follows the latency of the typical request.
var timeMeasures = []struct{ key, cohort string }{
	{"p50", walltime.TypicalName},
	{measure.Throughput.Key, walltime.TypicalName},
	{"p99", walltime.SlowName},
}

// timeWhy is a line that explains a latency. Queueing says that it names no other cause than waiting for a CPU that
// other requests have.
type timeWhy struct {
	text     string
	queueing bool
}

func texts(all []timeWhy) (lines []string) {
	for _, one := range all {
		lines = append(lines, one.text)
	}
	return lines
}

// whyTime explains the changes that the users of a service feel by where the time of requests went:
//
//	why p50 latency: the typical request takes 1.2 -> 4.3 ms in the traces: +3.1 ms sleep time.Sleep main.go:29
func whyTime(c record.Contest) []timeWhy {
	var lines []timeWhy
	said := map[string]bool{}
	for _, m := range timeMeasures {
		v, ok := verdictOn(c, m.key)
		i := slices.IndexFunc(c.WhyTime, func(t record.TimeChange) bool { return t.Cohort == m.cohort })
		if !ok || i < 0 || said[m.cohort] || !clearlyChanged(v) ||
			c.Word.Different() && v.Word.Different() && v.Word != c.Word {
			continue // or it goes against the verdict that leads, whose explanation it is not
		}
		said[m.cohort] = true
		if one := timeChange(v, c.WhyTime[i], cpuWord(c) == v.Word); one.text != "" {
			one.text = "why " + v.Measure.Name + ": " + one.text
			lines = append(lines, one)
		}
	}
	return lines
}

// cpuWord is what became of the CPU time of a request.
func cpuWord(c record.Contest) judge.Word {
	v, _ := gated(c)
	return v.Word
}

// waitCauses is how many causes a line names.
const waitCauses = 3

// halfExplained is the share of a change from which on its causes explain it.
const halfExplained = 0.5

// timeChange says what a change of latency consists of; empty if the traces show the contrary, or explain less than
// half of it. Throughput falls where latency grows. With cpuToo the CPU time of a request changed in the same way:
// queueing for a CPU that other requests have follows from that, and comes last.
func timeChange(v judge.Verdict, t record.TimeChange, cpuToo bool) timeWhy {
	grew := latencyRatio(v) > 1
	if !tracesAgree(v, t) || (t.B > t.A) != grew || !Explains(sumOf(t.Causes), t.B-t.A) {
		return timeWhy{}
	}
	causes := slices.Clone(t.Causes)
	slices.SortStableFunc(causes, func(a, b walltime.Cause) int { return usersFirst(b) - usersFirst(a) })
	causes = causes[:min(waitCauses, len(causes))]
	if cpuToo {
		slices.SortStableFunc(causes, func(a, b walltime.Cause) int { return queueing(a) - queueing(b) })
	}
	why, sum, sign := timeWhy{queueing: true}, 0.0, "+"
	if t.B < t.A {
		sign = "-"
	}
	var said []string
	for _, cause := range causes {
		if cause.Share < LeastSaid && len(causes) > 1 {
			continue
		}
		text := facts.PartText(cause.Label)
		if queueing(cause) > 0 {
			text = queueText(cause, cpuToo, grew)
		}
		why.queueing = why.queueing && queueing(cause) > 0
		said = append(said, sign+units.Nanos(math.Abs(cause.Nanos))+" "+text)
		sum += cause.Share
	}
	if sum < halfExplained {
		return timeWhy{}
	}
	why.text = fmt.Sprintf("the %s request takes %s in the traces: %s", t.Cohort, latencies(t),
		strings.Join(said, "; "))
	return why
}

func sumOf(causes []walltime.Cause) (nanos float64) {
	for _, c := range causes {
		nanos += c.Nanos
	}
	return nanos
}

// queueing is 1 for a cause that is waiting for a CPU that other requests have, or of which no one is known to have it.
func queueing(c walltime.Cause) int {
	if c.State == walltime.Runnable && (c.Behind == nil || c.Behind.State == walltime.Requests) {
		return 1
	}
	return 0
}

// queueText is queueing in a sentence: where the requests that have the CPU spend it or, if they take more or less of
// it, that it follows from that.
func queueText(c walltime.Cause, cpuToo, grew bool) string {
	text := "queueing for a CPU"
	switch {
	case cpuToo && grew:
		return text + ", since requests take more of it"
	case cpuToo:
		return text + ", since requests take less of it"
	case c.Behind != nil && c.Behind.Function != "":
		return text + " that other requests hold in " + facts.CallText(*c.Behind)
	}
	return text + " that other requests hold"
}

func latencies(t record.TimeChange) string {
	u := units.Nanoseconds.Pick(t.A, t.B)
	return units.Digits(t.A/u.Scale) + " -> " + units.Digits(t.B/u.Scale) + " " + u.Name
}

// usersFirst is 1 for a cause that names a line of the user's.
func usersFirst(c walltime.Cause) int {
	if c.Function != "" || c.Behind != nil && c.Behind.Function != "" {
		return 1
	}
	return 0
}
