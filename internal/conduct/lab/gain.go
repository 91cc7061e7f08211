package lab

import (
	"fmt"
	"math"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
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
	// leastGainRounds is how many rounds there have to be for an interval of caveatConfidence.
	leastGainRounds = 6
	// refusedShare is the part of failed requests from which on they count as refused.
	refusedShare = 0.02
	// otherTimes is how much longer or shorter answers may get for the work still to be the same, alikeBytes how much
	// anyway.
	otherTimes, alikeBytes = 2, 64
)

// cost is what a slice of a check took.
type cost struct {
	cpu              time.Duration
	answered, failed uint64
	received         uint64
}

func (c *cost) add(o cost) {
	c.cpu, c.answered, c.failed, c.received = c.cpu+o.cpu, c.answered+o.answered, c.failed+o.failed,
		c.received+o.received
}

// refused says that a good part of the requests failed.
func (c cost) refused() bool {
	return c.answered == 0 || float64(c.failed) > refusedShare*float64(c.answered)
}

// bytes is how long an answer is.
func (c cost) bytes() float64 { return float64(c.received) / float64(max(1, c.answered)) }

// likeWork says that requests are answered, and with answers as long as others, as far as the same work goes.
func (c cost) likeWork(o cost) bool {
	x, y := c.bytes(), o.bytes()
	return !c.refused() && x <= otherTimes*y+alikeBytes && y <= otherTimes*x+alikeBytes
}

// likeCPU says that a request takes as much CPU time as another, as far as the same work goes.
func (c cost) likeCPU(o cost) bool {
	x, y := float64(c.cpu)*float64(o.answered), float64(o.cpu)*float64(c.answered)
	return x <= otherTimes*y && y <= otherTimes*x
}

// gainRound is a slice of a program under the same requests, and one under varied ones.
type gainRound struct{ same, varied cost }

func sumOf(rounds []gainRound) (all gainRound) {
	for _, r := range rounds {
		all.same.add(r.same)
		all.varied.add(r.varied)
	}
	return all
}

// judgeGain says what the rounds of A and B show.
func judgeGain(a, b *unseen) *record.GainCheck {
	g := &record.GainCheck{Kept: a.same && (a.chosen == nil || a.hasValues && !a.chosen.Values)}
	n := min(len(a.rounds), len(b.rounds))
	roundsA, roundsB := a.rounds[:n], b.rounds[:n]
	allA, allB := sumOf(roundsA), sumOf(roundsB)
	switch {
	case n < leastGainRounds:
		g.Open = "there was no time for it"
		return g
	case allA.same.refused():
		g.Open = "A refuses requests with the headers of a browser"
		return g
	case allB.same.refused():
		g.Open = "B refuses requests with the headers of a browser, and A does not"
		return g
	}
	g.Unseen = partOf(roundsA, roundsB, func(r gainRound) cost { return r.same })
	switch {
	case a.chosen == nil:
		if a.refuses != "" {
			g.Open = "A answers otherwise to requests with " + a.refuses
		}
	case !allA.varied.likeWork(allA.same):
		g.Open, g.Kept = "A answers otherwise to requests with "+a.chosen.By, true
	case !allB.varied.likeWork(allB.same):
		g.Open, g.Kept = "B answers otherwise to requests with "+a.chosen.By+", and A does not", true
	default:
		g.By, g.Varied = a.chosen.By, partOf(roundsA, roundsB, func(r gainRound) cost { return r.varied })
	}
	return g
}

// partOf is nil where the rounds have no interval.
func partOf(a, b []gainRound, of func(gainRound) cost) *record.GainPart {
	var d []float64
	for i := range a {
		x, y := of(a[i]), of(b[i])
		if x.answered > 0 && y.answered > 0 && x.cpu > 0 && y.cpu > 0 {
			d = append(d, math.Log(float64(y.cpu)/float64(y.answered)/(float64(x.cpu)/float64(x.answered))))
		}
	}
	e, err := stats.HodgesLehmann(d, caveatConfidence)
	if err != nil || !e.Bounded() {
		return nil
	}
	return &record.GainPart{Ratio: math.Exp(e.Value), Low: math.Exp(e.Low), High: math.Exp(e.High)}
}

// gainGone says that clearly less than half of a gain is left.
func gainGone(p *record.GainPart, ratio float64) bool {
	return p != nil && math.Log(p.Low) > max(gainLeft*math.Log(ratio), math.Log(ratio)+startLuck)
}

// gainThere says that clearly half of a gain or more is left.
func gainThere(p *record.GainPart, ratio float64) bool {
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
	if g == nil || g.Unseen == nil { // no check was made
		g = &record.GainCheck{Kept: c.Answers != nil && c.Answers.Requests == 1}
	}
	found := func(name, text string, p *record.GainPart) *record.Caveat {
		return &record.Caveat{Name: name, Text: text, Less: true, Detail: fmt.Sprintf(
			"%.3gx of A's CPU time per request then, %.3gx ... %.3gx, instead of %.3gx", p.Ratio, p.Low, p.High, ratio)}
	}
	own := ratio // of the check itself: its processes are older than those of the verdict
	if g.Unseen != nil {
		own = max(ratio, min(g.Unseen.Ratio, compare.LargeGain))
	}
	const unseen = "the gain is not there when hone's probe, variables and headers are left out"
	switch {
	case gainGone(g.Unseen, ratio):
		return found(record.CaveatSeen, unseen, g.Unseen)
	case gainGone(g.Varied, own) && !gainThere(g.Unseen, ratio): // which of the two it is cannot be told
		return found(record.CaveatSeen, unseen+" and each request differs, by "+g.By, g.Varied)
	case gainGone(g.Varied, own):
		return found(record.CaveatRepeated, "the gain is not there when each request differs, by "+g.By, g.Varied)
	case g.Kept && large:
		return &record.Caveat{Name: record.CaveatOneRequest,
			Text:   "one request was repeated, and a cache for it would look the same",
			Detail: "vary it: --feed, or {n} or {rand:1000} in it"}
	}
	return nil
}
