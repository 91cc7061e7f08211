package noop

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/calibrate/spin"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/gotest"
)

// measurement is one session at work.
type measurement struct {
	config
	journal *bed.Journal[record]
}

// gated is the part of the no-op commits that have gates, 1 in gated. With gates a comparison ends when they are decided.
const gated = 4

// take carries out one trial. A calibration that it needs is a record of its own.
func (m measurement) take(ctx context.Context, t trial) (records []record, err error) {
	dir, err := os.MkdirTemp(m.Dir, "noop-")
	if err != nil {
		return nil, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	r := record{Repo: t.Repo, Commit: t.Name(), Kind: t.Kind, Planted: t.planted, Budget: m.trial}
	if r.Budget == 0 {
		r.Budget = leastBudget + rand.N(mostBudget-leastBudget).Round(time.Second)
	}
	trees, err := m.clones.CheckOut(ctx, t.Commit, dir)
	if err != nil {
		return nil, err
	}
	subject := corpus.SubjectOf(t.Repo)
	if t.planted > 0 {
		s := slopeInForce(m.journal.Records, t.Repo, r.Commit, time.Now())
		if s == nil {
			if s, err = m.calibrate(ctx, t, subject); err != nil {
				return nil, fmt.Errorf("calibrate: %w", err)
			}
			records = append(records, record{Repo: t.Repo, Commit: r.Commit, Slope: s, At: bed.Now()})
		}
		if r.Iterations, err = s.iterations(t.planted); err != nil {
			return records, err
		}
		if err := subject.Plant(ctx, trees[1], r.Iterations); err != nil {
			return records, err
		}
	}
	sides, err := t.Build(ctx, trees, dir)
	if err != nil {
		return records, err
	}
	if r.OtherText, err = corpus.OtherText(sides[0].Program, sides[1].Program); err != nil {
		return records, err
	}
	var gates []string
	if r.Gates = t.planted == 0 && rand.IntN(gated) == 0; r.Gates {
		gates = t.Commit.Gates()
	}
	said, err := t.Commit.Ask(ctx, m.Hone, trees[1], r.Budget, gates...)
	if err != nil {
		return records, err
	}
	r.Said = &said
	if t.planted == 0 && t.Benchmark != "" {
		c, err := gotest.OldThenNew(ctx, sides[0], sides[1], r.Budget)
		if err != nil {
			return records, err
		}
		r.Classic = &c
	}
	r.At = bed.Now()
	return append(records, r), nil
}

// How a calibration is taken: large is the slow-down aimed at, large enough to stand out of the noise and small enough to leave
// the rest as it is (calibrate.large).
const (
	large        = 0.20
	slopeRounds  = 20
	slopeTime    = 250 * time.Millisecond
	slopeBudget  = 30 * time.Second
	fewest       = 8    // iterations, so that rounding is a small part
	slopeWithin  = 0.25 // of the slow-down may be half its interval
	tries        = 3    // until the slow-down is about large
	serviceGuess = 5000 // iterations for a service, some microseconds
)

// calibrate measures what iterations cost: by a long run over link orders for a benchmark, by comparisons for a service.
func (m measurement) calibrate(ctx context.Context, t trial, subject *corpus.Subject) (*slope, error) {
	s := &slope{Iterations: serviceGuess}
	if t.Benchmark != "" {
		seconds, err := m.seconds(ctx, t)
		if err != nil {
			return nil, err
		}
		s.Iterations = max(1, int(large*1e9*seconds/spin.NanosPerIteration()))
	}
	for range tries {
		ratio, err := m.slowdown(ctx, t, subject, s.Iterations)
		if err != nil {
			return nil, err
		}
		s.Ratio = ratio
		if share := ratio.Value - 1; share > large/2 && share < 2*large {
			if half := (ratio.High - ratio.Low) / 2; half > slopeWithin*share {
				return nil, fmt.Errorf("%d iterations make it slower by %v: too wide to plant anything, wait until the machine is quiet", s.Iterations, ratio)
			}
			return s, nil
		}
		s.Iterations = max(1, int(float64(s.Iterations)*min(50, large/max(ratio.Value-1, large/50))))
	}
	return nil, fmt.Errorf("%d iterations make it slower by %v: no number makes it slower by %g %%", s.Iterations, s.Ratio, 100*large)
}

// seconds is the time per operation of a benchmark.
func (m measurement) seconds(ctx context.Context, t trial) (float64, error) {
	dir, err := os.MkdirTemp(m.Dir, "slope-")
	if err != nil {
		return 0, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	trees, err := m.clones.CheckOut(ctx, t.Commit, dir)
	if err != nil {
		return 0, err
	}
	binary, err := gotest.Build(ctx, filepath.Join(trees[0], t.Dir), filepath.Join(dir, "base.test"))
	if err != nil {
		return 0, err
	}
	took, err := gotest.Side{Binary: binary, Pattern: t.Pattern()}.Run(ctx, 1, slopeTime)
	if err != nil {
		return 0, err
	}
	return took[0], nil
}

// slowdown is B's time over A's with so many iterations in B, both sides of the commit else.
func (m measurement) slowdown(ctx context.Context, t trial, subject *corpus.Subject, iterations int) (r figures.Ratio, err error) {
	dir, err := os.MkdirTemp(m.Dir, "slope-")
	if err != nil {
		return r, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	trees, err := m.clones.CheckOut(ctx, t.Commit, dir)
	if err != nil {
		return r, err
	}
	if err := subject.Plant(ctx, trees[1], iterations); err != nil {
		return r, err
	}
	if t.Benchmark != "" {
		return gotest.Truth(ctx, filepath.Join(trees[0], t.Dir), filepath.Join(trees[1], t.Dir), t.Pattern(), dir, slopeRounds, slopeTime)
	}
	// A level that no number of starts can reach: the comparison takes all of its time.
	said, err := t.Commit.Ask(ctx, m.Hone, trees[1], slopeBudget, "--set", "alpha=1e-9")
	if err != nil {
		return r, err
	}
	return figures.Ratio{Value: said.Ratio}, nil
}

// iterations make a slow-down.
func (s *slope) iterations(planted float64) (int, error) {
	n := int(math.Round(planted / (s.Ratio.Value - 1) * float64(s.Iterations)))
	if n < fewest {
		return n, fmt.Errorf("%d iterations for %g %%: want %d at least, of a slower benchmark", n, 100*planted, fewest)
	}
	return n, nil
}
