package chain

import (
	"fmt"
	"math"
)

// Observation is a place held against an earlier one.
type Observation struct {
	// Base is the number of the earlier place.
	Base int
	Link
}

// Clash says that two estimates of one place exclude each other: a machine that changed within a job, or an error of
// the chain that its intervals do not tell.
type Clash struct {
	// First and Second are the place against the base of the second estimate, by the observations before it and by
	// it.
	First, Second Link
	// Base is the base of the second.
	Base int
}

// clashAlpha is the level at which two estimates contradict each other: the chance of one alarm that two stages have is
// one in 2,000, and there is an anchor for each tenth place.
const clashAlpha = 0.001

// Chain is a set of places that were held against each other. A place begins a chain (Begin) or is held against places
// of it (Add).
type Chain struct {
	errors *Errors
	places []place
	// weights is room for walk.
	weights []float64
}

// place is one with what it is made of: its error is that of its bases, by their weights, and one of its own.
type place struct {
	log, variance float64 // against the beginning
	bases         []part  // nil: main.base alone
	own           float64 // variance
	squares       float64 // sum of the squares of the variances that own is the sum of

	// main is the place by the first of its bases alone: the link, and the sum of such links from the beginning.
	main struct {
		base int // -1: the beginning
		link Link
		log  float64
	}
	surprise *surprise // nil without other bases
}

// surprise is what the first anchor of a place said beyond the links to it: by how much they were apart, the variance of
// that, the covariance of both, and what was added to the variance for a contradiction.
type surprise struct {
	apart, variance, covariance, more float64
}

type part struct {
	place  int
	weight float64
}

// New is a chain without places.
func New(e *Errors) *Chain { return &Chain{errors: e} }

// Begin is the number of a place that is held against none.
func (c *Chain) Begin() int {
	c.places = append(c.places, place{})
	c.places[len(c.places)-1].main.base = -1
	return len(c.places) - 1
}

// Add is the number of a place that all of its observations are of, with those that contradict the ones before. There
// has to be one at least, and their bases have to be numbers of places that come from one beginning.
//
// Observations against the same base are combined first, the others in their order. Two estimates y1 and y2 of a place
// with variances v1, v2 and a covariance c, which comes from the links that both rest on, become
//
//	y = w y1 + (1-w) y2,   w = (v2 - c) / (v1 + v2 - 2c),   v = (v1 v2 - c^2) / (v1 + v2 - 2c)
//
// the combination with the least variance; without a covariance these are weights by inverse variances (Cox 1982,
// "Combination of data", Encyclopedia of Statistical Sciences 2, 45-53; for c = 0 Cochran 1937, "Problems arising in the
// analysis of a series of similar experiments", Supplement to JRSS 4(1)). An anchor's own error is in both the chain
// that comes from it and the measurement against it, and falls out of the weights.
//
// Where both exclude each other at one in 1,000, one is wrong in a way that neither interval tells. Then the variance of
// what tells them apart is multiplied by its chi-square (Birge 1932, "The calculation of errors by the method of least
// squares", Physical Review 40).
func (c *Chain) Add(all []Observation) (number int, clashes []Clash) {
	number = len(c.places)
	var sum *place
	for i, o := range all {
		next := c.pooled(all, i, &clashes)
		switch {
		case next == nil: // was pooled with one before
		case sum == nil:
			sum = next
			base := &c.places[o.Base]
			sum.main.base, sum.main.link = o.Base, Link{sum.log - base.log, sum.own}
			sum.main.log = base.main.log + sum.main.link.Log
		default:
			said := c.combine(sum, next, o.Base, &clashes)
			if sum.surprise == nil {
				sum.surprise = &said
			}
		}
	}
	if sum.surprise == nil {
		sum.bases = nil
	}
	c.places = append(c.places, *sum)
	return number, clashes
}

// pooled is the estimate by all observations with the base of the i-th; nil if it is not the first of them.
func (c *Chain) pooled(all []Observation, i int, clashes *[]Clash) *place {
	var sum *place
	for j, o := range all {
		switch {
		case o.Base != all[i].Base:
		case j < i:
			return nil
		case sum == nil:
			sum = c.by(o)
		default:
			c.combine(sum, c.by(o), o.Base, clashes)
		}
	}
	return sum
}

// by is the place by one observation.
func (c *Chain) by(o Observation) *place {
	base := &c.places[o.Base]
	return &place{log: base.log + o.Log, variance: base.variance + o.Variance, bases: []part{{o.Base, 1}}, own: o.Variance,
		squares: o.Variance * o.Variance}
}

// combine adds what another estimate of the same place says.
func (c *Chain) combine(a, b *place, base int, clashes *[]Clash) surprise {
	var apart []part // the difference of both, without what is their own
	apart = append(append(apart, a.bases...), scaled(b.bases, -1)...)
	shared, squares := c.walk(apart)
	between := shared + a.own + b.own
	covariance := (a.variance + b.variance - between) / 2
	w := 0.5 // both are exact
	if between > 0 {
		w = (b.variance - covariance) / between
	}
	d := a.log - b.log
	df := freedom(between, squares+a.squares+b.squares)
	clash := math.Abs(d) > max(c.errors.width(clashAlpha, df)*math.Sqrt(between), rounding)
	if clash {
		at := c.places[base].log
		before, _ := c.walk(append([]part{{base, -1}}, a.bases...))
		*clashes = append(*clashes, Clash{Base: base,
			First: Link{a.log - at, before + a.own}, Second: Link{b.log - at, b.own}})
	}
	v := w*w*a.variance + (1-w)*(1-w)*b.variance + 2*w*(1-w)*covariance
	own := w*w*a.own + (1-w)*(1-w)*b.own
	squares = math.Pow(w, 4)*a.squares + math.Pow(1-w, 4)*b.squares
	said := surprise{apart: d, variance: between, covariance: covariance}
	if clash {
		said.more = max(0, d*d-between)
		more := w * (1 - w) * said.more
		v, own, squares = v+more, own+more, squares+more*more
	}
	a.log, a.variance, a.own, a.squares = w*a.log+(1-w)*b.log, max(0, v), own, squares
	a.bases = joined(scaled(a.bases, w), scaled(b.bases, 1-w))
	return said
}

