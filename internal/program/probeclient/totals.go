package probeclient

import (
	"math"
	"runtime/metrics"
)

// Totals adds up the runtime metrics of a subject's processes, reading after reading. Of a
// process that has ended, the counters stay in the sum as they were last read, so that the
// sum never falls; those of one that starts come in from 0. It is for one goroutine.
type Totals struct {
	last  map[int]Metrics
	ended Metrics
}

// Take takes in a reading and returns the sum of all processes.
func (t *Totals) Take(a Answers[Metrics]) Metrics {
	if t.last == nil {
		t.last, t.ended = map[int]Metrics{}, Metrics{}
	}
	asked := map[int]bool{}
	for _, pid := range a.Asked {
		asked[pid] = true
	}
	for pid := range t.last {
		if !asked[pid] {
			t.bury(pid)
		}
	}
	for pid, m := range a.Of {
		if earlier := t.last[pid]; m[allocatedMetric].Uint64 < earlier[allocatedMetric].Uint64 {
			t.bury(pid) // another process has the number, or another program the process
		}
		t.last[pid] = m
	}
	sum := Metrics{}
	sum.add(t.ended, nil)
	for pid, m := range t.last {
		_, lives := a.Of[pid]
		sum.add(m, func(name string) bool { return lives || cumulative(name) })
	}
	return sum
}

// allocatedMetric only grows, in every process that does anything.
const allocatedMetric = "/gc/heap/allocs:bytes"

// bury keeps the counters of a process, and forgets it.
func (t *Totals) bury(pid int) {
	t.ended.add(t.last[pid], cumulative)
	delete(t.last, pid)
}

// limitMetrics are settings of a process, of which a sum means nothing: the largest counts.
var limitMetrics = map[string]bool{
	"/gc/gogc:percent": true, "/gc/gomemlimit:bytes": true, "/gc/stack/starting-size:bytes": true,
}

// add adds the metrics of another process; which chooses, nil is all.
func (m Metrics) add(other Metrics, which func(name string) bool) {
	for name, value := range other {
		if which != nil && !which(name) {
			continue
		}
		sum, known := m[name]
		switch {
		case !known:
			sum = value
		case limitMetrics[name]:
			sum.Uint64, sum.Value = max(sum.Uint64, value.Uint64), math.Max(sum.Value, value.Value)
		case value.Histogram != nil:
			sum.Histogram = sum.Histogram.Add(value.Histogram)
		default:
			sum.Uint64, sum.Value = sum.Uint64+value.Uint64, sum.Value+value.Value
		}
		m[name] = sum
	}
}

var cumulativeMetrics = func() map[string]bool {
	all := map[string]bool{}
	for _, d := range metrics.All() {
		all[d.Name] = d.Cumulative
	}
	return all
}()

// cumulative says whether a metric counts since the start of the process. One that hone's own
// Go release does not know is taken for a value of the moment.
func cumulative(name string) bool { return cumulativeMetrics[name] }
