package demo

import (
	"fmt"
	"time"

	"github.com/gohone/hone/internal/text/units"
)

// What the steps of a tour may take besides the budgets of its comparisons, with a warm
// build cache on two cores.
const (
	// planBuild is for finding and building the program, once for all steps.
	planBuild = 4 * time.Second
	// planFindings is for what follows a comparison: its findings, its page, and what is printed.
	planFindings = 2 * time.Second
	// planRefusal is for a stage that withholds its answers: start, silence of the time
	// limit, stop.
	planRefusal = 8 * time.Second
	// planLeast is the shortest budget with which a comparison can show anything: fresh starts for both stages,
	// profiles, and the check of a gain.
	planLeast = 12 * time.Second
)

// tourClock divides the time of a tour among its steps. What one step takes too long is
// taken from the budgets of the comparisons that follow.
type tourClock struct {
	began time.Time
	now   func() time.Time
	built time.Duration // what the build took
	tour  *tour
}

func (t *tour) startClock(now func() time.Time) *tourClock {
	return &tourClock{began: now(), now: now, tour: t}
}

// legs is the number of comparisons of a tour.
func (t *tour) legs() int { return len(t.rungs) - 1 }

// planned is the time that the whole tour may take with a warm build cache.
func (t *tour) planned() time.Duration {
	return planBuild + t.after(0)
}

// after is what may still come when so many comparisons are done.
func (t *tour) after(done int) time.Duration {
	d := time.Duration(t.legs()-done) * (t.load.budget + planFindings)
	if t.refused.stage != "" {
		d += planRefusal
	}
	return d
}

// builtNow notes that the build is over.
func (c *tourClock) builtNow() { c.built = c.elapsed() }

func (c *tourClock) elapsed() time.Duration { return c.now().Sub(c.began) }

// end is how long after its beginning the tour ends: a build with a cold cache, which
// cannot be planned, puts it off.
func (c *tourClock) end() time.Duration {
	return c.tour.planned() + max(0, c.built-planBuild)
}

// budget is that of the next comparison, when so many are done.
func (c *tourClock) budget(done int) time.Duration {
	late := c.elapsed() + c.tour.after(done) - c.end()
	left := time.Duration(c.tour.legs() - done)
	return min(c.tour.load.budget, max(planLeast, c.tour.load.budget-late/left))
}

// String says how long the tour took, and what was planned.
func (c *tourClock) String() string {
	return fmt.Sprintf("this demo took %s, %s of it to build the program; planned: at most %s with a warm build cache",
		units.Seconds(c.elapsed()), units.Seconds(c.built), units.Seconds(c.tour.planned()))
}
