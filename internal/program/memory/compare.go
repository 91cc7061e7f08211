package memory

import (
	"cmp"
	"math"
	"slices"
)

// Change is how a part differs between the starts of two variants; both are means.
type Change struct {
	Name string  `json:"name"`
	A    float64 `json:"a_bytes"`
	B    float64 `json:"b_bytes"`
}

// Delta is by how much it grew.
func (c Change) Delta() float64 { return c.B - c.A }

// smallChange is the share of the largest change from which on another one counts, and certain how many standard errors
// of the starts a change is at least.
const (
	smallChange = 0.1
	certain     = 2
)

// Compare says which parts differ, the largest change first: those that differ by more than the starts of a variant do.
func Compare(a, b []*Account) (all []Change) {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	var names []string
	for _, one := range slices.Concat(a, b) {
		for _, p := range one.Parts {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	for _, name := range names {
		meanA, errorA := meanOf(a, name)
		meanB, errorB := meanOf(b, name)
		c := Change{name, meanA, meanB}
		if math.Abs(c.Delta()) > certain*math.Hypot(errorA, errorB) {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(p, q Change) int { return cmp.Compare(math.Abs(q.Delta()), math.Abs(p.Delta())) })
	return slices.DeleteFunc(all, func(c Change) bool {
		return math.Abs(c.Delta()) < max(1, smallChange*math.Abs(all[0].Delta()))
	})
}

// meanOf is the mean of a part over accounts, and its standard error; 0 of a single one.
func meanOf(all []*Account, name string) (mean, standardError float64) {
	n := float64(len(all))
	var sum, squares float64
	for _, a := range all {
		x := 0.0
		if p := a.Part(name); p != nil {
			x = float64(p.Bytes)
		}
		sum, squares = sum+x, squares+x*x
	}
	mean = sum / n
	if n > 1 {
		standardError = math.Sqrt(max(0, squares/n-mean*mean) / (n - 1))
	}
	return mean, standardError
}

// Middle is the account of the start with the median of what is resident; nil without any.
func Middle(all []*Account) *Account {
	if len(all) == 0 {
		return nil
	}
	sorted := slices.SortedFunc(slices.Values(all),
		func(a, b *Account) int { return cmp.Compare(a.Resident, b.Resident) })
	return sorted[(len(sorted)-1)/2]
}
