package turns

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
)

const (
	// shortTurn is the timed part of a turn. The log ratio of a pair scatters hardly more in
	// 4 ms than in 100 ms, so many short turns say more than few long ones.
	shortTurn = 4 * time.Millisecond
	// LongTurn is the longest timed part of a turn: of longer ones a block has too few.
	LongTurn = 50 * time.Millisecond
	// ShortProcess is the timed part of a process, unless its start or its preparations take
	// long: then it is a few times as much.
	ShortProcess = 20 * time.Millisecond
	// longProcess is the longest timed part that hone chooses by itself.
	longProcess = time.Second
)

const (
	// fixedShare is the part of a turn's timed part that may be preparations.
	fixedShare = 0.02
	// collectionsInTurn is how many collections a turn should hold where they take a share of
	// the time that counts: of turns with one and turns with none, the middle shows nothing of
	// the collector.
	collectionsInTurn = 1.5
)

// Cost is what turns of one side cost, measured while they are tried.
type Cost struct {
	Op      float64       // ns of an operation in a long turn
	fixed   float64       // ns of the timed part that do not depend on the number of operations
	base    Turn          // with baseOperations: the least of the wall time
	collect float64       // ns of a collection
	between float64       // ns of timed work between two collections; +Inf without
	Fastest float64       // most operations that were tried
	Start   time.Duration // of the process, to its first answer
}

// BaseOperations is the smallest number for which a turn is like any other: for 1 the
// testing package runs a benchmark once, for more it runs it twice.
const BaseOperations = 2

// Length chooses the timed part of a turn: asked, or as short as the costs of both sides
// allow. If even a long turn is too short, why says so, and process is what a process should
// take at least.
func Length(costs [2]Cost, asked time.Duration) (timed, process time.Duration, why string) {
	want := float64(shortTurn)
	for _, c := range costs {
		beside := float64(c.base.Wall) - BaseOperations*c.Op
		switch {
		case c.Op > float64(LongTurn):
			return 0, 0, fmt.Sprintf("one operation takes %v", rounded(c.Op))
		case beside > float64(LongTurn):
			return 0, bounded(beside), fmt.Sprintf("the preparations of a turn take %v", rounded(beside))
		case c.fixed > fixedShare*10*float64(LongTurn):
			return 0, bounded(c.fixed / fixedShare), fmt.Sprintf("preparations that are timed take %v", rounded(c.fixed))
		}
		want = max(want, beside, c.fixed/fixedShare)
		if !math.IsInf(c.between, 1) && c.collect > fixedShare*c.between {
			want = max(want, collectionsInTurn*c.between)
		}
	}
	if asked > 0 {
		return asked, 0, ""
	}
	return min(LongTurn, time.Duration(want)), 0, ""
}

func rounded(ns float64) time.Duration { return time.Duration(ns).Round(time.Millisecond) }

// bounded is a length for a process.
func bounded(ns float64) time.Duration { return min(longProcess, time.Duration(ns)) }

// Tries is how often a short turn is tried. Of times the least counts: other programs add
// far more to a turn of microseconds than it takes.
const Tries = 5

// CostOf measures what turns of a benchmark cost in a living process, which it stops. began is when the process was
// started.
func CostOf(ctx context.Context, l *Process, name string, began time.Time) (c Cost, err error) {
	if _, err := l.Take(ctx, name, BaseOperations); err != nil { // cold
		return c, err
	}
	c.Start = time.Since(began)
	var one, wall []float64
	for range Tries {
		t, err := l.Take(ctx, name, 1)
		if err != nil {
			return c, err
		}
		one = append(one, t.timed(0))
	}
	forced := 0
	for i := range Tries + 1 {
		before := forced
		if c.base, err = l.Take(ctx, name, BaseOperations); err != nil {
			return c, err
		}
		if forced = c.base.collections; i > 0 {
			wall = append(wall, float64(c.base.Wall))
			c.base.collections = forced - before
		}
	}
	c.base.Wall = time.Duration(slices.Min(wall))
	if err := c.grow(ctx, l, name, slices.Min(one), forced); err != nil {
		return c, err
	}
	collected, err := l.collect(ctx, name)
	if err != nil {
		return c, err
	}
	c.collect = float64(collected)
	return c, l.Stop(ctx) // TestMain cleans up
}

// grow tries ever more operations, up to a long turn.
func (c *Cost) grow(ctx context.Context, l *Process, name string, one float64, collections int) error {
	timed, n := one, 1.0
	for timed < 0.7*float64(LongTurn) && n < MostOperations {
		n = math.Floor(min(MostOperations, 100*n, max(n+1, n*float64(LongTurn)/max(1, timed))))
		t, err := l.Take(ctx, name, int(n))
		if err != nil {
			return err
		}
		timed = t.timed(c.base.Wall)
		c.between = math.Inf(1)
		if own := t.collections - collections - c.base.collections; own > 0 {
			c.between = timed / float64(own)
		}
		collections = t.collections
	}
	if n == 1 {
		c.between = math.Inf(1)
	}
	c.Op, c.Fastest = timed/n, n
	// The first operation after a collection may well take twice as long as later ones.
	c.fixed = max(0, one-2*c.Op)
	if c.fixed < fixedShare*float64(shortTurn) {
		c.fixed = 0
	}
	return nil
}

// MostOperations is the most that the testing package does by itself.
const MostOperations = 1e9

// timed is the timed part of a turn in ns; where the benchmark hides it, what it took beyond
// base.
func (t Turn) timed(base time.Duration) float64 {
	if ns := benchtext.Nanos(t.Result); ns > 0 {
		return ns * float64(t.Result.Iters)
	}
	return float64(max(0, t.Wall-base))
}
