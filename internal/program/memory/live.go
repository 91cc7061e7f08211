package memory

import (
	"math"
	"strconv"
	"strings"
)

// SetLive finds out how much the last collection left alive, where the runtime does not say it (runtime.MemStats, and
// releases before Go 1.21): from the goal that it has set, and from the samples of a heap profile. It is false where
// neither tells.
func (c *Classes) SetLive(s Sampled) bool {
	if c.Live > 0 {
		return true
	}
	byGoal, known := c.liveByGoal()
	bySamples := s.Samples >= fewestSamples
	switch {
	case known && bySamples && math.Abs(byGoal-s.Bytes) > 3*s.Bytes/math.Sqrt(float64(s.Samples))+goalError:
		// The program has set another GOGC than its environment says.
		c.Live, c.GOGC = uint64(s.Bytes), math.NaN()
	case known:
		c.Live = uint64(byGoal)
	case s.Samples > 0:
		c.Live = uint64(s.Bytes)
	default:
		return false
	}
	c.Live = min(c.Live, c.Objects)
	if math.IsNaN(c.GOGC) && c.Live > 0 && c.Goal > smallestGoal {
		c.GOGC = 100 * (float64(c.Goal)/float64(c.Live) - 1)
	}
	return true
}

const (
	// fewestSamples give 25 % at most, with 19 of 20 (their number is Poisson distributed).
	fewestSamples = 64
	// goalError is what roots, which the goal counts as well, may be.
	goalError = 4 << 20
	// smallestGoal is that of GOGC=100 and a small heap (GOROOT/src/runtime/mgcpacer.go, defaultHeapMinimum).
	smallestGoal = 4 << 20
)

// liveByGoal undoes how the goal is set (A Guide to the Go Garbage Collector, "GOGC"): live + (live + roots)*GOGC/100.
// Of the roots only the stacks are known here, and not all of them are scanned.
func (c *Classes) liveByGoal() (live float64, known bool) {
	g := c.GOGC / 100
	if !(g > 0) || float64(c.Goal) <= smallestGoal*g*1.01 || c.Limit > 0 {
		return 0, false
	}
	live = (float64(c.Goal) - float64(c.Stacks)*g/2) / (1 + g)
	return live, live > 0
}

// SetEnvironment takes GOGC and GOMEMLIMIT of a process's environment, where the runtime does not say them.
func (c *Classes) SetEnvironment(env []string) {
	if !math.IsNaN(c.GOGC) {
		return
	}
	c.GOGC = 100
	for _, entry := range env { // the last one counts
		if text, is := strings.CutPrefix(entry, "GOGC="); is {
			c.GOGC = 100
			if n, err := strconv.ParseInt(text, 10, 32); err == nil && n >= 0 {
				c.GOGC = float64(n)
			} else if text == "off" {
				c.GOGC = -1
			}
		}
	}
	c.Limit = LimitOf(env)
}

// LimitOf is GOMEMLIMIT of an environment in bytes, as the runtime reads it; 0 without one.
func LimitOf(env []string) (limit uint64) {
	for _, entry := range env { // the last one counts
		text, is := strings.CutPrefix(entry, "GOMEMLIMIT=")
		if !is {
			continue
		}
		number := strings.TrimRight(text, "KMGTiB")
		n, err := strconv.ParseFloat(number, 64)
		shift, known := map[string]int{"": 0, "B": 0, "KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40}[text[len(number):]]
		limit = 0
		if bytes := n * float64(uint64(1)<<shift); err == nil && known && bytes > 0 && bytes < math.MaxInt64 {
			limit = uint64(bytes)
		}
	}
	return limit
}
