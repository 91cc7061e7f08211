package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// ChangeOptions say what counts as a change.
type ChangeOptions struct {
	// Alpha is the level of the test of each change, as a share of 1; 0 means 0.01. The
	// chance of any change being found in a series without one is at most that.
	Alpha float64
	// MinSize is the least number of values on either side of a change, at least 2; 0
	// means 3. A change is found MinSize values late at the earliest, in a short series
	// later still: of 3 and 3 values there are not enough arrangements to prove anything.
	MinSize int
	// Permutations is how many times the series is shuffled for each test; 0 means 999.
	// The smallest p-value is 1/(Permutations+1).
	Permutations int
	// Values measures distances between the values themselves, as published, instead of
	// between their ranks within the segment. It sees changes of the spread better, and
	// takes an outlier at the end of the series, which is where the newest value is, for a
	// change more often than Alpha allows.
	Values bool
}

// ChangePoint is a place where the distribution of a series changes.
type ChangePoint struct {
	// Index is that of the first value after the change.
	Index int
	// P is the p-value of the test that found it.
	P float64
	// Before and After are the medians of the segments on both sides, from the change
	// point before and to the one after.
	Before, After float64
}

// changeLimit bounds the time: 5,000 values take about a minute per change with the default options.
const changeLimit = 5000

// ChangePoints finds where the distribution of a series of values changes, by E-divisive
// (Matteson & James 2014, "A nonparametric approach for multiple change point analysis of
// multivariate data", JASA 109, sections 2 and 3; Daly et al. 2020, "The use of change point
// detection to identify software performance regressions in a continuous integration
// system", ICPE). The points come in the order of the series.
//
// A candidate divides a segment into A and B, B reaching to the segment's end or to any
// point before it, so that a change is seen also if it was undone later. It is the division
// with the largest energy distance |A||B|/(|A|+|B|) * (2 E|a-b| - E|a-a'| - E|b-b'|) (their
// equations 4 to 7, exponent 1). Of all segments the best candidate is tested: the values
// are shuffled within the segments, the best candidate is looked for in the same way, and p
// is the share of shuffles, the series itself being one, with a distance at least as large.
// The first candidate with p over Alpha ends the search.
//
// Unlike the published method, and unless o.Values is set, distances are those of ranks
// within the segment, divided by its length, so that an outlier is no further away than
// the largest of the other values and cannot pass for a change.
//
// Ranks show that there is a change better than where: the largest value before a rise ranks
// next to those after it. So each point then moves to where the values between its
// neighbours are most likely, those before it being from the Laplace distribution that fits
// the segment before, those after it from that of the segment after (Hinkley 1970, "Inference
// about the change-point in a sequence of random variables", Biometrika 57(1), section 2).
// Where both spread alike, that is the least sum of absolute deviations (Bai 1995, "Least
// absolute deviation estimation of a shift", Econometric Theory 11(3)); where only the spread
// changes, the medians, which then differ by chance, do not say where.
//
// Values should follow each other in time and be independent but for the changes: slow
// drift is divided into steps. One search costs O(n^2) time and O(n) memory and is repeated
// Permutations+1 times per change: with one change 100 values take some 40 ms and 1,000 values 2 s. More
// than 5,000 are refused.
func ChangePoints(x []float64, o ChangeOptions, rng *rand.Rand) ([]ChangePoint, error) {
	o, err := o.resolved(x, rng)
	if err != nil {
		return nil, fmt.Errorf("find change points: %w", err)
	}
	s := &divisions{o: o, x: x, bounds: []int{0, len(x)}, p: map[int]float64{}}
	for s.divide(rng) {
	}
	if !o.Values {
		if err := s.settle(); err != nil {
			return nil, err
		}
	}
	points := make([]ChangePoint, 0, len(s.p))
	for i := 1; i < len(s.bounds)-1; i++ {
		before, after, err := s.sides(i)
		if err != nil {
			return nil, err
		}
		points = append(points, ChangePoint{Index: s.bounds[i], P: s.p[s.bounds[i]], Before: before.median,
			After: after.median})
	}
	return points, nil
}

