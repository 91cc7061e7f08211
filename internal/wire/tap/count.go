package tap

import (
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/gohone/hone/load"
)

// count counts equal answers of HTTP/1.1 on one connection: a wrong one in a thousand is seldom
// among those that are copied. An answer is known by a hash of its body, its status and its length, head
// included. The first of each kind is copied. A body costs some 0.1 ns per byte, an answer some 95 ns (BenchmarkTap).
type count struct {
	all      *counted
	inner    summer
	sums     bool // inner does
	sum      maphash.Hash
	requests []pendingRequest // those from first up to next are not answered; each at its number modulo their count
	first    uint64
	next     uint64
	raw      []byte // of the answer so far, where it comes in pieces; cut at countKeep
	size     int    // of it
	streams  bool   // it is one
	seen     map[kind]*seen
	last     *seen
	n        int // answers so far
	strange  int // of them, those that no answer to the same request was like before
	left     int // answers that are left out until the next one is counted
}

// summer is a dialog that can sum up the bodies of its answers.
type summer interface{ SumBodies(sum *maphash.Hash) }

// pendingRequest is a request that is waited for.
type pendingRequest struct {
	hash  uint64
	bytes []byte
}

// kind is what counts as the same answer.
type kind struct {
	request, body uint64
	size          int
	code          uint16
	cause         load.Cause
}

// seen is how often a kind was seen on one connection.
type seen struct {
	kind kind
	n    int
}

// counted is what all connections of a session have in common.
type counted struct {
	seed   maphash.Seed
	counts map[int]*count // by connection

	mu     sync.Mutex // of what follows: connections may belong to several goroutines
	copies map[kind]*window
	bytes  int
	kinds  map[uint64]int // by request
}

const (
	// countConns is on how many connections answers are counted, countKinds and countBytes how many
	// kinds are copied of one start, and countKeep how much of an answer.
	countConns            = 16
	countKinds            = 2048
	countBytes, countKeep = 16 << 20, 1 << 20
	// countLong is a body of which one in countSkip is counted, since hashing it takes the generator as long as reading
	// it.
	countLong, countSkip = 64 << 10, 8
	// countStrange is how many answers of a connection may be unlike all others to their requests, and mostly are,
	// before counting ends: the bodies differ by nature.
	countStrange = 64
)

// CountOn chooses, by a random number, the connections of n on which answers are counted: a program that answers right
// on the first ones does not know which these are. It comes before the first dialog; without it they are the first ones.
func (t *Tap) CountOn(n int, random *rand.Rand) {
	t.chosen = map[int]bool{}
	for _, conn := range random.Perm(n)[:min(n, countConns)] {
		t.chosen[conn] = true
	}
}

// counts says whether answers are counted on a connection.
func (t *Tap) counts(conn int) bool {
	if t.chosen == nil {
		return conn < countConns
	}
	return t.chosen[conn]
}

// newCount is the count of a connection that begins or is replaced; nil where answers are not counted.
func (t *Tap) newCount(conn int, inner load.Dialog) *count {
	known, ok := inner.(summer)
	if !ok || !t.counts(conn) || t.target.Streams.Cuts() {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counted == nil {
		t.counted = &counted{seed: maphash.MakeSeed(), counts: map[int]*count{},
			copies: map[kind]*window{}, kinds: map[uint64]int{}}
	}
	c := t.counted.counts[conn]
	if c == nil {
		c = &count{all: t.counted, seen: map[kind]*seen{}}
		c.sum.SetSeed(t.counted.seed)
		t.counted.counts[conn] = c
	}
	if c.over() {
		return nil
	}
	c.inner, c.first, c.next = known, 0, 0
	c.reset()
	return c
}

// over says that counting shows nothing here: bodies differ by nature.
func (c *count) over() bool { return c.strange >= countStrange && 2*c.strange > c.n }

// reset makes c ready for the next answer. Of long bodies most are left out.
func (c *count) reset() {
	long := c.size > countLong || c.left > 0
	switch {
	case c.left > 0:
		c.left--
	case long:
		c.left = countSkip - 1
	}
	c.sum.Reset()
	c.raw, c.size, c.streams = c.raw[:0], 0, false
	c.inner.SumBodies(&c.sum)
	c.sums = true
	if c.left > 0 || c.over() {
		c.inner.SumBodies(nil)
		c.sums = false
	}
}

// noteRequest takes the next request.
func (c *count) noteRequest(request []byte) {
	if n := uint64(len(c.requests)); c.next-c.first == n {
		more := make([]pendingRequest, max(1, 2*n))
		for seq := c.first; seq < c.next; seq++ {
			more[seq%uint64(len(more))] = c.requests[seq%n]
		}
		c.requests = more
	}
	one := &c.requests[c.next%uint64(len(c.requests))]
	one.bytes = append(one.bytes[:0], request...)
	one.hash = maphash.Bytes(c.all.seed, request)
	c.next++
}

// took takes what was read of an answer: in, which ends it if whole. counts says that it is not copied elsewhere.
func (c *count) took(in []byte, a load.Answer, whole, counts bool) {
	c.streams = c.streams || a.Messages > 0
	c.size += len(in)
	if c.sums && (!whole || len(c.raw) > 0) {
		c.raw = append(c.raw, in[:min(len(in), countKeep-len(c.raw))]...)
	}
	if !whole {
		return
	}
	if a.Seq >= c.first && a.Seq < c.next {
		if counts && c.sums && !c.streams {
			c.count(&c.requests[a.Seq%uint64(len(c.requests))], in, a)
		}
		c.first = a.Seq + 1
	}
	c.reset()
}

// count counts an answer, of which in is all, where it came in one piece.
func (c *count) count(asked *pendingRequest, in []byte, a load.Answer) {
	c.n++
	kind := kind{asked.hash, c.sum.Sum64(), c.size, a.Code, a.Cause}
	if c.last != nil && c.last.kind == kind {
		c.last.n++
		return
	}
	one := c.seen[kind]
	if one == nil && len(c.seen) == countKinds {
		c.strange++
		return
	}
	if one == nil {
		if len(c.raw) > 0 {
			in = c.raw
		}
		one = &seen{kind: kind}
		c.seen[kind] = one
		if c.all.copyKind(kind, asked.bytes, in, a) {
			c.strange++
		}
	}
	one.n++
	c.last = one
}

// copyKind keeps the first answer of a kind, of all connections, where there is room. strange says
// that the same request was answered otherwise before.
func (t *counted) copyKind(kind kind, request, raw []byte, a load.Answer) (strange bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.copies[kind] != nil {
		return false
	}
	t.kinds[kind.request]++
	if len(t.copies) < countKinds && t.bytes+len(raw) <= countBytes && kind.size == len(raw) {
		t.bytes += len(raw)
		w := &window{want: 1, raw: slices.Clone(raw), number: len(t.copies)}
		w.requests = []copiedRequest{{seq: a.Seq, bytes: slices.Clone(request)}}
		w.answers = []copiedAnswer{{Answer: a, to: len(raw), size: kind.size}}
		t.copies[kind] = w
	}
	return t.kinds[kind.request] > 1
}

// windows are the kinds that were copied, with how often they came. The session must be closed.
func (t *counted) windows() (all []*window) {
	if t == nil {
		return nil
	}
	for _, w := range t.copies {
		w.count = 0
		all = append(all, w)
	}
	for _, c := range t.counts {
		for kind, seen := range c.seen {
			if w := t.copies[kind]; w != nil {
				w.count += seen.n
			}
		}
	}
	slices.SortFunc(all, func(a, b *window) int { return a.number - b.number })
	return all
}
