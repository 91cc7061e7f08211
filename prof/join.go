package prof

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/pprof/profile"
)

// ByProcess are profiles of one kind that were taken of several processes at the same time,
// by process ID.
type ByProcess map[int]*profile.Profile

// Join makes one profile of all. Functions match by name, file and line, so processes may run
// different programs. (profile.Merge takes the profiles for one after the other, and adds up
// their durations.)
func (p ByProcess) Join() (*profile.Profile, error) {
	var all []*profile.Profile
	var longest int64
	for _, pid := range slices.Sorted(maps.Keys(p)) {
		all = append(all, p[pid])
		longest = max(longest, p[pid].DurationNanos)
	}
	switch len(all) {
	case 0:
		return nil, errors.New("join profiles: there are none")
	case 1:
		return all[0], nil
	}
	sum, err := profile.Merge(all)
	if err != nil {
		return nil, fmt.Errorf("join profiles: %w", err)
	}
	sum.DurationNanos = longest
	return sum, nil
}

// Since is what each process counted since an earlier time: a Delta of each. One that was not
// there counted from its start; what one counted that has ended meanwhile is lost.
func (p ByProcess) Since(before ByProcess) (ByProcess, error) {
	counted := ByProcess{}
	for pid, after := range p {
		earlier, known := before[pid]
		if !known {
			counted[pid] = after
			continue
		}
		delta, _, err := Delta(earlier, after)
		if err != nil {
			return nil, err
		}
		counted[pid] = delta
	}
	return counted, nil
}

// PIDs are the processes.
func (p ByProcess) PIDs() map[int]bool {
	all := map[int]bool{}
	for pid := range p {
		all[pid] = true
	}
	return all
}
