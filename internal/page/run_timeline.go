package page

import (
	"fmt"
	"time"

	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/units"
	"github.com/gohone/hone/stats"
)

// timelinePoints is how many points a timeline has at most, beside one more for each start: a screen shows no more.
const timelinePoints = 400

// interval is a point of a timeline: slices that follow each other, added up.
type interval struct {
	group
	ledger.Slice // counters and times of all
	slices       int
	p50, p99     *float64
	disturbed    int
	why          string // the strongest disturbance in words
}

// timelineOf is what slices, with what they counted, and the runtime of the program show over time; nil without slices.
// runtime may be nil.
func timelineOf(all []ledger.Slice, counts []distribution, runtime *lab.Timeline) *Timeline {
	if len(all) == 0 {
		return nil
	}
	intervals := intervalsOf(all, counts)
	t := &Timeline{Seconds: []float64{}, Series: []TimeSeries{}}
	for _, v := range intervals {
		t.Seconds = append(t.Seconds, seconds(v.start+(v.end-v.start)/2))
	}
	add := func(name, group, unit string, value func(*interval) *float64) {
		s := TimeSeries{Name: name, Group: group, Unit: unit, Values: []*float64{}}
		observed := false
		for i := range intervals {
			v := value(&intervals[i])
			observed = observed || v != nil
			s.Values = append(s.Values, v)
		}
		if observed {
			t.Series = append(t.Series, s)
		}
	}
	add("answers", "rate", "1/s", func(v *interval) *float64 { return perSecond(v.Answered, v.Duration) })
	add("p50", "latency", "ns", func(v *interval) *float64 { return v.p50 })
	add("p99", "latency", "ns", func(v *interval) *float64 { return v.p99 })
	if failures(intervals) {
		add("failed", "errors", "1/s", func(v *interval) *float64 { return perSecond(v.Failed, v.Duration) })
	}
	add("CPU per request", "cpu", "ns", func(v *interval) *float64 {
		if v.Answered == 0 || v.CPU == 0 {
			return nil
		}
		return number(float64(v.CPU) / float64(v.Answered))
	})
	if runtime != nil && len(runtime.Slices) > 0 {
		of := momentsOf(intervals, runtime.Slices)
		add("heap live", "heap", "B", of(func(m *lab.Moment) float64 { return float64(m.HeapLiveBytes) }))
		add("heap goal", "heap", "B", of(func(m *lab.Moment) float64 { return float64(m.HeapGoalBytes) }))
		add("goroutines", "goroutines", "", of(func(m *lab.Moment) float64 { return float64(m.Goroutines) }))
		add("collections", "collections", "1/s", of(func(m *lab.Moment) float64 { return m.PerSecond(m.GCCycles) }))
		t.Marks = append(t.Marks, collections(runtime.Slices)...)
	}
	t.Marks = append(t.Marks, sliceMarks(intervals, all)...)
	return t
}

func intervalsOf(all []ledger.Slice, counts []distribution) []interval {
	var out []interval
	for _, g := range groupSlices(all, timelinePoints, false) {
		v := interval{group: g, slices: g.to - g.from}
		for _, s := range all[g.from:g.to] {
			v.Answered, v.Failed, v.CPU, v.Duration, v.Block = v.Answered+s.Answered, v.Failed+s.Failed, v.CPU+s.CPU, v.Duration+s.Duration, s.Block
			if d := s.Conditions.Disturbance(s.Duration); d.Noticeable() {
				v.disturbed++
				if v.why == "" {
					v.why = d.String()
				}
			}
		}
		if h := sumOf(counts[g.from:g.to]); h != nil {
			v.p50 = number(float64(h.ValueAtQuantile(50)))
			if stats.Resolves(h.TotalCount(), 0.99) {
				v.p99 = number(float64(h.ValueAtQuantile(99)))
			}
		}
		out = append(out, v)
	}
	return out
}

func failures(all []interval) bool {
	for _, v := range all {
		if v.Failed > 0 {
			return true
		}
	}
	return false
}

func number(v float64) *float64 { return &v }

func perSecond(n uint64, d time.Duration) *float64 {
	if d <= 0 {
		return nil
	}
	return number(float64(n) / d.Seconds())
}

// momentsOf reads a value of the runtime for an interval: that of the moments that overlap with it, of several their
// largest, as in the rows of hone profile gc.
func momentsOf(intervals []interval, moments []lab.Moment) func(func(*lab.Moment) float64) func(*interval) *float64 {
	return func(value func(*lab.Moment) float64) func(*interval) *float64 {
		next := 0 // intervals and moments are in the order of time
		return func(v *interval) *float64 {
			for next < len(moments) && moments[next].At <= v.start {
				next++
			}
			var most *float64
			for i := next; i < len(moments) && moments[i].At-moments[i].Duration < v.end; i++ {
				if x := value(&moments[i]); most == nil || x > *most {
					most = number(x)
				}
			}
			return most
		}
	}
}

// mostMarks is how many marks of a kind tell moments apart; of more the series tell.
const mostMarks = 60

// collections marks where collections ended, unless there are so many that marks would cover everything.
func collections(moments []lab.Moment) []TimelineMark {
	var marks []TimelineMark
	for _, m := range moments {
		if m.GCCycles == 0 {
			continue
		}
		text := units.Plural(int(m.GCCycles), "collection")
		if m.Pauses.Count > 0 {
			text += ", longest pause " + units.Nanos(float64(m.Pauses.Max))
		}
		marks = append(marks, TimelineMark{Seconds: seconds(m.At), Kind: "gc", Text: text})
	}
	if len(marks) > mostMarks {
		return nil
	}
	return marks
}

// sliceMarks marks fresh starts, failures and what the machine disturbed. Intervals one after the other are one mark.
func sliceMarks(intervals []interval, all []ledger.Slice) []TimelineMark {
	var marks []TimelineMark
	starts := 1
	for i := 1; i < len(all); i++ {
		if all[i].Block != all[i-1].Block {
			starts++
		}
	}
	start := 0
	for i := range intervals {
		v := &intervals[i]
		if i == 0 || v.Block != intervals[i-1].Block {
			start++
			if starts > 1 {
				marks = append(marks, TimelineMark{Seconds: seconds(v.start), Kind: "start", Text: fmt.Sprintf("start %d of %d", start, starts)})
			}
		}
		if v.Failed > 0 && (i == 0 || intervals[i-1].Failed == 0) {
			n := uint64(0)
			for j := i; j < len(intervals) && intervals[j].Failed > 0; j++ {
				n += intervals[j].Failed
			}
			marks = append(marks, TimelineMark{Seconds: seconds(v.start), Kind: "error", Text: units.Count(n) + " failed"})
		}
		if v.disturbed > 0 && (i == 0 || intervals[i-1].disturbed == 0) {
			n, of := 0, 0
			for j := i; j < len(intervals) && intervals[j].disturbed > 0; j++ {
				n, of = n+intervals[j].disturbed, of+intervals[j].slices
			}
			marks = append(marks, TimelineMark{Seconds: seconds(v.start), Kind: "disturbed", Text: fmt.Sprintf("%d of %s disturbed: %s", n, units.Plural(of, "slice"), v.why)})
		}
	}
	return marks
}
