package calibrate

import (
	"math/rand/v2"
	"time"
)

// kind is a kind of trial, with the goal that it is held against.
type kind struct {
	// Name is what -only takes and the file of results has.
	Name string
	// Planted is the slow-down of one side, as a fraction; 0 for two equal variants.
	Planted float64
	// Budget is what hone may take for a comparison.
	Budget time.Duration
	// Goal is the share of its comparisons that must be found, for equal variants called
	// the same.
	Goal float64
	// Classic marks the classic way: old, then new, and a rank test.
	Classic bool
}

// alarmGoal is the share of equal variants that may be called different.
const alarmGoal = 0.05

var (
	equal = kind{Name: "aa", Budget: time.Minute, Goal: 0.90}
	// equalShort are equal variants under the shortest of the budgets: false alarms have to
	// be rare under any, while the same takes its time.
	equalShort = kind{Name: "aa-15", Budget: 15 * time.Second}
	// oldNew is the classic way.
	oldNew = kind{Name: "classic", Classic: true}
)

// kinds are all of them.
var kinds = []kind{
	equal,
	{Name: "planted-1.5", Planted: 0.015, Budget: time.Minute, Goal: 0.90},
	{Name: "planted-3", Planted: 0.03, Budget: 30 * time.Second, Goal: 0.97},
	{Name: "planted-5", Planted: 0.05, Budget: 15 * time.Second, Goal: 0.97},
	{Name: "planted-30", Planted: 0.30, Budget: 10 * time.Second, Goal: 1}, // by few starts, also on a busy machine
	equalShort,
	oldNew,
}

// trial is one comparison to take, or one of the classic way.
type trial struct {
	kind    kind
	service service
}

// wanted says how many trials there are to be in the end.
type wanted struct {
	AA      int // over all services together
	ShortAA int // the same
	Planted int // of each kind and service
	Classic int // over all services together
}

// of is the number for one kind and the i-th of n services.
func (w wanted) of(k kind, i, n int) int {
	share := func(total int) int { return (total + n - 1 - i) / n }
	switch {
	case k.Classic:
		return share(w.Classic)
	case k.Name == equalShort.Name:
		return share(w.ShortAA)
	case k.Planted == 0:
		return share(w.AA)
	default:
		return w.Planted
	}
}

// missing returns the trials that records lack, in random order. What failed is taken
// again; an invalid measurement is a result.
func missing(records []record, ks []kind, ss []service, w wanted, rng *rand.Rand) []trial {
	done := map[[2]string]int{}
	for _, r := range records {
		if r.completed() {
			done[[2]string{r.Kind, r.Service}]++
		}
	}
	var left []trial
	for _, k := range ks {
		for i, s := range ss {
			for range w.of(k, i, len(ss)) - done[[2]string{k.Name, s.Name}] {
				left = append(left, trial{k, s})
			}
		}
	}
	rng.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
	return left
}
