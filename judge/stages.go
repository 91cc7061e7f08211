package judge

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gohone/hone/stats"
)

// A comparison has two stages. The first looks for a difference, several times, at the level Alpha. What it would call
// different, or a gate failed, is an alarm: it is measured again by the second stage, the confirmation, with fresh starts,
// other link orders and another seed, so that its blocks owe the first stage nothing. A difference is called one if both
// stages show it in the same direction, and its interval is the second stage's: the first one stopped where the difference
// looked large, and so overstates it (the winner's curse).
//
// The level of the whole is the product of the two: at most Alpha for the first stage and half of confirmLevel*Alpha for the second
// one, since its direction is given. At 5 % that is 0.05 * 0.01, one comparison of equal variants in 2,000.
// Independent stages: Bauer & Koehne 1994, "Evaluation of experiments with adaptive interim analyses", Biometrics 50(4);
// the size of the second one: Posch & Bauer 2000, "Interim analysis and sample size reassessment", Biometrics 56(4).
const (
	// ScreenShare is the part of the budget in which the first stage spends its level: the rest is for the confirmation.
	ScreenShare = 0.5
	// confirmLevel is the level of the confirmation, as a part of Alpha. At 5 % it takes seven blocks of one sign.
	confirmLevel = 0.4
	// shrink is the part of the difference seen in the first stage that the confirmation is to find.
	shrink = 0.85
	// enough is how many standard deviations of a block a difference has to be for seven blocks to have one sign in 19 of 20
	// confirmations; a smaller one takes two blocks more at least, so that one block may disagree.
	enough = 2.5
)

// FirstStage is what the first stage of a comparison saw of a difference that the second one was to confirm.
type FirstStage struct {
	Word Word `json:"verdict"`
	// Ratio, Low, High and Conf are as in Verdict.
	Ratio  float64 `json:"ratio"`
	Low    float64 `json:"low"`
	High   Bound   `json:"high"`
	Conf   float64 `json:"conf"`
	Starts int     `json:"starts"`
	// Disturbed and Scatter are as in Verdict.
	Disturbed float64       `json:"disturbed,omitempty"`
	Scatter   stats.Scatter `json:"scatter,omitzero"`
	// Tail is what the word rests on where that is Verdict.Tail.
	Tail *Tail `json:"tail,omitempty"`
	// Again says that it was measured again. If the budget had no room for that, or the second stage did not observe it, the verdict
	// is that of the first stage, without its word.
	Again bool `json:"again"`
}

// Confirmed says that both stages of the comparison show the difference.
func (v Verdict) Confirmed() bool { return v.First != nil && v.Word.Different() }

// Retracted says that the second stage did not show a difference that the first one had shown.
func (v Verdict) Retracted() bool {
	return v.First != nil && v.First.Again && v.First.Word != v.Word && v.First.Word.Different()
}

// DecideInStages is Decide for a comparison whose blocks from Options.Confirm on are those of its second stage: an alarm of
// the blocks before is decided by these. Without a second stage it is Decide.
func DecideInStages(m Measure, blocks []Block, o Options, alarm func(Verdict) bool) (Verdict, error) {
	if o.Confirm == 0 {
		return Decide(m, blocks, o)
	}
	split := min(o.Confirm, len(blocks)) // a variant that was broken off may have fewer
	first, err := Decide(m, blocks[:split], o)
	switch {
	case err != nil && !errors.Is(err, ErrNotObserved):
		return first, err
	case err == nil && alarm(first):
		return confirm(m, first, blocks[split:], o)
	case err == nil && first.Word != Undecided:
		return first, nil
	case len(blocks) > split:
		return withoutAlarm(m, blocks, o)
	}
	return first, err
}

// withoutAlarm decides on what the first stage leaves open, by the blocks of both stages: another measure has the alarm.
// They may show that it is the same, and narrow the interval, but show no difference: that would be seen once.
func withoutAlarm(m Measure, blocks []Block, o Options) (Verdict, error) {
	v, err := Decide(m, blocks, o)
	if err == nil && v.Word.Different() {
		v.Word, v.Need, v.Reason = Undecided, nil, SeenTooLate
	}
	return v, err
}

