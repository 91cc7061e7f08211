package diff

import (
	"maps"
	"math"

	"github.com/gohone/hone/prof/internal/sampled"
)

const (
	// startScatter is by how much a group's cost differs between two starts of one
	// program, relative to it, where no several starts show it: twice what the whole of a
	// process was seen to differ, which a group does more than the whole.
	startScatter = 0.015
	// priorWeight is how many degrees of freedom the model of a group's noise is worth
	// beside the group's own scatter between captures. Of five captures on each side that
	// has eight, so a group in bursts (a collection in some captures and none in others)
	// is soon known for it, and one that scatters more by chance loses little.
	priorWeight = 4
)

// difference is what became of a group from A to B, per unit of the basis.
type difference struct {
	a, b, delta float64
	stdErr      float64
	// samples is how many samples both sides have of it together; +Inf if they are exact.
	samples float64
}

// compareGroup compares the costs of one group of stacks.
func compareGroup(sa, sb *diffSide, a, b *groupCost) difference {
	return difference{
		a: a.value, b: b.value, delta: b.value - a.value,
		stdErr: math.Sqrt(noise(sa, sb, a, b)), samples: samplesIn(a) + samplesIn(b),
	}
}

func samplesIn(c *groupCost) float64 {
	switch {
	case c.value == 0:
		return 0
	case c.sampling == 0:
		return math.Inf(1)
	default:
		return sampled.Square(c.value) / c.sampling
	}
}

// noise is the variance of a difference.
func noise(sa, sb *diffSide, a, b *groupCost) float64 {
	if a.sampling == 0 && b.sampling == 0 { // each object is in the profile
		return exactNoise(a) + exactNoise(b)
	}
	model := max(sa.model(a, a.value, sa.excess)+sb.model(b, b.value, sb.excess), equalNoise(sa, sb, a, b))
	scatter, expected, freedom := 0.0, 0.0, 0.0
	for _, s := range []struct {
		*diffSide
		cost *groupCost
	}{{sa, a}, {sb, b}} {
		if n := len(s.cost.pieces); n > 1 {
			scatter += varianceOfMean(s.cost.pieces)
			expected += s.model(s.cost, s.cost.value, s.excess)
			freedom += float64(n - 1)
		}
		if s.starts < 2 {
			model += sampled.Square(startScatter * s.cost.value)
		}
	}
	if expected > 0 {
		model *= max(1, (priorWeight+freedom*scatter/expected)/(priorWeight+freedom))
	}
	return model
}

// equalNoise is the variance of sampling if both sides cost the same. Where one side has
// few samples or none, its own count says too little about its noise.
func equalNoise(sa, sb *diffSide, a, b *groupCost) float64 {
	if a.sampling == 0 && a.value > 0 || b.sampling == 0 && b.value > 0 {
		return 0
	}
	// What one sample stands for, per unit, on either side.
	weightA, weightB := a.sampling/a.value, b.sampling/b.value
	switch {
	case a.value == 0:
		weightA = weightB * sb.per / sa.per
	case b.value == 0:
		weightB = weightA * sa.per / sb.per
	}
	rate := (a.value/weightA + b.value/weightB) / (1/weightA + 1/weightB)
	return rate * (sa.excess*weightA*sa.divided(rate) + sb.excess*weightB*sb.divided(rate))
}

// exactNoise is the variance of a cost that is counted, not sampled: its scatter over the
// captures, made wider for their small number; none is known of a single one.
func exactNoise(c *groupCost) float64 {
	n := len(c.pieces)
	if n < 2 {
		return 0
	}
	// Student's t against the normal at 2.5 %, to Cornish and Fisher (1938), first order.
	const z = normal95
	return varianceOfMean(c.pieces) * sampled.Square(1+(z*z+1)/(4*float64(n-1)))
}

// p is the p-value of there being no difference.
func (d difference) p() float64 {
	switch {
	case d.delta == 0:
		return 1
	case d.stdErr == 0: // without any noise it is certain
		return 0
	default:
		return math.Erfc(math.Abs(d.delta) / d.stdErr / math.Sqrt2)
	}
}

// normalTwoSided is how many standard errors a normal variable exceeds, either way, with
// that probability.
func normalTwoSided(alpha float64) float64 { return math.Sqrt2 * math.Erfcinv(alpha) }

// union has the keys of both maps.
func union[K comparable, V any](a, b map[K]V) map[K]V {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}
