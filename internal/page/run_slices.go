package page

import (
	"time"

	"github.com/gohone/hone/internal/ledger"
)

// group is slices [from, to) that are shown as one, from the beginning of the first to the end of the last.
type group struct {
	from, to   int
	start, end time.Duration
}

// groupSlices divides slices into at most most groups of the same number of slices, one after the other. Unless across, a
// group has slices of one start of the program only; then there may be more groups than most, by one for each start.
func groupSlices(all []ledger.Slice, most int, across bool) []group {
	size := max(1, (len(all)+most-1)/most)
	var groups []group
	for i, s := range all {
		last := len(groups) - 1
		if i == 0 || groups[last].to-groups[last].from == size || !across && s.Block != all[i-1].Block {
			groups = append(groups, group{from: i, start: s.Start})
			last++
		}
		groups[last].to, groups[last].end = i+1, max(groups[last].end, s.Start+s.Duration)
	}
	return groups
}
