package plant

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// Cost is what is planted in a function: one of a part, a wait and objects.
type Cost struct {
	// Part is the CPU time that it takes, of that of the rest of the process: 0.075 is +7.5 %.
	Part float64 `json:"part,omitempty"`
	// Wait is how long each operation waits in it.
	Wait time.Duration `json:"wait_ns,omitempty"`
	// Objects is how many more each operation allocates, Size the bytes of each.
	Objects int `json:"objects,omitempty"`
	Size    int `json:"object_bytes,omitempty"`
}

func (c Cost) String() string {
	switch {
	case c.Part > 0:
		return "a slow-down of " + strings.TrimPrefix(units.Percent(c.Part), "+")
	case c.Wait > 0:
		return "a wait of " + units.Nanos(float64(c.Wait))
	}
	return fmt.Sprintf("%s more of %s each", units.Plural(c.Objects, "allocation"), units.Bytes(float64(c.Size)))
}

// of is what one of several calls of an operation has of it.
func (c Cost) of(calls float64) Cost {
	calls = max(1, calls)
	c.Wait = time.Duration(float64(c.Wait) / calls)
	c.Objects = int(roundUp(float64(c.Objects) / calls))
	return c
}

// Known is what is known of a program that something is to be planted in.
type Known struct {
	// ByCPU are the keys of measures that change as the CPU time of the process does, ByWait of those that a wait makes
	// worse.
	ByCPU, ByWait []string
	// Figures are of the program as it is, by the keys of measures, as far as they are known.
	Figures judge.Sample
}

// beyond is how much more than its limit is planted: so much that a gate has to see it.
const beyond = 1.5

// leastObject is the size of an object where only their number counts.
const leastObject = 16

// For is the cost that breaks at least one of the gates: the one that changes least of those of the first kind that
// there is, of CPU time, waits and allocations.
func For(gates []gate.Gate, k Known) (c Cost, err error) {
	for _, g := range gates {
		relative, absolute := k.beyond(g)
		key := g.Measure.Key
		switch {
		case g.Function != "":
		case slices.Contains(k.ByCPU, key) && relative > 0:
			c.Part = least(c.Part, relative)
		case slices.Contains(k.ByWait, key) && absolute > 0:
			c.Wait = time.Duration(least(float64(c.Wait), absolute))
		case key == measure.Allocs.Key && absolute >= 0:
			c.Objects, c.Size = int(least(float64(c.Objects), max(1, roundUp(absolute)))), leastObject
		case key == measure.Bytes.Key && absolute >= 0 && c.Objects == 0:
			c.Objects, c.Size = 1, max(leastObject, int(roundUp(absolute)))
		}
	}
	switch {
	case c.Part > 0:
		return Cost{Part: c.Part}, nil
	case c.Wait > 0:
		return Cost{Wait: c.Wait}, nil
	case c.Objects > 0:
		return c, nil
	}
	return c, fail.New(fail.BadInput, "--prove-gate: none of the gates limits what hone can make worse").
		WithHint("name the gate of the job, for example %s or allocs<=0", examples(k))
}

// roundUp takes no error of floating point for a part.
func roundUp(v float64) float64 { return math.Ceil(v - 1e-9) }

func least(before, now float64) float64 {
	if before > 0 {
		return min(before, now)
	}
	return now
}

// examples are gates that hone can break.
func examples(k Known) string {
	var all []string
	for _, key := range slices.Concat(k.ByCPU, k.ByWait) {
		if key == measure.CPU.Key || key == measure.OperationTime.Key || key == measure.Percentile("p99", 0.99).Key {
			all = append(all, key+"<+5%")
		}
	}
	return strings.Join(all, ", ")
}

// beyond is the rise beyond the limit of a gate that is planted, of what there is and in the unit of the measure; below 0
// where it is not known, or where the gate fails without. A fall of throughput is the rise of the time of an operation.
func (k Known) beyond(g gate.Gate) (relative, absolute float64) {
	figure, limit := k.Figures[g.Measure.Key], beyond*g.Limit
	relative, absolute = -1, -1
	lower := g.Measure.Better == judge.Higher
	if lower {
		limit = -limit
	}
	if limit < 0 || limit == 0 && lower || !g.Op.Holds(0, g.Limit) {
		return relative, absolute
	}
	switch {
	case g.Relative && figure > 0:
		relative, absolute = limit, limit*figure
	case g.Relative:
		relative = limit
	case figure > 0:
		relative, absolute = limit/figure, limit
	default:
		absolute = limit
	}
	if limit == 0 { // of none nothing is allowed, either
		absolute = 0
	}
	if !lower {
		return relative, absolute
	}
	if relative < 0 || relative >= 1 {
		return -1, -1
	}
	relative = 1/(1-relative) - 1
	return relative, relative * k.Figures[measure.Percentile("p50", 0.5).Key]
}