func (o ChangeOptions) resolved(x []float64, rng *rand.Rand) (ChangeOptions, error) {
	if o.Alpha == 0 {
		o.Alpha = 0.01
	}
	if o.MinSize == 0 {
		o.MinSize = 3
	}
	if o.Permutations == 0 {
		o.Permutations = 999
	}
	switch {
	case rng == nil:
		return o, fmt.Errorf("shuffling needs a generator")
	case !(o.Alpha > 0 && o.Alpha < 1):
		return o, fmt.Errorf("level %v is outside 0 ... 1", o.Alpha)
	case o.MinSize < 2:
		return o, fmt.Errorf("at least 2 values have to be on either side of a change, have %d", o.MinSize)
	case o.Permutations < 1 || 1/float64(o.Permutations+1) > o.Alpha:
		return o, fmt.Errorf("%d permutations cannot reach the level %v", o.Permutations, o.Alpha)
	case len(x) > changeLimit:
		return o, fmt.Errorf("%d values are more than %d", len(x), changeLimit)
	case len(x) == 0:
		return o, nil // no values have no change
	}
	return o, checkFinite("x", x)
}

// divisions is a series, divided so far at bounds, from 0 to its length.
type divisions struct {
	o      ChangeOptions
	x      []float64
	bounds []int
	p      map[int]float64 // by bound, what its test said
}

// divide adds the best candidate, if it is significant.
func (s *divisions) divide(rng *rand.Rand) bool {
	segments := s.segments()
	at, largest := s.best(segments)
	if at < 0 {
		return false
	}
	// Sums of the same numbers in another order may differ in their last bits. A shuffle
	// that close to the series counts as equal, which errs towards the larger p.
	limit := largest * (1 - 1e-12)
	allowed := int(s.o.Alpha * float64(s.o.Permutations+1) * (1 + alphaSlack))
	hits := 1
	for range s.o.Permutations {
		for _, seg := range segments {
			rng.Shuffle(len(seg), func(i, j int) { seg[i], seg[j] = seg[j], seg[i] })
		}
		if _, energy := s.best(segments); energy >= limit {
			hits++
		}
		if hits > allowed { // whatever the other shuffles say
			return false
		}
	}
	s.p[at] = float64(hits) / float64(s.o.Permutations+1)
	i, _ := slices.BinarySearch(s.bounds, at)
	s.bounds = slices.Insert(s.bounds, i, at)
	return true
}

// segments returns copies of the segments, as ranks or as values.
func (s *divisions) segments() [][]float64 {
	out := make([][]float64, len(s.bounds)-1)
	for i := range out {
		seg := slices.Clone(s.x[s.bounds[i]:s.bounds[i+1]])
		if !s.o.Values {
			ranks, _ := rank(seg)
			for j, r := range ranks {
				seg[j] = float64(r) / float64(2*len(seg))
			}
		}
		out[i] = seg
	}
	return out
}

// best returns the candidate of all segments with the largest energy distance; at is
// negative if all are too short to be divided.
func (s *divisions) best(segments [][]float64) (at int, energy float64) {
	at = -1
	for i, seg := range segments {
		if len(seg) < 2*s.o.MinSize {
			continue
		}
		if tau, e := bestDivision(seg, s.o.MinSize); at < 0 || e > energy {
			at, energy = s.bounds[i]+tau, e
		}
	}
	return at, energy
}

// bestDivision returns the tau that, with the best of all ends kappa, has the largest
// energy distance between x[:tau] and x[tau:kappa]. With L, R and T the sums of the
// distances of all pairs within the left side, within the right side and within both
// together, and n, m and k = n+m their sizes, the distance is
//
//	2 (k-1)/k * (T/(k-1) - L/(n-1) - R/(m-1))
//
// as the T-L-R pairs between the sides need not be summed on their own. For the next
// value at kappa-1 it walks tau down, so that one running sum holds the distances of that
// value to x[tau:kappa-1].
func bestDivision(x []float64, minSize int) (best int, energy float64) {
	left := make([]float64, len(x)+1)  // left[k]: L/(k-1) of x[:k]
	right := make([]float64, len(x)+1) // right[tau]: R of x[tau:kappa]
	inverse := make([]float64, len(x)+1)
	for i := 1; i < len(x); i++ {
		inverse[i] = 1 / float64(i)
	}
	best = -1
	for kappa := 2; kappa <= len(x); kappa++ {
		v, sum := x[kappa-1], 0.0
		least, at := math.Inf(1), -1
		for tau := kappa - 2; tau >= 0; tau-- {
			sum += math.Abs(v - x[tau])
			right[tau] += sum
			if tau < minSize || kappa-tau < minSize {
				continue
			}
			if within := left[tau] + right[tau]*inverse[kappa-tau-1]; within < least {
				least, at = within, tau
			}
		}
		left[kappa] = right[0] * inverse[kappa-1]
		e := 2 * float64(kappa-1) / float64(kappa) * (left[kappa] - least)
		if at >= 0 && (best < 0 || e > energy) {
			best, energy = at, e
		}
	}
	return best, energy
}
