package page

import (
	"time"

	"github.com/gohone/hone/internal/store/packed"
)

// group is slices [from, to) of one start that are shown as one, from the beginning of the first to the end of the
// last.
type group struct {
	from, to   int
	block      int
	start, end time.Duration
}

// groupSlices divides slices into groups of the same number of slices, one after the other: at most most, and one more
// for each start of the program, since a group has slices of one start only.
func groupSlices(all []packed.Slice, most int) []group {
	size := max(1, (len(all)+most-1)/most)
	var groups []group
	for i, s := range all {
		last := len(groups) - 1
		if i == 0 || groups[last].to-groups[last].from == size || s.Block != groups[last].block {
			groups = append(groups, group{from: i, start: s.Offset, block: s.Block})
			last++
		}
		groups[last].to, groups[last].end = i+1, max(groups[last].end, s.Offset+s.Duration)
	}
	return groups
}
