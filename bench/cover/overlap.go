package cover

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// spread is how often CPU profiles found the program in each function: that of its own nearest the leaf, with what it calls in the
// standard library. The collector is one function, and so is what runs below each outermost function of the library alone. It is how
// hone's documents say that hone divides; nothing here is code of hone's.
type spread map[string]float64

const collector = "collector"

var ofCollector = regexp.MustCompile(`^runtime\.(gc[A-Z]\w*|bgsweep|bgscavenge|sweepone|deductSweepCredit|\(\*mspan\)\.sweep|\(\*sweepLocked\)\..*|markroot\w*|scan\w+)$`)

// readSpread reads a CPU profile in pprof's format.
func readSpread(path string) (spread, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := profile.Parse(f)
	if err != nil {
		return nil, fmt.Errorf("read profile %s: %w", path, err)
	}
	s := spread{}
	for _, sample := range p.Sample {
		s[function(stack(sample))] += float64(sample.Value[0]) // the first value is the number of samples
	}
	return s, nil
}

// stack are the functions of a sample, from the leaf on.
func stack(s *profile.Sample) (names []string) {
	for _, l := range s.Location {
		for _, line := range l.Line {
			names = append(names, line.Function.Name)
		}
	}
	return names
}

// function is the one that a stack belongs to.
func function(stack []string) string {
	if len(stack) == 0 {
		return ""
	}
	if slices.ContainsFunc(stack, ofCollector.MatchString) {
		return collector
	}
	for _, name := range stack {
		if !inLibrary(name) {
			return name
		}
	}
	return stack[len(stack)-1]
}

// inLibrary says whether a function is of the standard library: the first word of its import path has no dot, and it is not main.
func inLibrary(name string) bool {
	name, _, _ = strings.Cut(name, "[") // type arguments have paths, too
	first, _, isPath := strings.Cut(name, "/")
	if !isPath {
		first, _, _ = strings.Cut(name, ".")
	}
	return first != "main" && !strings.Contains(first, ".")
}

func (s spread) samples() (n float64) {
	for _, v := range s {
		n += v
	}
	return n
}

// mixed is the spread of two together, of which the first has a share of the CPU time.
func mixed(a, b spread, share float64) spread {
	m := spread{}
	for name, v := range a {
		m[name] += share * v / a.samples()
	}
	for name, v := range b {
		m[name] += (1 - share) * v / b.samples()
	}
	return m
}

// overlap is what two spreads have in common, 0 to 1: the sum of the smaller shares (Czekanowski).
func overlap(a, b spread) (sum float64) {
	na, nb := a.samples(), b.samples()
	for name, v := range a {
		sum += min(v/na, b[name]/nb)
	}
	return sum
}

// again draws as many samples of a spread.
func (s spread) again(r *rand.Rand) spread {
	drawn, left, rest := spread{}, s.samples(), s.samples()
	for _, name := range slices.Sorted(maps.Keys(s)) { // a multinomial by conditional binomials
		n := binomial(r, int(left), s[name]/rest)
		drawn[name] = float64(n)
		left, rest = left-float64(n), rest-s[name]
	}
	return drawn
}

func binomial(r *rand.Rand, n int, p float64) (k int) {
	for range n {
		if r.Float64() < p {
			k++
		}
	}
	return k
}

// truth is the overlap of a load with the same load without some of its requests.
type truth struct {
	// Overlap is in percent, Error its standard error.
	Overlap, Error float64
	// Missing names the requests. Share is the share of the CPU time that they take in production, in percent, by the CPU clock, and
	// Seen the same by production's profile.
	Missing     string
	Share, Seen float64
}

// draws are enough for an error with two digits.
const draws = 200

// lacking is the truth from what the missing requests and all others do by themselves. Both sides are made of the same two spreads, so
// chance does not move them apart.
func lacking(missing string, alone, rest spread, share float64) truth {
	of := func(alone, rest spread) float64 { return 100 * overlap(mixed(alone, rest, share), rest) }
	r := rand.New(rand.NewPCG(1, 1))
	mean, square := 0.0, 0.0
	for range draws {
		v := of(alone.again(r), rest.again(r))
		mean, square = mean+v/draws, square+v*v/draws
	}
	return truth{of(alone, rest), math.Sqrt(max(0, square-mean*mean)), missing, 100 * share, 0}
}

// likeliest is the share of a in a mix of a and b that makes a spread most likely (expectation and maximisation).
func likeliest(of, a, b spread) float64 {
	share := 0.5
	for range 200 { // far more than it takes
		next := 0.0
		for name, n := range of {
			inA, inB := share*a[name]/a.samples(), (1-share)*b[name]/b.samples()
			if inA+inB > 0 {
				next += n / of.samples() * inA / (inA + inB)
			}
		}
		share = next
	}
	return share
}

// chance is the probability that two profiles of the same spread have less in common than these two.
func chance(a, b spread) float64 {
	pooled := mixed(a, b, a.samples()/(a.samples()+b.samples()))
	r := rand.New(rand.NewPCG(1, 2))
	less, seen := 0, overlap(a, b)
	for range draws {
		if overlap(pooled.sized(a.samples()).again(r), pooled.sized(b.samples()).again(r)) < seen {
			less++
		}
	}
	return float64(less) / draws
}

// sized is the same spread with another number of samples.
func (s spread) sized(n float64) spread {
	other := spread{}
	for name, v := range s {
		other[name] = v * n / s.samples()
	}
	return other
}
