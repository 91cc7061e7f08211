package judge

import (
	"math"

	"github.com/gohone/hone/stats"
)

// Few blocks have no pattern of signs that is rare: with five all of one sign come once in sixteen times. A difference
// far beyond the scatter of the blocks does not come from chance, though. So a comparison of two stages looks at four
// and five blocks, too, by Student's t, and its second stage may have three.
//
// The t test keeps its level where the values are normal, and below 8 % also where each has a variance of its own, as
// values with heavy tails do (Bakirov & Szekely 2005, "Student's t-test for Gaussian scale mixtures", Zapiski Nauchnyh
// Seminarov POMI 328). Of equal variants the log ratios are symmetric, since A and B may change places, however skewed
// the cost of a start is. What is left is blocks that agree by luck, or that know only two values. So the scatter is
// bounded from below, and three blocks raise no alarm.
const (
	// FirstLook is how many blocks a comparison of two stages has at its first look, mostFew how many are few.
	FirstLook = 4
	mostFew   = 5
	// LeastAgain is how many blocks a second stage has at least.
	LeastAgain = 3
	// fewShare is the part of Alpha that the looks at few blocks spend, each as much as the other. The signs have the
	// rest, with which six blocks show a difference at 5 %, and seven at half of it, as with all of it.
	fewShare = 0.06
	// leastScatter is the standard deviation of a block that is assumed at least: five times the 0.6 % by which two
	// processes of one binary were measured to differ. With it four blocks show 19 % and five 11 %.
	leastScatter = 0.03
	// unlucky is how many times too small the scatter of a few blocks may look: a chi with two degrees of freedom is
	// 1.7 times its mean in one of twenty cases, one with four 1.5 times.
	unlucky = 1.5
	// unluckyKnown is unlucky where the scatter is known from others: a chi with eight degrees of freedom.
	unluckyKnown = 1.4
	// knownShare is the part of its level that a second stage has that rests on what is known from other days: if today
	// is noisier than they were, it is so in both stages.
	knownShare = 0.25
	// unlike is the level at which a scatter that is larger than the prior's is not one of those that the prior is of,
	// unlikeAgain that of the second stage, which has no time to start anew.
	unlike, unlikeAgain = 0.2, 0.05
)

// known says that the scatter of some values is one of those that Options.Prior is of. If it is far larger, today is
// unlike the days before.
func (o Options) known(s stats.Scatter) bool {
	level := unlike
	if o.again {
		level = unlikeAgain
	}
	return o.Prior.DF > 0 && o.Prior.Agrees(s, level)
}

// byStudent says that so many blocks are decided on by Student's t: four and five, and all numbers that no pattern of
// signs is rare of where the scatter is known.
func (o Options) byStudent(blocks int) bool {
	few := blocks < FewestBlocks(o.Alpha)
	if o.again {
		return blocks >= LeastAgain && few
	}
	return o.Staged && blocks >= FirstLook && (blocks <= mostFew || few && o.Prior.DF > 0)
}

// studentLevel is the level of a look at few blocks. The second stage has one look; where it knows the scatter from
// other days, it has knownShare of its level.
func (o Options) studentLevel() float64 {
	switch {
	case o.again && o.Prior.DF > 0:
		return o.Alpha * knownShare
	case o.again:
		return o.Alpha
	}
	looks := mostFew - FirstLook + 1
	if o.Prior.DF > 0 {
		looks = max(looks, FewestBlocks(o.Alpha)-FirstLook)
	}
	return o.Alpha * fewShare / float64(looks)
}

// signsLevel is the part of the level that the looks at more blocks have.
func (o Options) signsLevel() float64 {
	if o.Staged && !o.again {
		return o.Alpha * (1 - fewShare)
	}
	return o.Alpha
}

// student is the evidence of a few values, given the variance that their pairs leave in each. A first stage that shows
// nothing has no interval: at its level that would be useless. "The same" takes more blocks.
func (o Options) student(values, noise []float64) Evidence {
	e := Evidence{Low: math.Inf(-1), High: math.Inf(1), EquivalenceLow: math.Inf(-1), EquivalenceHigh: math.Inf(1),
		Level: o.studentLevel(), Starts: len(values), few: true}
	n, pairs := float64(len(values)), 0.0
	for i, v := range values {
		e.Value += v / n
		pairs += noise[i] / n
	}
	e.scatter = scatterOf(values)
	variance, df := max(e.scatter.Variance, square(leastScatter)), n-1
	if o.known(e.scatter) {
		e.prior = o.Prior
		variance, df = o.Prior.With(e.scatter)
	}
	stdErr := math.Sqrt(max(variance, pairs) / n)
	e.P = stats.ModeratedP(e.Value/stdErr, df)
	e.Shown = e.P <= e.Level && o.together(e.Value, stdErr, len(values))
	if half := stdErr * stats.ModeratedWidth(e.Level, df); e.Shown || o.again {
		e.Low, e.High = e.Value-half, e.Value+half
	}
	return e
}

// keep has a difference that an earlier look at few blocks showed stay shown, as one that signs showed stays. The
// intervals of all looks hold at once, so that the change lies in both.
func (t *tested) keep(early Evidence) {
	low, high := max(t.Low, early.Low), min(t.High, early.High)
	if !early.Shown || low > high { // all that came later contradicts it
		return
	}
	if !t.Shown {
		t.P, t.Level = early.P, early.Level
	}
	t.Shown, t.late = true, false
	t.Low, t.High, t.Value = low, high, min(max(t.Value, low), high)
}

// LeastToConfirm is how many blocks can confirm a verdict that lies so far, as a log ratio, from the nearest value that
// is not an alarm: as few as show it in 19 of 20 confirmations, by Student's t, and no more than FewestToConfirm.
func LeastToConfirm(v Verdict, distance float64) int {
	most, scatter := FewestToConfirm(v.Alpha), v.scatter()
	if scatter == 0 {
		return most
	}
	n, luck, level := LeastAgain, unlucky, confirmLevel*v.Alpha
	if v.again.DF > 0 {
		variance, _ := v.again.With(v.Scatter)
		scatter, luck, level = math.Sqrt(variance), unluckyKnown, knownShare*level
	}
	for ; n < most; n++ {
		width := luck*stats.ModeratedWidth(level, float64(n-1)+v.again.DF) + 1.64 // the normal quantile of the power 0.95
		if shrink*math.Abs(distance)*math.Sqrt(float64(n)) >= width*scatter {
			break
		}
	}
	return n
}

// KnownScatter says that the scatter of its second stage is known: see Options.PriorAgain.
func (v Verdict) KnownScatter() bool { return v.again.DF > 0 }

// scatter is the standard deviation of a block; 0 where the verdict does not tell.
func (v Verdict) scatter() float64 {
	if v.prior.DF > 0 {
		variance, _ := v.prior.With(v.Scatter)
		return math.Sqrt(variance)
	}
	if !v.Bounded() || v.Starts < 2 || v.Method == Ranks || v.Method == SlowShare {
		return 0
	}
	half := (math.Log(v.High) - math.Log(v.Low)) / 2
	return half / stats.StudentWidth(1-v.Conf, v.Starts-1) * math.Sqrt(float64(v.Starts))
}

// scatterOf is the variance of values.
func scatterOf(values []float64) stats.Scatter {
	return stats.Scatter{Variance: square(stats.StdErr(values)) * float64(len(values)), DF: max(0, len(values)-1)}
}
