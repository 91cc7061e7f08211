package corpus

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/calibrate/spin"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/gotest"
	"github.com/gohone/hone/bench/honecli"
)

// Slope is how much slower a number of iterations makes a benchmark or a service.
type Slope struct {
	Iterations int           `json:"iterations"`
	Ratio      figures.Ratio `json:"ratio"`
}

// SlopeInForce is the last calibration by this session's machine that is not older than an hour; nil if there is none. of says which
// record has one that counts.
func SlopeInForce[R bed.Record](records []R, of func(R) *Slope, now time.Time) (s *Slope) {
	var last *bed.Session
	for _, r := range records {
		at, session := r.Head()
		if session != nil {
			if !session.SameMachine(last) {
				s = nil
			}
			last = session
		} else if found := of(r); found != nil && now.Sub(at) < time.Hour {
			s = found
		}
	}
	return s
}

// How a calibration is taken: large is the slow-down aimed at, large enough to stand out of the noise and small enough to leave
// the rest as it is (calibrate.large).
const (
	large        = 0.20
	slopeRounds  = 20 // of a benchmark at first, and as many more while they are too wide
	slopeMost    = 80 // rounds
	slopeTime    = 250 * time.Millisecond
	slopeBudget  = 30 * time.Second
	fewest       = 8    // iterations, so that rounding is a small part
	slopeWithin  = 0.25 // of the slow-down may be half its interval
	tries        = 3    // until the slow-down is about large
	serviceGuess = 5000 // iterations for a service, some microseconds
)

// Calibrate measures what iterations of Subject.Plant cost on top of a commit: by a long run over link orders for a benchmark, by
// comparisons for a service.
func (c Commit) Calibrate(ctx context.Context, clones Clones, hone honecli.Hone) (*Slope, error) {
	s, err := c.calibrate(ctx, clones, hone)
	if err != nil {
		return nil, fmt.Errorf("calibrate %s: %w", c, err)
	}
	return s, nil
}

func (c Commit) calibrate(ctx context.Context, clones Clones, hone honecli.Hone) (*Slope, error) {
	s := &Slope{Iterations: serviceGuess}
	if c.Benchmark != "" {
		seconds, err := c.seconds(ctx, clones)
		if err != nil {
			return nil, err
		}
		s.Iterations = max(1, int(large*1e9*seconds/spin.NanosPerIteration()))
	}
	for range tries {
		ratio, err := c.slowdown(ctx, clones, hone, s.Iterations)
		if err != nil {
			return nil, err
		}
		s.Ratio = ratio
		if share := ratio.Value - 1; share > large/2 && share < 2*large {
			if wide(ratio) {
				return nil, fmt.Errorf("%d iterations make it slower by %v: too wide to plant anything, wait until the machine is quiet", s.Iterations, ratio)
			}
			return s, nil
		}
		s.Iterations = max(1, int(float64(s.Iterations)*min(50, large/max(ratio.Value-1, large/50))))
	}
	return nil, fmt.Errorf("%d iterations make it slower by %v: no number makes it slower by %g %%", s.Iterations, s.Ratio, 100*large)
}

// seconds is the time per operation of a benchmark.
func (c Commit) seconds(ctx context.Context, clones Clones) (float64, error) {
	dir, err := os.MkdirTemp("", "hone-slope-")
	if err != nil {
		return 0, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	trees, err := clones.CheckOut(ctx, c, dir)
	if err != nil {
		return 0, err
	}
	binary, err := gotest.Build(ctx, filepath.Join(trees[0], c.Dir), filepath.Join(dir, "base.test"))
	if err != nil {
		return 0, err
	}
	took, err := gotest.Side{Binary: binary, Pattern: c.Pattern()}.Run(ctx, 1, slopeTime)
	if err != nil {
		return 0, err
	}
	return took[0], nil
}

// slowdown is B's time over A's with so many iterations in B, both sides of the commit else.
func (c Commit) slowdown(ctx context.Context, clones Clones, hone honecli.Hone, iterations int) (r figures.Ratio, err error) {
	dir, err := os.MkdirTemp("", "hone-slope-")
	if err != nil {
		return r, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	trees, err := clones.CheckOut(ctx, c, dir)
	if err != nil {
		return r, err
	}
	if err := SubjectOf(c.Repo).Plant(ctx, trees[1], iterations); err != nil {
		return r, err
	}
	if c.Benchmark != "" {
		return c.truth(ctx, trees, dir)
	}
	// A level that no number of starts can reach: the comparison takes all of its time.
	said, err := c.AskAll(ctx, hone, trees[1], slopeBudget, "--set", "alpha=1e-9")
	if err != nil {
		return r, err
	}
	return figures.Ratio{Value: said.Ratio}, nil
}

// truth is slowdown for a benchmark: rounds are added until the slow-down is known well enough.
func (c Commit) truth(ctx context.Context, trees [2]string, temp string) (r figures.Ratio, err error) {
	var a, b []float64
	for len(a) < slopeMost && (len(a) == 0 || wide(r)) {
		took, err := gotest.Orders(ctx, filepath.Join(trees[0], c.Dir), filepath.Join(trees[1], c.Dir), c.Pattern(), temp,
			slopeRounds, slopeTime)
		if err != nil {
			return r, err
		}
		a, b = append(a, took[0]...), append(b, took[1]...)
		if r, err = figures.Paired(a, b); err != nil {
			return r, err
		}
	}
	return r, nil
}

// wide reports that the interval of a slow-down is too wide for a calibration.
func wide(r figures.Ratio) bool { return (r.High-r.Low)/2 > slopeWithin*math.Abs(r.Value-1) }

// For is how many iterations make a slow-down, a fraction.
func (s *Slope) For(planted float64) (int, error) {
	n := int(math.Round(planted / (s.Ratio.Value - 1) * float64(s.Iterations)))
	if n < fewest {
		return n, fmt.Errorf("%d iterations for %g %%: want %d at least, of a slower benchmark", n, 100*planted, fewest)
	}
	return n, nil
}
