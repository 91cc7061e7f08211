package record

import (
	"slices"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// Growth is what a run keeps of each request, where that rises all the time.
type Growth struct {
	// HeapBytes, Goroutines and Descriptors are per request, those of Run.PerRequest; 0 where they do not rise.
	HeapBytes   float64 `json:"heap_bytes_per_request,omitempty"`
	Goroutines  float64 `json:"goroutines_per_request,omitempty"`
	Descriptors float64 `json:"descriptors_per_request,omitempty"`
	// Requests were answered meanwhile.
	Requests uint64 `json:"requests"`
	// HeapPerMinute is how many bytes the live heap gains in a minute of this load, and HeapAtEnd what it was then; nil
	// where it does not rise.
	HeapPerMinute *Interval `json:"heap_bytes_per_minute,omitempty"`
	HeapAtEnd     uint64    `json:"heap_at_end_bytes,omitempty"`
}

// GrowthOf is what rose in a run, given its figures; nil where nothing did, and in a comparison.
func GrowthOf(t *Timeline, shown judge.Sample) *Growth {
	if t == nil {
		return nil
	}
	found := t.Growth()
	g := &Growth{HeapBytes: shown[measure.HeapGrowth.Key], Goroutines: shown[measure.GoroutineGrowth.Key],
		Descriptors: shown[measure.DescriptorGrowth.Key], Requests: found.Requests}
	if found.Starts > 0 || g.HeapBytes == 0 && g.Goroutines == 0 && g.Descriptors == 0 {
		return nil
	}
	if g.HeapBytes > 0 {
		rise, _, _ := risingHeap(t.latest())
		requests, minutes := 0.0, 0.0
		for _, m := range t.latest() {
			requests, minutes = requests+float64(m.Requests), minutes+m.Duration.Minutes()
		}
		each := requests / minutes
		g.HeapPerMinute, g.HeapAtEnd = &Interval{Value: rise.Value * each, Low: rise.Low * each, High: rise.High * each,
			Conf: rise.Conf}, found.ToHeap
	}
	return g
}

// leastRises is how many of the nine steps between the tenths of a timeline have to go up for a size to count as
// rising: what fills up and stays moves in one or two of them.
const leastRises = 6

// What a rise of the live heap rests on.
const (
	FewestCollections = 4     // points of a line
	sureOfRise        = 0.999 // confidence that it rises at all
	leastHeapRise     = 64 << 10
	// levelledRatio is the later rise over the earlier one below which what is shown to level off counts as full
	// soon: a cache that random keys fill has got 1 - exp(-2 ln 2) = 3/4 of its entries then (stats.Levelling).
	levelledRatio = 1. / 2
	lastsShare    = 1. / 3 // of the rise per request goes on in the second half: what fills up and stays does not
)

// risingHeap is what the live heap gains per request, with its 95 % interval, by the line through its sizes at the ends
// of collections; 0 unless it rises to the end. A heap that grows has few collections: each comes when the heap has
// doubled.
func risingHeap(all []Moment) (rise stats.SlopeResult, from, to uint64) {
	var requests, live []float64
	sum := 0.0
	for _, m := range all {
		sum += float64(m.Requests)
		if m.GCCycles > 0 {
			requests, live = append(requests, sum), append(live, float64(m.HeapLiveBytes))
		}
	}
	if len(live) < FewestCollections {
		return rise, 0, 0
	}
	from, to = uint64(live[0]), uint64(live[len(live)-1])
	sure, err := stats.Slope(requests, live, sureOfRise)
	if err != nil || sure.Low <= 0 || sure.Value*sum < leastHeapRise {
		return rise, from, to
	}
	if levels, err := stats.Levelling(requests, live, 0.95); err == nil && levels.LevelsOff() &&
		levels.Ratio < levelledRatio {
		return rise, from, to
	}
	half := len(live) / 2
	if later, err := stats.Slope(requests[half-1:], live[half-1:], sureOfRise); err != nil ||
		later.Value < lastsShare*sure.Value {
		return rise, from, to
	}
	rise, err = stats.Slope(requests, live, 0.95)
	if err != nil {
		return stats.SlopeResult{}, from, to
	}
	return rise, from, to
}

// fewestStarts is how many starts have to gain before a size counts as rising, and mostOthers the part of them that may
// not.
const (
	fewestStarts = 4
	mostOthers   = 0.2
)

// risesInStarts is what a size gains per request from the beginnings to the ends of starts; 0 unless it rises in most
// of them.
func risesInStarts(starts [][]Moment, requests uint64, size func(*Moment) (from, to uint64)) (perRequest float64, from,
	to uint64) {
	var begins, ends []uint64
	others := 0
	for _, start := range starts {
		begin, _ := size(&start[0])
		_, end := size(&start[len(start)-1])
		begins, ends = append(begins, begin), append(ends, end)
		if begin == 0 || end <= begin { // 0 in a record of an earlier hone
			others++
		}
	}
	from, to = median(begins), median(ends)
	if to <= from || float64(others) > mostOthers*float64(len(starts)) {
		return 0, from, to
	}
	return float64(to-from) / float64(requests), from, to
}

// median is the larger of two in the middle.
func median(values []uint64) uint64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// steadyRise is what a size gains per request from the first to the last tenth of the moments, by their medians; 0
// unless most of the tenths are above the one before.
func steadyRise(all []Moment, requests uint64, size func(*Moment) uint64) (perRequest float64, from, to uint64) {
	const parts = 10
	var levels [parts]uint64
	for i := range parts {
		var values []uint64
		for j := i * len(all) / parts; j < (i+1)*len(all)/parts; j++ {
			values = append(values, size(&all[j]))
		}
		levels[i] = median(values)
	}
	up := 0
	for i := 1; i < parts; i++ {
		if levels[i] > levels[i-1] {
			up++
		}
	}
	from, to = levels[0], levels[parts-1]
	if up < leastRises || to <= from {
		return 0, from, to
	}
	return float64(to-from) / (float64(requests) * (parts - 1) / parts), from, to
}
