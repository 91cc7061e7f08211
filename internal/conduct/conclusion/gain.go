package conclusion

import (
	"fmt"
	"math"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/wire/vary"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

const (
	// gainLeft is the part of a gain, in logarithms, that has to be left: what is 4 times as fast is to be 2 times as
	// fast.
	gainLeft = 0.5
	// startLuck is a change, in logarithms, that the processes of a check may have by luck: it has one of each variant,
	// and two of one binary were measured to differ by up to 0.6 %.
	startLuck = 0.02
	// LeastGainRounds is how many rounds there have to be for an interval of caveatConfidence.
	LeastGainRounds = 6
	// refusedShare is the part of failed requests from which on they count as refused.
	refusedShare = 0.02
	// otherTimes is how much longer or shorter answers may get for the work still to be the same, alikeBytes how much
	// anyway.
	otherTimes, alikeBytes = 2, 64
)

// Cost is what a slice of a check took.
type Cost struct {
	CPU              time.Duration
	Answered, Failed uint64
	Received         uint64
}

func (c *Cost) add(o Cost) {
	c.CPU, c.Answered, c.Failed, c.Received = c.CPU+o.CPU, c.Answered+o.Answered, c.Failed+o.Failed,
		c.Received+o.Received
}

// refused says that a good part of the requests failed.
func (c Cost) refused() bool {
	return c.Answered == 0 || float64(c.Failed) > refusedShare*float64(c.Answered)
}

// bytes is how long an answer is.
func (c Cost) bytes() float64 { return float64(c.Received) / float64(max(1, c.Answered)) }

// LikeWork says that requests are answered, and with answers as long as others, as far as the same work goes.
func (c Cost) LikeWork(o Cost) bool {
	x, y := c.bytes(), o.bytes()
	return !c.refused() && x <= otherTimes*y+alikeBytes && y <= otherTimes*x+alikeBytes
}

// LikeCPU says that a request takes as much CPU time as another, as far as the same work goes.
func (c Cost) LikeCPU(o Cost) bool {
	x, y := float64(c.CPU)*float64(o.Answered), float64(o.CPU)*float64(c.Answered)
	return x <= otherTimes*y && y <= otherTimes*x
}

// GainRound is a slice of a program under the same requests, and one under varied ones.
type GainRound struct{ Same, Varied Cost }

func sumOf(rounds []GainRound) (all GainRound) {
	for _, r := range rounds {
		all.Same.add(r.Same)
		all.Varied.add(r.Varied)
	}
	return all
}

// GainSide is what a check of a gain shows of a variant.
type GainSide struct {
	Same      bool            // the load repeats its requests
	HasValues bool            // those have values of their own
	Chosen    *vary.Variation // how they vary; nil where A does not answer any as it answers the same one
	Refuses   string          // what the requests differ in that A answers otherwise
	Rounds    []GainRound
}

// JudgeGain says what the rounds of A and B show.
func JudgeGain(a, b *GainSide) *record.GainCheck {
	g := &record.GainCheck{Kept: a.Same && (a.Chosen == nil || a.HasValues && !a.Chosen.Values)}
	n := min(len(a.Rounds), len(b.Rounds))
	roundsA, roundsB := a.Rounds[:n], b.Rounds[:n]
	allA, allB := sumOf(roundsA), sumOf(roundsB)
	switch {
	case n < LeastGainRounds:
		g.Open = "there was no time for it"
		return g
	case allA.Same.refused():
		g.Open = "A refuses requests with the headers of a browser"
		return g
	case allB.Same.refused():
		g.Open = "B refuses requests with the headers of a browser, and A does not"
		return g
	}
	g.Unseen = partOf(roundsA, roundsB, func(r GainRound) Cost { return r.Same })
	switch {
	case a.Chosen == nil:
		if a.Refuses != "" {
			g.Open = "A answers otherwise to requests with " + a.Refuses
		}
	case !allA.Varied.LikeWork(allA.Same):
		g.Open, g.Kept = "A answers otherwise to requests with "+a.Chosen.By, true
	case !allB.Varied.LikeWork(allB.Same):
		g.Open, g.Kept = "B answers otherwise to requests with "+a.Chosen.By+", and A does not", true
	default:
		g.By, g.Varied = a.Chosen.By, partOf(roundsA, roundsB, func(r GainRound) Cost { return r.Varied })
	}
	return g
}

// partOf is nil where the rounds have no interval.
func partOf(a, b []GainRound, of func(GainRound) Cost) *record.GainPart {
	var d []float64
	for i := range a {
		x, y := of(a[i]), of(b[i])
		if x.Answered > 0 && y.Answered > 0 && x.CPU > 0 && y.CPU > 0 {
			d = append(d, math.Log(float64(y.CPU)/float64(y.Answered)/(float64(x.CPU)/float64(x.Answered))))
		}
	}
	e, err := stats.HodgesLehmann(d, caveatConfidence)
	if err != nil || !e.Bounded() {
		return nil
	}
	return &record.GainPart{Ratio: math.Exp(e.Value), Low: math.Exp(e.Low), High: math.Exp(e.High)}
}

// GainGone says that clearly less than half of a gain is left.
func GainGone(p *record.GainPart, ratio float64) bool {
	return p != nil && math.Log(p.Low) > max(gainLeft*math.Log(ratio), math.Log(ratio)+startLuck)
}

// GainThere says that clearly half of a gain or more is left.
func GainThere(p *record.GainPart, ratio float64) bool {
	return p != nil && math.Log(p.High) < gainLeft*math.Log(ratio)
}

// gainOf is B's part of A's CPU time per request where B is faster.
func gainOf(c record.Contest) (ratio float64, ok bool) {
	v, known := verdictOn(c.Verdicts, measure.CPU.Key)
	return v.Ratio, known && v.Word == judge.Faster
}

// gainCaveat: the gain is there only for hone, or only for a request that comes again.
func gainCaveat(c *record.Contest) *record.Caveat {
	ratio, any := gainOf(*c)
	if !any {
		return nil
	}
	g, large := c.Gain, ratio < compare.LargeGain
	if g == nil || g.Unseen == nil && g.Answers == "" { // no check was made
		g = &record.GainCheck{Kept: c.Answers != nil && c.Answers.Requests == 1}
	}
	found := func(name, text string, p *record.GainPart) *record.Caveat {
		return &record.Caveat{Name: name, Text: text, Open: true, Detail: fmt.Sprintf(
			"%.3gx of A's CPU time per request then, %.3gx ... %.3gx, instead of %.3gx", p.Ratio, p.Low, p.High, ratio)}
	}
	own := ratio // of the check itself: its processes are older than those of the verdict
	if g.Unseen != nil {
		own = max(ratio, min(g.Unseen.Ratio, compare.LargeGain))
	}
	if g.Answers != "" {
		return &record.Caveat{Name: record.CaveatAnswers, Open: true, Detail: g.Answers,
			Text: "its answers differ when hone's probe, variables and headers are left out"}
	}
	const unseen = "the gain is not there when hone's probe, variables and headers are left out"
	switch {
	case GainGone(g.Unseen, ratio):
		return found(record.CaveatSeen, unseen, g.Unseen)
	case GainGone(g.Varied, own) && !GainThere(g.Unseen, ratio): // which of the two it is cannot be told
		return found(record.CaveatSeen, unseen+" and each request differs, by "+g.By, g.Varied)
	case GainGone(g.Varied, own):
		return found(record.CaveatRepeated, "the gain is not there when each request differs, by "+g.By, g.Varied)
	case g.Kept && large:
		return &record.Caveat{Name: record.CaveatOneRequest,
			Text:   "one request was repeated, and a cache for it would look the same",
			Detail: "vary it: --feed, or {n} or {rand:1000} in it"}
	}
	return nil
}