// confirm decides on an alarm of the first stage by the blocks of the second. Without any the alarm is undecided.
func confirm(m Measure, first Verdict, blocks []Block, o Options) (Verdict, error) {
	if len(blocks) == 0 {
		v := first.unconfirmed("the budget had no room to measure it again")
		n := LeastToConfirm(first, math.Log(first.Ratio))
		v.Need = &Need{Starts: n, Factor: float64(first.Starts+n) / float64(max(1, first.Starts))}
		return v, nil
	}
	return first.ConfirmedBy(Decide(m, blocks, o.Confirming(first.Alpha)))
}

// ConfirmedBy is the verdict after the second stage, given that of the second stage alone.
func (v Verdict) ConfirmedBy(second Verdict, err error) (Verdict, error) {
	switch {
	case errors.Is(err, ErrNotObserved):
		return v.unconfirmed("it was not observed when it was measured again"), nil
	case err != nil:
		return Verdict{}, err
	}
	return second.after(v), nil
}

// unconfirmed is the verdict of a first stage that no second one followed.
func (v Verdict) unconfirmed(why string) Verdict {
	v.First = v.stage()
	v.Word, v.Reason, v.Need = Undecided, "not confirmed: "+why, nil
	return v
}

// stage is the part of the verdict of a first stage that is stored.
func (v Verdict) stage() *FirstStage {
	s := &FirstStage{Word: v.Word, Ratio: v.Ratio, Low: v.Low, High: Bound(v.High), Conf: v.Conf, Starts: v.Starts,
		Disturbed: v.Disturbed, Scatter: v.Scatter}
	if v.Method == SlowShare {
		s.Tail = v.Tail
	}
	return s
}

// Confirming are the rules of the second stage, given the level of the first.
func (o Options) Confirming(alpha float64) Options {
	o.Alpha, o.Looks, o.Interim, o.Confirm, o.again = confirmLevel*alpha, nil, false, 0, true
	o.Prior = o.PriorAgain
	return o
}

// after is the verdict of the second stage, with what the first one saw. If only one of the two calls it different, it is undecided.
func (v Verdict) after(first Verdict) Verdict {
	v.First = first.stage()
	v.First.Again = true
	v = v.withoutDifference(cmp.Or(v.hardlyCalm(first), v.inStretches(slices.Concat(first.blocks, v.blocks))))
	if v.Word == first.Word || v.Word == Same || v.OnlyDisturbed != "" {
		return v
	}
	if v.Word.Different() {
		v.Word, v.Need = Undecided, nil
	}
	if first.Word.Different() && first.Method == SlowShare {
		v.Reason = "not confirmed: the first stage showed more slow requests on one side"
	} else if first.Word.Different() {
		v.Reason = fmt.Sprintf("not confirmed: %s in the first stage, %s when it was measured again", span(first.Low, first.High), span(v.Low, v.High))
	}
	return v
}

// FewestToConfirm is the smallest number of blocks that can confirm what the first stage shows at a level.
func FewestToConfirm(alpha float64) int { return FewestBlocks(confirmLevel * alpha) }

// FewestInStages is the smallest number of blocks that can show a difference and confirm it.
func FewestInStages(alpha float64) int { return FewestBlocks(alpha) + FewestToConfirm(alpha) }

// BothStages is the level of both stages together: of a verdict that has no second stage, and shall be as rarely wrong.
func BothStages(alpha float64) float64 { return alpha * confirmLevel * alpha / 2 }

// ConfirmingBlocks is how many blocks the confirmation of a verdict takes. distance is how far its value lies from the nearest value
// that is not an alarm, as a log ratio.
func ConfirmingBlocks(v Verdict, distance float64) int {
	least := FewestToConfirm(v.Alpha)
	scatter := v.scatter()
	if scatter == 0 {
		return least
	}
	deviations := shrink * math.Abs(distance) / scatter
	// The normal quantiles of the one-sided level 0.01 and of the power 0.95; a tenth more for the efficiency of signs and ranks.
	wanted := 1.1 * square((2.33+1.64)/deviations)
	switch {
	case v.again.DF > 0:
		least = LeastToConfirm(v, distance)
	case deviations < enough:
		least += 2
	}
	if v.Disturbed == 1 && !v.beyondNeighbours() {
		least = max(least, v.withoutCalm-v.Starts) // that nothing is ever calm has to be shown
	}
	return max(least, int(math.Min(1e6, math.Ceil(wanted))))
}
