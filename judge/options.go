package judge

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gohone/hone/stats"
)

// The defaults of Options.
const (
	DefaultAlpha    = 0.05
	DefaultDelta    = 0.01
	DefaultExcluded = 0.05
)

// Options are the rules of a verdict. The zero value takes all defaults.
type Options struct {
	// Alpha is the level of the test, at most 0.4, over all its looks; 1-Alpha is the
	// confidence of the interval. "The same" is shown by two one-sided tests at Alpha each. 0 means DefaultAlpha. A caller that
	// asks several questions at once (several variants, several benchmarks) divides it among them: see the package share.
	Alpha float64
	// Delta is the tolerance of "the same", as a fraction: less is of no interest. Under 1; 0 means DefaultDelta.
	Delta float64
	// Excluded is the largest Verdict.Excluded that is worth saying. Under 1; 0 means DefaultExcluded.
	Excluded float64
	// Looks are the looks taken so far, the present one last. None: this is the only one.
	Looks []Look
	// Interim says that more looks may follow the present one. A percentile then takes only the
	// part of the level that is set aside for this look, see percentileLevel.
	Interim bool
	// Staged says that a difference is to be confirmed in a second stage, so that the first one spends its level on differences in
	// the first part of the budget.
	Staged bool
	// Alarms is the share of the budget in which an alarm has time for its second stage, 0 being all of it. What the rest
	// shows only narrows the interval.
	Alarms float64
	// Late says that this share is over: what is shown is no difference, since no second stage can follow.
	Late bool
	// Confirm is the index of the first block of the second stage, 0 where there is none: see DecideInStages.
	Confirm int
	// Questions is how many measures a report answers at once, 0 being one. A difference has to hold for all of them
	// together: Student's t of the blocks has to show it at Alpha/Questions, too. The exact test alone cannot: few blocks have no
	// pattern of signs that is so rare.
	Questions int
	// Prior is what is known of the scatter of a unit, from other benchmarks of the run, or earlier comparisons of the
	// program on the machine; PriorAgain is that of the second stage, whose link orders scatter, too. The zero value
	// knows nothing. See few.go.
	Prior, PriorAgain stats.Prior
	// NeverCalm says that the latest comparisons on the machine found no calm moment: what is shown without one is believed.
	NeverCalm bool

	again bool // they are those of the second stage: see Confirming
}

// Look is one look at the blocks while there may be more to come.
type Look struct {
	// Blocks is how many there were.
	Blocks int `json:"blocks"`
	// Used is the share of the budget that was used up, 0 to 1; 1 at the last look.
	Used float64 `json:"used"`
}

// Validate reports all faults of the options at once.
func (o Options) Validate() error {
	var faults []error
	check := func(name string, v, most float64) {
		if math.IsNaN(v) || v < 0 || v > most {
			faults = append(faults, fmt.Errorf("%s is %v, want a fraction of 0 ... %v", name, v, most))
		}
	}
	check("alpha", o.Alpha, 0.4)
	check("delta", o.Delta, 0.99)
	check("excluded", o.Excluded, 0.99)
	return errors.Join(faults...)
}

// WithDefaults fills in what is not set.
func (o Options) WithDefaults() Options {
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha
	}
	if o.Delta == 0 {
		o.Delta = DefaultDelta
	}
	if o.Excluded == 0 {
		o.Excluded = DefaultExcluded
	}
	return o
}

// screening is the share of the budget in which the level is spent on differences.
func (o Options) screening() float64 {
	if o.Staged {
		return ScreenShare * o.alarms()
	}
	return 1
}

func (o Options) alarms() float64 {
	if o.Alarms == 0 {
		return 1
	}
	return o.Alarms
}

// Alarming are the rules by which something is an alarm: all of the level is spent where its time ends, and not only
// where the budget does.
func (o Options) Alarming() Options {
	looks := slices.Clone(o.Looks)
	for i := range looks {
		looks[i].Used = min(1, looks[i].Used/o.alarms())
	}
	o.Looks, o.Alarms = looks, 0
	return o
}

// together says whether a value with a standard error from n blocks is a difference among all that is asked at once.
func (o Options) together(value, stdErr float64, n int) bool {
	if o.Questions < 2 || stdErr == 0 {
		return true
	}
	return n > 1 && stats.StudentP(value/stdErr, n-1) <= o.Alpha/float64(o.Questions)
}

// looksAt translates the looks to a measure that only some of the blocks show, given by their index. The last look is
// at all of them. The level is spent in a share of the budget, 0 to 1.
func (o Options) looksAt(blocks []int, share float64) []stats.Look {
	var looks []stats.Look
	seen := 0
	for _, l := range o.Looks {
		for seen < len(blocks) && blocks[seen] < l.Blocks {
			seen++
		}
		spent := stats.PowerSpending(o.signsLevel(), l.Used/share)
		if n := len(looks); n > 0 && looks[n-1].N == seen {
			looks = looks[:n-1] // a look at nothing new is that look, taken later
		}
		if seen > 0 {
			looks = append(looks, stats.Look{N: seen, Spent: spent})
		}
	}
	if n := len(looks); n == 0 || looks[n-1].N != len(blocks) {
		looks = append(looks, stats.Look{N: len(blocks), Spent: o.signsLevel()})
	}
	return looks
}

// FewestBlocks is the smallest number of blocks that can ever show a difference at a level: with all signs equal, n
// blocks have p = 2 * 2^-n.
func FewestBlocks(alpha float64) int { return max(1, 1+int(math.Ceil(-math.Log2(alpha)))) }

// NextLook is how many blocks there should be at the look after one at n: every block while there are few, then a
// seventh more each time. Frequent looks cost little power, but every one costs some time in which nothing is observed.
func NextLook(n int) int { return n + max(1, n/7) }
