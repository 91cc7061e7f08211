package bisect

import (
	"hash/fnv"
	"math"
	"math/rand/v2"

	"github.com/gohone/hone/bench/corpus"
)

// draw is what is planted into a history of places 0 to Commits, of which 0 is the good end.
type draw struct {
	// Seed and I are what it was drawn by, with the repository.
	Seed uint64 `json:"seed"`
	I    int    `json:"i"`
	// Commits is how many there are after the good one.
	Commits int `json:"commits"`
	// Measure is what the search follows: time of a benchmark, cpu of a service, allocs.
	Measure string `json:"measure"`
	// Size is the change from place At on: a fraction of time, or a number of allocations of each call. 0 is none.
	Size float64 `json:"size,omitempty"`
	At   int     `json:"at,omitempty"`
	// Second is a smaller one from place SecondAt on; a negative one takes a part of Size back.
	Second   float64 `json:"second,omitempty"`
	SecondAt int     `json:"second_at,omitempty"`
	// Broken is how many commits from place BrokenFrom on do not build.
	Broken     int `json:"broken,omitempty"`
	BrokenFrom int `json:"broken_from,omitempty"`
}

// The sizes: of time as fractions, log-uniform.
const (
	leastSize   = 0.02
	mostSize    = 0.20
	allocations = 2 // allocations of each call, of which a second change adds or takes back one
)

// The parts of the trials.
const (
	noPart       = 0.10 // with nothing planted
	brokenPart   = 0.10 // with commits that do not build
	secondPart   = 1. / 3
	allocsPart   = 0.25 // of the benchmarks
	mostBroken   = 50
	leastSecond  = 0.2 // of the size is a second change, at least and
	mostSecond   = 0.5 // at most
	brokenWindow = 4   // a part of the history at most is broken: 1 in so many
)

// drawn draws the i-th trial of a repository. The same seed, repository and history always give the same.
func drawn(s *corpus.Subject, seed uint64, i, commits int) draw {
	name := fnv.New64a()
	name.Write([]byte(s.Repo))
	r := rand.New(rand.NewPCG(seed, name.Sum64()+uint64(i)))
	d := draw{Seed: seed, I: i, Commits: commits, Measure: measureOf(s, r.Float64())}
	d.plant(r)
	d.breakSome(r)
	return d
}

func measureOf(s *corpus.Subject, u float64) string {
	switch {
	case s.Benchmark == "":
		return "cpu"
	case u < allocsPart:
		return "allocs"
	}
	return "time"
}

// plant draws the changes.
func (d *draw) plant(r *rand.Rand) {
	none, second, back := r.Float64() < noPart, r.Float64() < secondPart, r.IntN(2) == 0
	size, part := leastSize*math.Pow(mostSize/leastSize, r.Float64()), leastSecond+(mostSecond-leastSecond)*r.Float64()
	at, other := 1+r.IntN(d.Commits), 1+r.IntN(d.Commits)
	if none {
		return
	}
	d.At, d.Size = at, size
	if d.Measure == "allocs" {
		d.Size, part = allocations, 1./allocations
	}
	if !second || other == at {
		return
	}
	d.Second, d.SecondAt = part*d.Size, other
	if back && other > at {
		d.Second = -d.Second
	}
}

// breakSome draws the commits that do not build, none of them an end.
func (d *draw) breakSome(r *rand.Rand) {
	some, u := r.Float64() < brokenPart, r.Float64()
	n := min(mostBroken, d.Commits/brokenWindow)
	if !some || n == 0 {
		return
	}
	d.Broken, d.BrokenFrom = n, 1+int(u*float64(d.Commits-n))
}

// broken says whether the commit at a place does not build.
func (d draw) broken(at int) bool { return d.BrokenFrom <= at && at < d.BrokenFrom+d.Broken }

// sizeAt is the sum of the changes up to a place.
func (d draw) sizeAt(at int) (sum float64) {
	if d.Size > 0 && at >= d.At {
		sum += d.Size
	}
	if d.Second != 0 && at >= d.SecondAt {
		sum += d.Second
	}
	return sum
}

// planted is what the commit at a place has planted. iterations are those of Size.
func (d draw) planted(at, iterations int) corpus.Planted {
	if d.Measure == "allocs" {
		return corpus.Planted{Allocations: int(math.Round(d.sizeAt(at)))}
	}
	if d.Size == 0 {
		return corpus.Planted{}
	}
	return corpus.Planted{Iterations: int(math.Round(d.sizeAt(at) / d.Size * float64(iterations)))}
}

// right says whether an answer is: it names the planted commit, and others only where they cannot be told apart from it, because they
// do not build or change no Go file. Where nothing is planted, nothing is right.
func (d draw) right(a answer, changes map[int]bool) bool {
	if d.Size == 0 {
		return a.Stopped == nothing
	}
	holds := false
	for _, at := range a.Places {
		switch {
		case at == d.At:
			holds = true
		case d.broken(at), !changes[at]:
		case at == d.BrokenFrom+d.Broken && d.broken(d.At): // the first that builds again
		default:
			return false
		}
	}
	return holds
}
