package recording

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/gohone/hone/load"
)

// place is what slices of several recordings are aligned by: where in the stretch they
// began. Some slices of one recording may share stage and offset (a drain of its own); nth
// counts them.
type place struct {
	offset time.Duration
	stage  int
	nth    int
}

// mergeSlices aligns the slices of the recordings and adds them up.
func mergeSlices(recordings []*Recording) ([]Slice, error) {
	at := map[place][]Slice{}
	for _, r := range recordings {
		nth := map[place]int{}
		for _, s := range r.Slices {
			p := place{offset: s.Bare.Offset, stage: s.Bare.Stage}
			n := nth[p]
			nth[p]++
			p.nth = n
			at[p] = append(at[p], s)
		}
	}
	places := slices.SortedFunc(maps.Keys(at), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.stage, b.stage), cmp.Compare(a.nth, b.nth))
	})
	out := make([]Slice, 0, len(places))
	for _, p := range places {
		s, err := addSlices(at[p])
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// addSlices adds up slices that ran at the same time.
func addSlices(all []Slice) (Slice, error) {
	if len(all) == 1 {
		return all[0], nil
	}
	sum := all[0].Unpack()
	sum.Codes = maps.Clone(sum.Codes)
	for _, s := range all[1:] {
		addSlice(&sum, s.Unpack())
	}
	return Pack(sum)
}

// addSlice adds b to a. Times are those of the longer one, for both ran at once.
func addSlice(a *load.Slice, b load.Slice) {
	if b.Start.Before(a.Start) {
		a.Start = b.Start
	}
	a.Duration, a.Draining = max(a.Duration, b.Duration), max(a.Draining, b.Draining)
	a.Silent = min(a.Silent, b.Silent) // the last answer of both
	a.Counts.Add(b.Counts)
	a.Service = load.SumHistograms(a.Service, b.Service)
	a.Response = load.SumHistograms(a.Response, b.Response)
	a.Lag = load.SumHistograms(a.Lag, b.Lag)
	a.Age = load.SumHistograms(a.Age, b.Age)
	a.FailedLatency = load.SumHistograms(a.FailedLatency, b.FailedLatency)
	for code, n := range b.Codes {
		if a.Codes == nil {
			a.Codes = map[int]uint64{}
		}
		a.Codes[code] += n
	}
	a.Dropped += b.Dropped
	a.Waited += b.Waited
	a.Live += b.Live
	a.Stalled += b.Stalled
	a.Reconnects += b.Reconnects
	a.Renewed += b.Renewed
	a.WorkerCPU += b.WorkerCPU
	a.WorkerWall += b.WorkerWall
	a.Spin += b.Spin
}
