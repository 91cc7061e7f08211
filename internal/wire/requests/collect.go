package requests

import (
	"cmp"
	"slices"
	"time"
)

// collector makes a List of entries.
type collector struct {
	list  List
	index map[string]uint32 // of Requests, by key
	at    []time.Time       // of each turn
	left  map[string]int
	kept  int // bytes of Requests
}

func newCollector() *collector {
	return &collector{index: map[string]uint32{}, left: map[string]int{}}
}

// leave counts an entry that is left out.
func (c *collector) leave(why string) {
	c.list.Found++
	c.left[why]++
}

// take adds an entry.
func (c *collector) take(r Request, at time.Time) {
	key := r.key()
	i, known := c.index[key]
	switch {
	case len(c.list.Order) == maxEntries:
		c.leave("after the first 1,000,000 that were taken")
		return
	case !known && (len(c.list.Requests) == maxDifferent || c.kept+len(key) > maxKept):
		c.leave("further different requests than 100,000 or 268 MB")
		return
	case !known:
		i = uint32(len(c.list.Requests))
		c.index[key] = i
		c.kept += len(key)
		c.list.Requests = append(c.list.Requests, r)
	}
	c.list.Found++
	c.list.Requests[i].Weight++
	c.list.Order = append(c.list.Order, i)
	c.at = append(c.at, at)
}

// finish completes the list: in the order of time, reasons by count. spread deals the
// entries of one second out over it, for files that have whole seconds only.
func (c *collector) finish(spread bool) *List {
	l := &c.list
	turns := make([]int, len(c.at))
	for i := range turns {
		turns[i] = i
	}
	slices.SortStableFunc(turns, func(a, b int) int { return c.at[a].Compare(c.at[b]) })
	order := make([]uint32, len(turns))
	moments := make([]time.Duration, len(turns))
	timed := len(turns) > 0 && !c.at[turns[0]].IsZero()
	for i, turn := range turns {
		order[i] = l.Order[turn]
		moments[i] = c.at[turn].Sub(c.at[turns[0]])
	}
	if l.Order = order; timed {
		if l.Moments = moments; spread {
			spreadSeconds(moments)
		}
	}
	for why, n := range c.left {
		l.LeftOut = append(l.LeftOut, Reason{why, n})
	}
	slices.SortFunc(l.LeftOut, func(a, b Reason) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Why, b.Why)) })
	return l
}

// spreadSeconds deals moments of one second out over it: the k-th of n is k/n of it later.
func spreadSeconds(all []time.Duration) {
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to] == all[from] {
			to++
		}
		n := time.Duration(to - from)
		for k := range n {
			all[from+int(k)] += k * time.Second / n
		}
		from = to
	}
}
