package growth

import (
	"slices"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/growth/leaks"
)

// halves says of each kind in which half it is: of those with a defect, and of decoys, half are closed.
func halves(seed string) map[string]string {
	names := map[bool][]string{}
	for _, k := range leaks.All {
		names[k.Decoy()] = append(names[k.Decoy()], k.Name)
	}
	hidden := append(bed.ClosedHalf(names[false], seed), bed.ClosedHalf(names[true], seed)...)
	all := map[string]string{}
	for _, k := range leaks.All {
		all[k.Name] = bed.HalfOpen
		if slices.Contains(hidden, k.Name) {
			all[k.Name] = bed.HalfClosed
		}
	}
	return all
}

// trial is one question to hone about a kind.
type trial string

// The trials. A comparison has the fixed service as A.
const (
	leak   trial = "leak"   // B has the defect
	equal  trial = "equal"  // B is A
	decoy  trial = "decoy"  // B does something else, and keeps nothing
	single trial = "single" // hone run of the service with its defect, or of a decoy
)

// task is a kind to try.
type task struct {
	leaks.Kind
	trial
}

// String is a task as progress shows it.
func (t task) String() string { return t.Name + ", " + string(t.trial) }

// equals is of how many kinds A is compared with itself.
const equals = 10

// tasks are the trials of all kinds, or of those that are named.
func tasks(only []leaks.Kind) (all []task) {
	for i, k := range leaks.All {
		if !slices.ContainsFunc(only, func(o leaks.Kind) bool { return o.Name == k.Name }) {
			continue
		}
		if k.Decoy() {
			all = append(all, task{k, decoy})
		} else {
			all = append(all, task{k, leak})
		}
		if i < equals {
			all = append(all, task{k, equal})
		}
		all = append(all, task{k, single})
	}
	return all
}