// rounding is by how much log ratios without an error may differ: they are quotients of printed numbers.
const rounding = 1e-6

// scaled are parts with other weights.
func scaled(parts []part, by float64) []part {
	all := make([]part, len(parts))
	for i, p := range parts {
		all[i] = part{p.place, p.weight * by}
	}
	return all
}

// joined are the parts of both, each place once.
func joined(a, b []part) []part {
	for _, p := range b {
		found := false
		for i := range a {
			if a[i].place == p.place {
				a[i].weight, found = a[i].weight+p.weight, true
			}
		}
		if !found {
			a = append(a, p)
		}
	}
	return a
}

// Between is place j against an earlier place i, both from one beginning, with the degrees of freedom of its variance:
// the links from i to j, or, where anchors say it with a smaller variance, the difference of the values. An anchor knows
// how far both ends of many links are apart, and nothing of a single one.
func (c *Chain) Between(i, j int) (l Link, df float64) {
	v, squares := c.walk([]part{{i, -1}, {j, 1}})
	l = Link{c.places[j].log - c.places[i].log, v}
	links, linkSquares, connected := c.links(i, j)
	if connected && links < v {
		l, squares = Link{c.places[j].main.log - c.places[i].main.log, links}, linkSquares
	}
	return l, freedom(l.Variance, squares)
}

// links is the sum of the variances of the links from i to j, and that of their squares.
func (c *Chain) links(i, j int) (variance, squares float64, connected bool) {
	for j > i {
		l := &c.places[j].main
		variance, squares, j = variance+l.link.Variance, squares+l.link.Variance*l.link.Variance, l.base
	}
	return variance, squares, i == j
}

// Value is a place against the beginning of its chain, by what was known when it was added.
func (c *Chain) Value(i int) Link { return Link{c.places[i].log, c.places[i].variance} }

// Values are all places against the beginnings of their chains, by their numbers, with what the anchor after them says.
//
// Where an anchor contradicts the links to it by d, with a variance D, the places since the anchor before took part in
// it. A place with a variance v, whose error has the covariance g = v - c with d (c is that of the place with the
// anchor's own error), is moved by d*g/D towards what the anchor says, and has the variance v - g^2/D: the mean of a
// normal variable when another is known (Anderson & Moore 1979, "Optimal Filtering", section 7.2, the fixed-point
// smoother). So d is shared among links by their variances, as a misclosure is among the sections of a levelling line.
func (c *Chain) Values() []Link {
	all := make([]Link, len(c.places))
	for i := range c.places {
		all[i] = c.Value(i)
	}
	for i := range c.places {
		if p := &c.places[i]; p.surprise != nil && p.surprise.variance > 0 {
			c.share(all, p)
		}
	}
	return all
}

// share moves the places between an anchored one and the one before.
func (c *Chain) share(all []Link, to *place) {
	s := to.surprise
	for i := to.main.base; i >= 0 && c.places[i].surprise == nil && c.places[i].main.base >= 0; i = c.places[i].main.base {
		p := &c.places[i]
		part := max(0, p.variance-s.covariance) / s.variance
		all[i] = Link{p.log - part*s.apart, max(0, p.variance-part*part*(s.variance-s.more))}
	}
}

// walk is the variance of a sum of places, and the sum of the squares of the variances that it is made of. It goes back
// from the last of them: what a place has beside its own error is handed on to its bases, until nothing is left.
func (c *Chain) walk(sum []part) (variance, squares float64) {
	c.weights = append(c.weights, make([]float64, len(c.places)-len(c.weights))...)
	last, open := 0, 0
	hand := func(p part) {
		before := c.weights[p.place]
		after := before + p.weight
		if math.Abs(after) < negligible {
			after = 0
		}
		switch {
		case before == 0 && after != 0:
			open++
		case before != 0 && after == 0:
			open--
		}
		c.weights[p.place] = after
		last = max(last, p.place)
	}
	for _, p := range sum {
		hand(p)
	}
	for at := last; open > 0; at-- {
		w := c.weights[at]
		if w == 0 {
			continue
		}
		c.weights[at] = 0
		open--
		p := &c.places[at]
		variance += w * w * p.own
		squares += w * w * w * w * p.squares
		for _, b := range p.bases {
			hand(part{b.place, w * b.weight})
		}
		if p.bases == nil && p.main.base >= 0 {
			hand(part{p.main.base, w})
		}
	}
	return variance, squares
}

// negligible is a weight that is left of numbers that should cancel each other.
const negligible = 1e-12

// freedom are the effective degrees of freedom of a sum of variances that have fewestDF each (Welch 1947, "The
// generalization of Student's problem when several different population variances are involved", Biometrika 34;
// Satterthwaite 1946).
func freedom(variance, squares float64) float64 {
	if squares <= 0 {
		return fewestDF
	}
	return fewestDF * variance * variance / squares
}

// String is for messages of tests.
func (l Link) String() string {
	return fmt.Sprintf("%+.3f %% +- %.3f %%", 100*l.Log, 100*math.Sqrt(l.Variance))
}
