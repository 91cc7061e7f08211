package diff

import (
	"github.com/gohone/hone/prof/symbol"
)

const (
	// sameNumber and sameLine are what a closure's number and line count as reasons that two closures are one, where
	// what they call counts up to 1. Two profiles of one closure with a hundred samples each have about 0.9 in
	// common.
	sameNumber, sameLine = 0.15, 0.05
	// halfKnown is the number of samples with which what a closure calls counts half: with fewer, chance decides what
	// is seen.
	halfKnown = 10
	// refuted: two closures that have less in common than this are not one only because they have the same number.
	refuted = 0.4
	// clearly is by how much all pairs together have to fit better before closures of other numbers are pairs.
	clearly = 0.5
	// mostFits bounds the pairs of closures that are looked at in one function.
	mostFits = 1 << 18
)

// pairing finds the closures that two sides both have.
type pairing struct {
	pairs  map[*closure]*closure // of the older side, of the newer one
	paired map[*closure]bool     // those of the newer side
	// stayed is the last line of each file at which a function begins on both sides, moved says that another function
	// does not.
	stayed map[string]int64
	moved  map[string]bool
}

// pairUp pairs the closures of a side with those of a newer one.
func (s *closureSide) pairUp(newer *closureSide) *pairing {
	p := &pairing{map[*closure]*closure{}, map[*closure]bool{}, map[string]int64{}, map[string]bool{}}
	for at, line := range s.begins {
		switch newer.begins[at] {
		case 0:
		case line:
			p.stayed[at.file] = max(p.stayed[at.file], line)
		default:
			p.moved[at.file] = true
		}
	}
	// Closures of one function first; then copies of one whose package is not known, since it is the caller's.
	p.pairPools(s, newer, func(c *closure) string { return c.Home })
	p.pairPools(s, newer, func(c *closure) string { return c.file + " " + c.Home[symbol.NameStart(c.Home):] })
	return p
}

// pairPools pairs closures in pools: those of one function.
func (p *pairing) pairPools(older, newer *closureSide, poolOf func(*closure) string) {
	olds, news := map[string][]*closure{}, map[string][]*closure{}
	for _, x := range older.closures {
		if p.pairs[x] == nil {
			olds[poolOf(x)] = append(olds[poolOf(x)], x)
		}
	}
	for _, y := range newer.closures {
		if !p.paired[y] {
			news[poolOf(y)] = append(news[poolOf(y)], y)
		}
	}
	for pool, of := range olds {
		for x, y := range p.pairPool(of, news[pool]) {
			p.pairs[x], p.paired[y] = y, true
		}
	}
}

// pairPool pairs the closures of one function, which stand in the order of the source.
func (p *pairing) pairPool(olds, news []*closure) map[*closure]*closure {
	byNumber := p.byNumber(olds, news)
	if len(olds)*len(news) > mostFits {
		return byNumber
	}
	byCalls, gain := pairByCalls(olds, news)
	doubt, last := false, int64(0)
	for _, x := range olds {
		last = max(last, x.line)
		if y := byNumber[x]; y != nil {
			last = max(last, y.line)
			gain -= fit(x, y)
			doubt = doubt || inCommon(x, y) < refuted
		}
	}
	if doubt && gain >= clearly && p.stayed[olds[0].file] <= last {
		return byCalls
	}
	return byNumber
}
