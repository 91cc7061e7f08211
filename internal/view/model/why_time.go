package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/judge/measure"
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

// whyTime explains the changes that the users of a service feel by where the time of requests went:
//
//	why p50: 1.2 -> 4.3 ms in the traces: +98 % sleep time.Sleep main.go:29
func whyTime(c lab.Contest) []string {
	var lines []string
	said := map[string]bool{}
	for _, m := range timeMeasures {
		v, ok := verdictOn(c, m.key)
		i := slices.IndexFunc(c.WhyTime, func(t lab.TimeChange) bool { return t.Cohort == m.cohort })
		if !ok || i < 0 || said[m.cohort] || !clearlyChanged(v) || c.Word.Different() && v.Word.Different() && v.Word != c.Word {
			continue // or it goes against the verdict that leads, whose explanation it is not
		}
		said[m.cohort] = true
		if text := timeChange(v, c.WhyTime[i]); text != "" {
			lines = append(lines, "why "+v.Measure.Name+": "+text)
		}
	}
	return lines
}

// waitCauses is how many causes a line names.
const waitCauses = 3

// halfExplained is the share of a change from which on its causes explain it.
const halfExplained = 0.5

// timeChange says what a change of latency consists of; empty if the traces show the contrary, or explain less than half of it.
// Throughput falls where latency grows.
func timeChange(v judge.Verdict, t lab.TimeChange) string {
	grew := v.Ratio > 1
	if v.Measure.Key == measure.Throughput.Key {
		grew = !grew
	}
	if (t.B > t.A) != grew {
		return ""
	}
	causes := slices.Clone(t.Causes)
	slices.SortStableFunc(causes, func(a, b walltime.Cause) int { return usersFirst(b) - usersFirst(a) })
	sign, sum := "+", 0.0
	if t.B < t.A {
		sign = "-"
	}
	text := ""
	for i, cause := range causes[:min(waitCauses, len(causes))] {
		if cause.Share < LeastSaid && i > 0 {
			break
		}
		text += fmt.Sprintf("%s%s%s %s", map[bool]string{true: ": ", false: "; "}[i == 0], sign, units.Nanos(math.Abs(cause.Nanos)), PartText(cause.Label))
		sum += cause.Share
	}
	if sum < halfExplained {
		return ""
	}
	return fmt.Sprintf("the %s request takes %s in the traces", t.Cohort, latencies(t)) + text
}

func latencies(t lab.TimeChange) string {
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
