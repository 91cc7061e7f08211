package production

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
	"github.com/gohone/hone/prof/internal/sampled"
	"github.com/gohone/hone/stats"
)

// Weighing says what a change of the CPU time of a request comes to on production's profile. All of it is in percent.
type Weighing struct {
	// Measured is the change of the CPU time per request under the load, and Change what it comes to in production; Low
	// ... High is the 95 % interval of Change.
	Measured float64 `json:"measured_percent"`
	Change   float64 `json:"change_percent"`
	Low      float64 `json:"low_percent"`
	High     float64 `json:"high_percent"`
	// Unseen is the share of production that the load exercises too little: it counts as unchanged.
	Unseen float64 `json:"unseen_percent"`
	// Functions are those whose change is beyond the noise, so that each has its own weight; the rest has that of its
	// average. The largest part of Change comes first.
	Functions []WeighedFunction `json:"functions,omitempty"`
	// Production, A and B are how many samples the profiles have.
	Production float64 `json:"production_samples"`
	A          float64 `json:"a_samples"`
	B          float64 `json:"b_samples"`
}

// Hidden says that the noise hides which way production changes.
func (w *Weighing) Hidden() bool { return w.Low <= 0 && w.High >= 0 }

// WeighedFunction is what a function has of each: Production its share of production, Load of A's CPU time, Change the
// change of its cost per request as a share of A's whole, Weighed the same in production.
type WeighedFunction struct {
	Function   string  `json:"function"`
	Production float64 `json:"production_percent"`
	Load       float64 `json:"load_percent"`
	Change     float64 `json:"change_percent"`
	Weighed    float64 `json:"weighed_percent"`
}

const (
	// beyondNoise is how many standard errors a function's change has to have for a weight of its own: at a hundred
	// functions chance reaches that for one in three comparisons.
	beyondNoise = 3
	// fewSamples: under so many samples of both sides the change of a function is not looked at, as in a difference of
	// profiles.
	fewSamples = 12
)

// WeighOptions say how to weigh a change by production.
type WeighOptions struct {
	Options
	// Changed are functions of which it is known that they changed, as the explanation of the change names them: each
	// has a ratio of its own, also if its change is within the noise of its samples.
	Changed []string
}

// Weigh estimates how much less, or more, CPU time production takes with B instead of A. production runs A under its
// own load; a and b are CPU profiles of both variants under the load of a comparison, which says by whole what a
// request costs in each.
//
// Cost is counted by function as in Cover. A function that costs rho times as much per request in B takes rho times its
// share of production, so the change is the sum over functions of production's share times rho - 1. Only changes beyond
// the noise have a rho of their own, and those of functions that are known to have changed. All other functions
// together have one, and so it is with those that have few samples, as far as the load exercises them. What appears in
// B replaces what got cheaper, and is weighed as that is; if nothing got cheaper, by 1. What the load does not exercise
// counts as unchanged (Unseen).
//
// The interval is that of the delta method: samples are Poisson, times the dispersion of starts (see CompareFunction),
// and the whole has its standard error. For the other functions it takes the error that separate ratios would have, so
// that it holds also where changes too small to be seen lie in functions that production weighs differently.
// TestWeighIntervalsCover simulates it.
func Weigh(production, a, b []prof.Capture, whole diff.Whole, o WeighOptions) (*Weighing, error) {
	w, err := newWeigher(production, a, b, whole, o)
	if err != nil {
		return nil, fmt.Errorf("weigh: %w", err)
	}
	out := &Weighing{Measured: 100 * (w.ratio - 1), Production: w.sides[0].side.Samples, A: w.sides[1].side.Samples,
		B: w.sides[2].side.Samples}
	w.weigh(out)
	return out, nil
}

// weigher has the three profiles: production, A and B.
type weigher struct {
	sides           [3]*coverSide
	ratio, ratioErr float64 // of a request of B to one of A, and its relative standard error
	dispersion      float64
	degrees         int // of freedom: the starts of both variants less one each
	changed         []string
}

func newWeigher(production, a, b []prof.Capture, whole diff.Whole, o WeighOptions) (w *weigher, err error) {
	if !(whole.A > 0 && whole.B > 0) || math.IsInf(whole.A+whole.B, 0) {
		return nil, fmt.Errorf("costs per request of %v and %v", whole.A, whole.B)
	}
	w = &weigher{ratio: whole.B / whole.A, ratioErr: whole.StdErr / whole.B, dispersion: 1, changed: o.Changed}
	sides := diff.MatchClosures(production, a, b).Sides
	for i, captures := range sides {
		some := prof.Selection{}
		if i == 0 {
			some = prof.Selection{TagFocus: o.TagFocus, TagIgnore: o.TagIgnore}
		}
		if w.sides[i], err = newCoverSide(captures, o.Code, some); err != nil {
			return nil, fmt.Errorf("%s: %w", [...]string{"production", "A", "B"}[i], err)
		}
	}
	return w, w.disperse(sides[1], sides[2], o.Code)
}

