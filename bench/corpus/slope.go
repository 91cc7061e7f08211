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
		e := r.Head()
		if session := e.Session; session != nil {
			if !session.SameMachine(last) {
				s = nil
			}
			last = session
		} else if found := of(r); found != nil && now.Sub(e.At) < time.Hour {
			s = found
		}
	}
	return s
}

// How a calibration is taken: large is the slow-down aimed at, large enough to stand out of the noise and small enough to leave
// the rest as it is (calibrate.large).
const (
	large        = 0.20
	slopeRuns    = 9 // of a benchmark
	slopeTime    = 250 * time.Millisecond
	slopeBudget  = 30 * time.Second
	fewest       = 8    // iterations, so that rounding is a small part
	tries        = 3    // until the slow-down is about large
	serviceGuess = 5000 // iterations for a service, some microseconds
)

// Calibrate says what iterations of Subject.Plant cost on top of a commit.
func (c Commit) Calibrate(ctx context.Context, clones Clones, hone honecli.Hone) (s *Slope, err error) {
	if c.Benchmark != "" {
		s, err = c.slopeOfBenchmark(ctx, clones)
	} else {
		s, err = c.slopeOfService(ctx, clones, hone)
	}
	if err != nil {
		return nil, fmt.Errorf("calibrate %s: %w", c, err)
	}
	return s, nil
}

// slopeOfBenchmark holds an iteration, timed alone, against the time per operation, by turns. A comparison of the two
// sides would also hold what the place of their functions in memory costs, which takes minutes to average out.
func (c Commit) slopeOfBenchmark(ctx context.Context, clones Clones) (*Slope, error) {
	dir, err := os.MkdirTemp("", "hone-slope-")
	if err != nil {
		return nil, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	trees, err := clones.CheckOut(ctx, c, dir)
	if err != nil {
		return nil, err
	}
	binary, err := gotest.Build(ctx, filepath.Join(trees[0], c.Dir), filepath.Join(dir, "base.test"))
	if err != nil {
		return nil, err
	}
	var operations, iterations []float64
	for range slopeRuns {
		iterations = append(iterations, spin.NanosPerIteration()/1e9)
		took, err := gotest.Side{Binary: binary, Pattern: c.Pattern()}.Run(ctx, 1, slopeTime)
		if err != nil {
			return nil, err
		}
		operations = append(operations, took[0])
	}
	n := max(1, int(large*figures.Median(operations)/figures.Median(iterations)))
	added := float64(n) * figures.Median(iterations)
	return &Slope{Iterations: n, Ratio: figures.Ratio{Value: 1 + added/figures.Median(operations)}}, nil
}

// slopeOfService compares both sides under load, with a level that no number of starts can reach: the comparison takes
// all of its time.
func (c Commit) slopeOfService(ctx context.Context, clones Clones, hone honecli.Hone) (*Slope, error) {
	s := &Slope{Iterations: serviceGuess}
	for range tries {
		said, err := c.slowed(ctx, clones, hone, s.Iterations)
		if err != nil {
			return nil, err
		}
		s.Ratio = figures.Ratio{Value: said.Ratio}
		if share := said.Ratio - 1; share > large/2 && share < 2*large {
			return s, nil
		}
		s.Iterations = max(1, int(float64(s.Iterations)*min(50, large/max(said.Ratio-1, large/50))))
	}
	return nil, fmt.Errorf("%d iterations make it slower by %v: no number makes it slower by %g %%", s.Iterations,
		s.Ratio.Value, 100*large)
}

// slowed is what hone says of a commit of a service with so many iterations in B.
func (c Commit) slowed(ctx context.Context, clones Clones, hone honecli.Hone, iterations int) (said honecli.Said,
	err error) {
	dir, err := os.MkdirTemp("", "hone-slope-")
	if err != nil {
		return said, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	trees, err := clones.CheckOut(ctx, c, dir)
	if err != nil {
		return said, err
	}
	if err := SubjectOf(c.Repo).Plant(ctx, trees[1], iterations); err != nil {
		return said, err
	}
	return c.AskAll(ctx, hone, trees[1], slopeBudget, "--set", "alpha=1e-9")
}

// For is how many iterations make a slow-down, a fraction.
func (s *Slope) For(planted float64) (int, error) {
	n := int(math.Round(planted / (s.Ratio.Value - 1) * float64(s.Iterations)))
	if n < fewest {
		return n, fmt.Errorf("%d iterations for %g %%: want %d at least, of a slower benchmark", n, 100*planted, fewest)
	}
	return n, nil
}
