package recording

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/gohone/hone/internal/store/packed"
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
func mergeSlices(recordings []*Recording) ([]packed.Slice, error) {
	at := map[place][]packed.Slice{}
	for _, r := range recordings {
		nth := map[place]int{}
		for _, s := range r.Slices {
			p := place{offset: s.Offset, stage: s.Stage}
			n := nth[p]
			nth[p]++
			p.nth = n
			at[p] = append(at[p], s)
		}
	}
	places := slices.SortedFunc(maps.Keys(at), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.stage, b.stage), cmp.Compare(a.nth, b.nth))
	})
	out := make([]packed.Slice, 0, len(places))
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
func addSlices(all []packed.Slice) (packed.Slice, error) {
	if len(all) == 1 {
		return all[0], nil
	}
	sum := all[0].Unpack()
	sum.Codes = maps.Clone(sum.Codes)
	for _, s := range all[1:] {
		sum.AddConcurrent(s.Unpack())
	}
	return packed.Of(sum)
}