// place is a function on the three sides, in shares; its ratio is that of the cost per request.
type place struct {
	name    string
	p, a, b float64
}

// counts are the samples of a place on A and on B, with half a sample added so that none has no error.
func (w *weigher) counts(x place) (a, b float64) {
	return x.a*w.sides[1].side.Samples + 0.5, x.b*w.sides[2].side.Samples + 0.5
}

// change is what a place costs more in B per request, as a share of all of A.
func (w *weigher) change(x place) float64 { return w.ratio*x.b - x.a }

// beyond says whether the change of a place is one that chance does not make.
func (w *weigher) beyond(x place) bool {
	na, nb := w.sides[1].side.Samples, w.sides[2].side.Samples
	variance := w.dispersion * (sampled.Square(w.ratio)*max(x.b, 0.5/nb)/nb + max(x.a, 0.5/na)/na)
	return math.Abs(w.change(x)) > beyondNoise*math.Sqrt(variance)
}

// explained says that it is known of a place that it changed; then what is left of the change is spread over the
// others.
func (w *weigher) explained(places ...place) bool {
	return slices.ContainsFunc(places, func(x place) bool { return slices.Contains(w.changed, x.name) })
}

// stands says whether a place has a weight of its own.
func (w *weigher) stands(x place) bool { return w.explained(x) || w.beyond(x) }

// places are all functions, by what is done with them: own have a weight of their own, grown are those of which A has
// hardly any, rest have one weight together.
func (w *weigher) places() (own, grown, rest []place, unseen float64) {
	names := map[string]float64{}
	for _, s := range w.sides {
		maps.Copy(names, s.functions)
	}
	few := place{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		x := place{name, w.sides[0].share(name), w.sides[1].share(name), w.sides[2].share(name)}
		na, nb := w.counts(x)
		switch {
		case w.stands(x) && na+nb > fewSamples && na < fewSamples/2:
			grown = append(grown, x)
		case w.stands(x) && na+nb > fewSamples:
			own = append(own, x)
		case na+nb > fewSamples:
			rest = append(rest, x)
		default: // what production spends on it beyond the load was not exercised
			common := min(x.p, x.a)
			unseen += x.p - common
			few.p, few.a, few.b = few.p+common, few.a+x.a, few.b+x.b
		}
	}
	if few.a > 0 {
		rest = append(rest, few)
	}
	return own, grown, rest, unseen
}

func (s *coverSide) share(name string) float64 { return s.functions[name] / s.total }

// weigh adds up the parts, and their variances.
func (w *weigher) weigh(out *Weighing) {
	own, grown, rest, unseen := w.places()
	out.Unseen = 100 * unseen
	change, noise := 0.0, weighNoise{weigher: w}
	add := func(x place, weighed float64) {
		change += weighed
		out.Functions = append(out.Functions, WeighedFunction{x.name, 100 * x.p, 100 * x.a, 100 * w.change(x),
			100 * weighed})
	}
	var cheaper, others place
	for _, x := range own {
		rho := w.ratio * x.b / x.a
		add(x, x.p*(rho-1))
		noise.scaled(x, rho)
		noise.other += sampled.Square(rho-1) * x.p / w.sides[0].side.Samples
		if rho < 1 {
			cheaper.p, cheaper.a = cheaper.p+x.p, cheaper.a+x.a
		}
	}
	weight, weightVar := 1.0, 0.0
	if cheaper.a > 0 {
		weight = cheaper.p / cheaper.a
		na, _ := w.counts(cheaper)
		weightVar = sampled.Square(weight) * (1/(cheaper.p*w.sides[0].side.Samples+0.5) + w.dispersion/na)
	}
	for _, x := range grown {
		add(x, weight*w.change(x))
		noise.appeared(x, weight, weightVar)
	}
	for _, x := range rest {
		others.p, others.a, others.b = others.p+x.p, others.a+x.a, others.b+x.b
	}
	if others.a > 0 {
		rho := w.ratio * others.b / others.a
		change += others.p * (rho - 1)
		if w.explained(own...) || w.explained(grown...) {
			noise.spread(rest, others, rho)
		} else {
			for _, x := range rest {
				noise.scaled(x, rho)
			}
		}
	}
	half := w.width() * math.Sqrt(noise.variance())
	out.Change, out.Low, out.High = 100*change, 100*(change-half), 100*(change+half)
	slices.SortStableFunc(out.Functions, func(x, y WeighedFunction) int {
		return -compareMagnitudes(x.Weighed, y.Weighed)
	})
}

