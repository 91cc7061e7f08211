package panels

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/text/vitals"
)

// instrument is one row: a value that is plotted, and the words beside it.
type instrument struct {
	label string
	help  string
	// plotted is drawn as columns from 0 up.
	plotted func(*vitals.Reading) vitals.Value
	// second is drawn with it, if not nil: as the part of the column up to it, or as a line.
	second func(*vitals.Reading) vitals.Value
	asLine bool
	// words are the latest values; the first line is shown always, the others if there is
	// room.
	words func(*vitals.Reading) []line
	// axis writes a value at the edge of the plot.
	axis func(float64) string
	// least is the least top of the scale, so that noise does not look like a storm.
	least float64
	// steady values seldom change: a high plot of them would be a wall.
	steady bool
	// slot: of several instruments in one slot only the first that has values is shown.
	slot string
}

// instruments are all rows, what says most first.
var instruments = []*instrument{
	{
		label: "rate",
		help: "requests per second, or the counter of /metrics that comes closest, and how many of them failed (err); " +
			"the line is the rate that was wanted",
		plotted: func(r *vitals.Reading) vitals.Value { return r.RatePerSec },
		second:  func(r *vitals.Reading) vitals.Value { return r.AskedPerSec }, asLine: true,
		words: rateWords, axis: units.Digits, least: 1,
	},
	{
		label: "latency",
		help: "99 % of the answers took no longer than p99, half of them no longer than p50 (the full part of the " +
			"columns)",
		plotted: func(r *vitals.Reading) vitals.Value { return r.LatencyP99Seconds.Or(r.LatencyP50Seconds) },
		second:  func(r *vitals.Reading) vitals.Value { return r.LatencyP50Seconds },
		words:   latencyWords, axis: seconds,
	},
	{
		label: "cpu", help: "CPU time over time: 1 is one core busy all the time",
		plotted: func(r *vitals.Reading) vitals.Value { return r.CPUCores },
		words: one(func(x float64) string { return units.Digits(x) + " cores" },
			func(r *vitals.Reading) vitals.Value { return r.CPUCores }),
		axis: units.Digits, least: 0.1,
	},
	{
		label: "heap", help: "heap in use, and the size (the line) at which the next collection ends",
		plotted: heapOf,
		second:  func(r *vitals.Reading) vitals.Value { return r.HeapGoalBytes }, asLine: true,
		words: heapWords, axis: units.Bytes,
	},
	{
		label: "gc cpu", slot: "gc", help: "the collector's share of the CPU time used",
		plotted: func(r *vitals.Reading) vitals.Value { return r.GCShare },
		words: func(r *vitals.Reading) []line {
			return gcWords(r, percent(r.GCShare)+" of cpu")
		},
		axis: percentAxis, least: 0.01,
	},
	{
		label: "gc cpu", slot: "gc",
		help:    "the collector's share of the CPU time that the program could have (GOMAXPROCS cores)",
		plotted: func(r *vitals.Reading) vitals.Value { return r.GCShareOfAvailable },
		words: func(r *vitals.Reading) []line {
			return gcWords(r, percent(r.GCShareOfAvailable)+" of available")
		},
		axis: percentAxis, least: 0.01,
	},
	{
		label: "gc cpu", slot: "gc",
		help:    "the collector's share of the CPU time that the program could have had since its start",
		plotted: func(r *vitals.Reading) vitals.Value { return r.GCShareSinceStart },
		words: func(r *vitals.Reading) []line {
			return []line{{{strong, percent(r.GCShareSinceStart) + " since start"}}}
		},
		axis: percentAxis, least: 0.01,
	},
	{
		label: "gc pause", help: "99 % of the last minute's stop-the-world pauses were no longer",
		plotted: func(r *vitals.Reading) vitals.Value { return r.GCPauseP99Seconds },
		words: one(func(x float64) string { return "p99 " + seconds(x) },
			func(r *vitals.Reading) vitals.Value { return r.GCPauseP99Seconds }),
		axis: seconds,
	},
	{
		label: "gc cycles", help: "collections per second",
		plotted: func(r *vitals.Reading) vitals.Value { return r.GCCyclesPerSec },
		words:   one(units.Rate, func(r *vitals.Reading) vitals.Value { return r.GCCyclesPerSec }),
		axis:    units.Digits, least: 1,
	},
	{
		label: "goroutines", help: "goroutines that there are",
		plotted: func(r *vitals.Reading) vitals.Value { return r.Goroutines },
		words:   one(count, func(r *vitals.Reading) vitals.Value { return r.Goroutines }),
		axis:    units.Digits, least: 10, steady: true,
	},
	{
		label: "connections", help: "established TCP connections of the process",
		plotted: func(r *vitals.Reading) vitals.Value { return r.Connections },
		words: func(r *vitals.Reading) []line {
			lines := one(count, func(r *vitals.Reading) vitals.Value { return r.Connections })(r)
			return add(lines, r.OpenFiles, func(x float64) string { return count(x) + " open files" })
		},
		axis: units.Digits, least: 10, steady: true,
	},
	{
		label:   "generator",
		help:    "the part of its CPU that the load generator uses: near 100 % it is the one that is measured",
		plotted: func(r *vitals.Reading) vitals.Value { return r.GeneratorShare },
		words: func(r *vitals.Reading) []line {
			return []line{{{strong, percent(r.GeneratorShare) + " busy"}}}
		},
		axis: percentAxis, least: 1, steady: true,
	},
	{
		label: "memory", help: "resident memory of the process, as the system counts it",
		plotted: func(r *vitals.Reading) vitals.Value { return r.ResidentBytes },
		words:   one(units.Bytes, func(r *vitals.Reading) vitals.Value { return r.ResidentBytes }),
		axis:    units.Bytes, steady: true,
	},
	{
		label: "calls", help: "read and write calls per second, recv and send not counted",
		plotted: callsOf,
		words: func(r *vitals.Reading) []line {
			lines := one(units.Rate, callsOf)(r)
			lines = add(lines, r.ReadCallsPerSec, func(x float64) string { return "read " + units.Rate(x) })
			return add(lines, r.WriteCallsPerSec, func(x float64) string { return "write " + units.Rate(x) })
		},
		axis: units.Digits, least: 10,
	},
	{
		label: "switches", help: "context switches of all threads per second; involuntary ones were sent off the CPU",
		plotted: switchesOf,
		words: func(r *vitals.Reading) []line {
			return add(one(units.Rate, switchesOf)(r), r.InvoluntaryPerSec,
				func(x float64) string { return units.Rate(x) + " involuntary" })
		},
		axis: units.Digits, least: 10,
	},
	{
		label: "threads", help: "threads of the process",
		plotted: func(r *vitals.Reading) vitals.Value { return r.Threads },
		words:   one(count, func(r *vitals.Reading) vitals.Value { return r.Threads }),
		axis:    units.Digits, least: 10, steady: true,
	},
}

