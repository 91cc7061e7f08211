package load

import "time"

// cuts says where a stretch is cut into slices: at every end of a stage and, within
// each, after every interval. All shards of a session share one.
type cuts struct {
	interval time.Duration // 0: at the ends of stages only
	at       []time.Duration
	stages   []int // of the slice that each cut ends
	// open says that the stretch has no end of its own: then at is empty.
	open bool
}

func newCuts(s Schedule, interval time.Duration) cuts {
	c := cuts{interval: interval}
	stages := s.Stages
	if len(stages) == 0 {
		stages = []Stage{{For: s.Length()}}
		c.open = s.Length() == 0
	}
	began := time.Duration(0)
	for i, g := range stages {
		for end := began + interval; interval > 0 && end < began+g.For; end += interval {
			c.add(end, i)
		}
		if g.For > 0 {
			began += g.For
			c.add(began, i)
		}
	}
	return c
}

func (c *cuts) add(at time.Duration, stage int) {
	c.at = append(c.at, at)
	c.stages = append(c.stages, stage)
}

// after is the moment of cut number i of a stretch that began at origin.
func (c cuts) after(origin int64, i int) int64 {
	switch {
	case c.open && c.interval > 0:
		return origin + int64(i+1)*int64(c.interval)
	case i < len(c.at):
		return origin + int64(c.at[i])
	default:
		return never
	}
}

// offset is where the slice that cut i ends begins.
func (c cuts) offset(i int) time.Duration {
	switch {
	case i == 0:
		return 0
	case c.open:
		return time.Duration(i) * c.interval
	default:
		return c.at[min(i, len(c.at))-1]
	}
}

// stage is the stage that the slice of cut i belongs to.
func (c cuts) stage(i int) int {
	if len(c.stages) == 0 {
		return 0
	}
	return c.stages[min(i, len(c.stages)-1)]
}
