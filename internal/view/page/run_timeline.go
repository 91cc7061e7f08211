package page

import (
	"fmt"
	"time"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/stats"
)

// timelinePoints is how many points a timeline has at most, beside one more for each start: a screen shows no more.
const timelinePoints = 400

// interval is a point of a timeline: slices that follow each other, added up. One without slices lies between two
// starts.
type interval struct {
	group
	packed.Slice // counters and times of all
	slices       int
	p50, p99     *float64
	disturbed    int
	why          string // the strongest disturbance in words
}

// timelineOf is what slices, with what they counted, and the runtime of the program show over time; nil without slices.
// runtime may be nil.
func timelineOf(all []packed.Slice, counts []distribution, runtime *record.Timeline) *Timeline {
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
		all := runtime.Slices
		t.Series = append(t.Series, memoryIn(all, intervals)...)
		add("heap live", "heap", "B", sizeIn(all, func(m *record.Moment) uint64 { return m.HeapLiveBytes }))
		add("heap goal", "heap", "B", sizeIn(all, func(m *record.Moment) uint64 { return m.HeapGoalBytes }))
		add("goroutines", "goroutines", "", sizeIn(all, func(m *record.Moment) uint64 { return m.Goroutines }))
		add("collections", "collections", "1/s", rateIn(all,
			func(m *record.Moment) float64 { return m.PerSecond(m.GCCycles) }))
		t.Marks = append(t.Marks, collections(all, len(counts))...)
	}
	t.Marks = append(t.Marks, sliceMarks(intervals, all)...)
	return t
}

func intervalsOf(all []packed.Slice, counts []distribution) []interval {
	var out []interval
	for _, g := range groupSlices(all, timelinePoints) {
		if n := len(out); n > 0 && g.block != out[n-1].block { // a line ends with a start
			out = append(out, interval{group: group{start: out[n-1].end, end: g.start, block: g.block, from: g.from,
				to: g.from}})
		}
		v := interval{group: g, slices: g.to - g.from}
		for _, s := range all[g.from:g.to] {
			v.Answered, v.Failed, v.CPU, v.Duration = v.Answered+s.Answered, v.Failed+s.Failed, v.CPU+s.CPU,
				v.Duration+s.Duration
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

// momentsOf reads the runtime for an interval from the moments that overlap with it: of sizes the largest, as in the
// rows of hone profile gc, and of rates the mean. A moment lasts until the next one begins: its Duration is that of its
// slices, and leaves out what is between them.
type momentsOf struct {
	moments []record.Moment // in the order of time
	next    int             // before it no interval begins any more
}

// overlap calls see for each moment that overlaps with an interval, with the time that both have in common. Intervals
// have to come in the order of time.
func (o *momentsOf) overlap(v *interval, see func(m *record.Moment, common time.Duration)) {
	if v.slices == 0 {
		return
	}
	for o.next+1 < len(o.moments) && o.moments[o.next+1].At <= v.start {
		o.next++
	}
	for i := o.next; i < len(o.moments) && o.moments[i].At < v.end; i++ {
		end := v.end
		if i+1 < len(o.moments) {
			end = min(end, o.moments[i+1].At)
		}
		see(&o.moments[i], end-max(v.start, o.moments[i].At))
	}
}

// sizeIn is the largest of a size in an interval.
func sizeIn(all []record.Moment, size func(*record.Moment) uint64) func(*interval) *float64 {
	o := &momentsOf{moments: all}
	return func(v *interval) (most *float64) {
		o.overlap(v, func(m *record.Moment, _ time.Duration) {
			if x := float64(size(m)); most == nil || x > *most {
				most = &x
			}
		})
		return most
	}
}

// rateIn is the mean of a rate in an interval.
func rateIn(all []record.Moment, rate func(*record.Moment) float64) func(*interval) *float64 {
	o := &momentsOf{moments: all}
	return func(v *interval) *float64 {
		sum, whole := 0.0, 0.0
		o.overlap(v, func(m *record.Moment, common time.Duration) {
			sum, whole = sum+rate(m)*common.Seconds(), whole+common.Seconds()
		})
		if whole <= 0 {
			return nil
		}
		return number(sum / whole)
	}
}

// mostMarks is how many marks of a kind tell moments apart; of more the series tell.
const mostMarks = 60

// collections marks where collections ended, unless there are so many that marks would cover everything, or the runtime
// was read so seldom, as in a comparison, that it is not known where they ended.
func collections(moments []record.Moment, slices int) []TimelineMark {
	if len(moments) < slices/4 {
		return nil
	}
	var marks []TimelineMark
	for _, m := range moments {
		if m.GCCycles == 0 {
			continue
		}
		text := units.Plural(int(m.GCCycles), "collection")
		if m.Pauses.Count > 0 {
			text += ", longest pause " + units.Nanos(float64(m.Pauses.Max))
		}
		marks = append(marks, TimelineMark{Seconds: seconds(m.At + m.Duration/2), Kind: "gc", Text: text})
	}
	if len(marks) > mostMarks {
		return nil
	}
	return marks
}

// sliceMarks marks fresh starts, failures and what the machine disturbed. Intervals one after the other are one mark.
func sliceMarks(intervals []interval, all []packed.Slice) []TimelineMark {
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
		if i == 0 || v.block != intervals[i-1].block {
			start++
			if starts > 1 {
				marks = append(marks, TimelineMark{Seconds: seconds(all[v.from].Offset), Kind: "start",
					Text: fmt.Sprintf("start %d of %d", start, starts)})
			}
		}
		if v.Failed > 0 && (i == 0 || intervals[i-1].Failed == 0) {
			n := uint64(0)
			for j := i; j < len(intervals) && intervals[j].Failed > 0; j++ {
				n += intervals[j].Failed
			}
			marks = append(marks, TimelineMark{Seconds: seconds(v.start), Kind: "error",
				Text: units.Count(n) + " failed"})
		}
		if v.disturbed > 0 && (i == 0 || intervals[i-1].disturbed == 0) {
			n, of, until := 0, 0, v.end
			for j := i; j < len(intervals) && intervals[j].disturbed > 0; j++ {
				n, of, until = n+intervals[j].disturbed, of+intervals[j].slices, intervals[j].end
			}
			text := units.Plural(n, "slice")
			if n < of {
				text = fmt.Sprintf("%d of %s", n, units.Plural(of, "slice"))
			}
			text += " disturbed: " + v.why
			marks = append(marks, TimelineMark{Seconds: seconds(v.start), Until: seconds(until), Kind: "disturbed",
				Text: text})
		}
	}
	return marks
}