func heapOf(r *vitals.Reading) vitals.Value { return r.HeapBytes.Or(r.HeapLiveBytes) }

func callsOf(r *vitals.Reading) vitals.Value { return sum(r.ReadCallsPerSec, r.WriteCallsPerSec) }

func switchesOf(r *vitals.Reading) vitals.Value { return sum(r.VoluntaryPerSec, r.InvoluntaryPerSec) }

// sum is absent where a part is.
func sum(a, b vitals.Value) vitals.Value {
	x, okX := a.Get()
	y, okY := b.Get()
	if !okX || !okY {
		return vitals.Value{}
	}
	return vitals.Of(x + y)
}

// one writes a single value.
func one(write func(float64) string, of func(*vitals.Reading) vitals.Value) func(*vitals.Reading) []line {
	return func(r *vitals.Reading) []line {
		x, _ := of(r).Get()
		return []line{{{strong, write(x)}}}
	}
}

// add appends an explaining line if there is the value.
func add(lines []line, v vitals.Value, write func(float64) string) []line {
	if x, known := v.Get(); known {
		lines = append(lines, line{{faint, write(x)}})
	}
	return lines
}

func rateWords(r *vitals.Reading) []line {
	x, _ := r.RatePerSec.Get()
	first := line{{strong, units.Rate(x)}}
	if bad, known := r.ErrorsPerSec.Get(); known && bad > 0 {
		first = append(first, word{accent, "  err " + units.Rate(bad)})
	}
	lines := []line{first}
	if r.RateName != "" {
		lines = append(lines, line{{faint, printable.Line(r.RateName)}})
	}
	return add(lines, r.AskedPerSec, func(x float64) string { return "of " + units.Rate(x) + " asked" })
}

func latencyWords(r *vitals.Reading) []line {
	p50, ok50 := r.LatencyP50Seconds.Get()
	p99, ok99 := r.LatencyP99Seconds.Get()
	u := units.Nanoseconds.Pick(p50*1e9, p99*1e9)
	var parts []string
	if ok50 {
		parts = append(parts, "p50 "+units.Digits(p50*1e9/u.Scale))
	}
	if ok99 {
		parts = append(parts, "p99 "+units.Digits(p99*1e9/u.Scale))
	}
	lines := []line{{{strong, strings.Join(parts, " ") + " " + u.Name}}}
	if r.LatencyName != "" {
		lines = append(lines, line{{faint, printable.Line(r.LatencyName)}})
	}
	return add(lines, r.LatencyP999Seconds, func(x float64) string { return "p99.9 " + seconds(x) })
}

func heapWords(r *vitals.Reading) []line {
	now, _ := heapOf(r).Get()
	text := units.Bytes(now)
	if goal, known := r.HeapGoalBytes.Get(); known {
		u := units.Octets.Pick(goal)
		text = fmt.Sprintf("%s of %s %s", units.Digits(now/u.Scale), units.Digits(goal/u.Scale), u.Name)
	}
	lines := []line{{{strong, text}}}
	lines = add(lines, r.HeapLiveBytes, func(x float64) string { return "live " + units.Bytes(x) })
	return add(lines, r.AllocBytesPerSec, func(x float64) string { return "allocates " + units.Bytes(x) + "/s" })
}

// gcWords has the share that moves first, and the one since the start behind it.
func gcWords(r *vitals.Reading, now string) []line {
	return add([]line{{{strong, now}}}, r.GCShareSinceStart,
		func(x float64) string { return percent(vitals.Of(x)) + " since start" })
}

func seconds(x float64) string { return units.Nanos(x * 1e9) }

func count(x float64) string { return units.Count(uint64(max(0, x) + 0.5)) }

func percent(v vitals.Value) string {
	x, _ := v.Get()
	return units.Digits(x*100) + " %"
}

func percentAxis(x float64) string { return units.Digits(x*100) + " %" }
