package requests

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gohone/hone/internal/wire"
)

// Collector makes a List of entries.
type Collector struct {
	// Mixed collects for a mix: it keeps stretches of the file from everywhere in it where the file has more than fits,
	// and puts them into a random order. Otherwise the first entries are kept, in the order of time.
	Mixed bool

	list  List
	index map[string]uint32 // of Requests, by key
	turns []turn
	taken uint64 // entries, also those of stretches that were dropped
	most  uint64 // stretches of a higher rank are dropped
	left  map[string]int
	kept  int // bytes of Requests
}

// turn is one entry that was taken.
type turn struct {
	request uint32
	rank    uint64 // of its stretch
	at      time.Time
}

// stretch is how many entries that follow each other stay together in a mix: what a page or a client asks for at once,
// and the repetitions that a small cache answers, lie within so many.
const stretch = 100

const notDrawn = "of stretches of the file that were not drawn: a mix has at most 1,000,000 requests, 100,000 different ones, and 268 MB"

// rankOf is the place of a stretch in the random order, the same each time.
func rankOf(number uint64) uint64 { return rand.NewPCG(number, stretch).Uint64() }

// NewCollector makes one without entries.
func NewCollector(mixed bool) *Collector {
	return &Collector{Mixed: mixed, index: map[string]uint32{}, left: map[string]int{}, most: ^uint64(0)}
}

// Leave counts an entry that is left out.
func (c *Collector) Leave(why string) {
	c.list.Found++
	c.left[why]++
}

// Take adds an entry.
func (c *Collector) Take(r wire.Request, at time.Time) {
	t := turn{rank: rankOf(c.taken / stretch), at: at}
	c.taken++
	name := key(r)
	for c.Mixed && t.rank <= c.most && c.full(name) {
		c.thin()
	}
	switch {
	case t.rank > c.most:
		c.Leave(notDrawn)
		return
	case c.full(name) && len(c.turns) == maxEntries:
		c.Leave("after the first 1,000,000 that were taken")
		return
	case c.full(name):
		c.Leave("further different requests than 100,000 or 268 MB")
		return
	}
	c.list.Found++
	t.request = c.number(r, name)
	c.list.Requests[t.request].Weight++
	c.turns = append(c.turns, t)
}

// full says that a bound keeps one more entry out.
func (c *Collector) full(key string) bool {
	_, known := c.index[key]
	return len(c.turns) == maxEntries || !known && (len(c.list.Requests) == maxDifferent || c.kept+len(key) > maxKept)
}

// number is that of a request, which is added if it is new.
func (c *Collector) number(r wire.Request, key string) uint32 {
	i, known := c.index[key]
	if !known {
		i = uint32(len(c.list.Requests))
		c.index[key] = i
		c.kept += len(key)
		c.list.Requests = append(c.list.Requests, r)
	}
	return i
}

// thin drops half of the stretches, by chance: what is left has the proportions of the file.
func (c *Collector) thin() {
	c.most /= 2
	old, turns := c.list.Requests, c.turns
	c.index, c.kept, c.list.Requests, c.turns = map[string]uint32{}, 0, nil, nil
	for _, t := range turns {
		if t.rank > c.most {
			c.left[notDrawn]++
			continue
		}
		r := old[t.request]
		r.Weight = 0
		t.request = c.number(r, key(r))
		c.list.Requests[t.request].Weight++
		c.turns = append(c.turns, t)
	}
}

// Finish completes the list: in the order of time, or of a mix, requests and reasons by count. spread deals the entries
// of one second out over it, for files that have whole seconds only.
func (c *Collector) Finish(spread bool) *List {
	l := &c.list
	slices.SortStableFunc(c.turns, func(a, b turn) int {
		if c.Mixed && a.rank != b.rank {
			return cmp.Compare(a.rank, b.rank)
		}
		return a.at.Compare(b.at)
	})
	place := l.byWeight()
	for _, t := range c.turns {
		l.Order = append(l.Order, place[t.request])
	}
	if !c.Mixed && len(c.turns) > 0 && !c.turns[0].at.IsZero() {
		for _, t := range c.turns {
			l.Moments = append(l.Moments, t.at.Sub(c.turns[0].at))
		}
		if l.Spread = spread; spread {
			spreadSeconds(l.Moments)
		}
	}
	for why, n := range c.left {
		l.LeftOut = append(l.LeftOut, Reason{why, n})
	}
	slices.SortFunc(l.LeftOut, func(a, b Reason) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Why, b.Why)) })
	return l
}

// byWeight sorts the requests, the most frequent first, and returns the new number of each.
func (l *List) byWeight() (place []uint32) {
	order := make([]uint32, len(l.Requests))
	for i := range order {
		order[i] = uint32(i)
	}
	old := l.Requests
	slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(old[b].Weight, old[a].Weight) })
	l.Requests, place = make([]wire.Request, len(old)), make([]uint32, len(old))
	for i, from := range order {
		l.Requests[i], place[from] = old[from], uint32(i)
	}
	return place
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
