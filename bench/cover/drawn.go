package cover

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/bench/bed"
)

// pairs are what hone states of profiles that are drawn from two known ones: the truth has no error, and the machine no part in it.
type pairs struct {
	// Off is how far what hone states of each pair with missing requests is from the truth, in points; Held says how many of their
	// intervals hold it.
	Off  []float64 `json:"off"`
	Held int       `json:"held"`
	// Same is how many intervals of pairs of one load hold 100, of as many pairs.
	Same int `json:"same"`
}

const (
	// pairsDrawn are those of one service, each of so many samples: as many as 20 s of a program on one CPU have.
	pairsDrawn     = 10
	samplesOfDrawn = 2000
)

// within says of how many pairs the statement is near the truth.
func (p pairs) within(points float64) bed.Share {
	s := bed.Share{}
	for _, off := range p.Off {
		s.Add(math.Abs(off) <= points)
	}
	return s
}

func (p pairs) mean() (sum float64) {
	for _, off := range p.Off {
		sum += off / float64(len(p.Off))
	}
	return sum
}

// drawPairs draws profiles of production, which has a share of the first profile, and of the load without it.
func (c config) drawPairs(ctx context.Context, alone, rest string, share, truth float64) (*pairs, error) {
	var of [2]*profile.Profile
	for i, path := range []string{alone, rest} {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		of[i], err = profile.Parse(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("read profile %s: %w", path, err)
		}
	}
	r, p := rand.New(rand.NewPCG(3, 3)), new(pairs)
	mix := func() (*profile.Profile, error) {
		n := binomial(r, samplesOfDrawn, share)
		return profile.Merge([]*profile.Profile{redrawn(of[0], n, r), redrawn(of[1], samplesOfDrawn-n, r)})
	}
	for range pairsDrawn {
		production, err := mix()
		if err != nil {
			return nil, err
		}
		again, err := mix()
		if err != nil {
			return nil, err
		}
		less, err := c.stateDrawn(ctx, production, redrawn(of[1], samplesOfDrawn, r))
		if err != nil {
			return nil, err
		}
		same, err := c.stateDrawn(ctx, production, again)
		if err != nil {
			return nil, err
		}
		p.Off = append(p.Off, less.Overlap-truth)
		p.Held += count(less.holds(truth))
		p.Same += count(same.holds(100))
	}
	return p, nil
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// stateDrawn asks hone about two profiles that are in no file.
func (c config) stateDrawn(ctx context.Context, both ...*profile.Profile) (stated, error) {
	var paths [2]string
	for i, p := range both {
		paths[i] = filepath.Join(c.files, fmt.Sprintf("drawn-%d.pb.gz", i))
		f, err := os.Create(paths[i])
		if err != nil {
			return stated{}, err
		}
		if err := errors.Join(p.Write(f), f.Close()); err != nil {
			return stated{}, err
		}
	}
	return c.state(ctx, paths[0], paths[1])
}

// redrawn is a profile with n samples, drawn from those of another with replacement.
func redrawn(of *profile.Profile, n int, r *rand.Rand) *profile.Profile {
	p := of.Copy()
	left := int64(0)
	for _, s := range p.Sample {
		left += s.Value[0]
	}
	var some []*profile.Sample
	for _, s := range p.Sample { // a multinomial by conditional binomials
		drawn := binomial(r, n, float64(s.Value[0])/float64(left))
		left, n = left-s.Value[0], n-drawn
		if drawn > 0 {
			s.Value = []int64{int64(drawn), int64(drawn) * p.Period}
			some = append(some, s)
		}
	}
	p.Sample = some
	return p
}