// weighNoise adds up the variance of a weighed change. The shares of a profile add up to one, and their errors to
// nothing: they are multinomial.
type weighNoise struct {
	*weigher
	after      float64 // what B takes of production, as a share of what A takes: the error of the ratio multiplies it
	ofA, ofB   float64 // squares over shares
	sumA, sumB float64
	other      float64
}

// scaled adds a place whose cost per request has the ratio rho.
func (n *weighNoise) scaled(x place, rho float64) {
	na, nb := n.counts(x)
	part := x.p * rho
	n.after += part
	n.ofA += sampled.Square(part) * n.sides[1].side.Samples / na
	n.ofB += sampled.Square(part) * n.sides[2].side.Samples / nb
	n.sumA, n.sumB = n.sumA+part, n.sumB+part
}

// spread adds all places that have one ratio together. What is left of the change may be in any of them, which
// production weighs differently: the error of that is the change that is left, times the scatter of the weights.
func (n *weighNoise) spread(rest []place, all place, rho float64) {
	n.scaled(all, rho)
	na, nb := n.sides[1].side.Samples, n.sides[2].side.Samples
	left := sampled.Square(n.change(all)) + n.dispersion*(sampled.Square(n.ratio)*all.b*(1-all.b)/nb+all.a*(1-all.a)/na)
	scatter := 0.0
	for _, x := range rest {
		if x.a > 0 {
			scatter += x.a / all.a * sampled.Square(x.p/x.a-all.p/all.a)
		}
	}
	n.other += left * scatter
}

// appeared adds a place that only B has, with the weight of what it replaces.
func (n *weighNoise) appeared(x place, weight, weightVar float64) {
	_, nb := n.counts(x)
	part := weight * n.ratio * x.b
	n.after += part
	n.ofB += sampled.Square(part) * n.sides[2].side.Samples / nb
	n.sumB += part
	n.other += sampled.Square(n.change(x)) * weightVar
}

func (n *weighNoise) variance() float64 {
	a := max(0, n.ofA-sampled.Square(n.sumA)) / n.sides[1].side.Samples
	b := max(0, n.ofB-sampled.Square(n.sumB)) / n.sides[2].side.Samples
	return n.dispersion*(a+b) + n.other + sampled.Square(n.after*n.ratioErr)
}

func compareMagnitudes(x, y float64) int {
	switch {
	case math.Abs(x) < math.Abs(y):
		return -1
	case math.Abs(x) > math.Abs(y):
		return 1
	}
	return 0
}

// width is how many standard errors the interval has to either side.
func (w *weigher) width() float64 {
	if w.degrees < 1 {
		return stats.StudentWidth(0.05, 1<<20)
	}
	return stats.StudentWidth(0.05, w.degrees)
}

// disperse finds out how much more the starts of a variant differ than drawing samples makes them: Pearson's chi-square
// over its degrees of freedom, of functions with enough samples. One start of each shows nothing of that.
func (w *weigher) disperse(a, b []prof.Capture, code prof.Code) error {
	chi, degrees := 0.0, 0
	for i, captures := range [][]prof.Capture{a, b} {
		var starts []*coverSide
		for _, some := range byStart(captures) {
			s, err := newCoverSide(some, code, prof.Selection{})
			if errors.Is(err, errNoSample) {
				continue
			}
			if err != nil {
				return err
			}
			starts = append(starts, s)
		}
		w.degrees += max(0, len(starts)-1)
		whole := w.sides[i+1]
		for name := range whole.functions {
			share := whole.share(name)
			if share*whole.side.Samples < fewSamples*float64(len(starts)) || len(starts) < 2 || share > 0.999 {
				continue
			}
			for _, s := range starts {
				n := s.side.Samples
				chi += n * sampled.Square(s.share(name)-share) / (share * (1 - share))
			}
			degrees += len(starts) - 1
		}
	}
	if degrees > 0 {
		w.dispersion = max(1, chi/float64(degrees))
	}
	return nil
}

// byStart divides captures by the starts that they are of.
func byStart(captures []prof.Capture) (groups [][]prof.Capture) {
	at := map[int]int{}
	for _, c := range captures {
		i, known := at[c.Start]
		if !known {
			i = len(groups)
			at[c.Start], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}
