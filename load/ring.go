package load

// ring remembers when each outstanding request of one connection was sent, under
// its number. Numbers are handed out in order; answers may come in any order, so
// the window [tail, head) can hold answered requests between outstanding ones.
type ring struct {
	// times holds the send time of request seq at seq&mask; 0 once it is answered.
	times []int64
	mask  uint64
	// tail is the oldest outstanding request (or head), head the next to be sent.
	tail, head uint64
	// n is the number of outstanding requests.
	n int
}

// ringGrowth bounds the window at this many times its first size: how far answers
// may overtake each other before the connection has to wait for the oldest.
const ringGrowth = 16

// reset empties r for a fresh connection of the given depth.
func (r *ring) reset(depth int) {
	size := 1
	for size < depth {
		size *= 2
	}
	if len(r.times) != size {
		r.times = make([]int64, size)
	}
	clear(r.times)
	*r = ring{times: r.times, mask: uint64(size - 1)}
}

// room says how many requests more the window can take.
func (r *ring) room() int { return len(r.times) - int(r.head-r.tail) }

// push records the next count requests as sent at time t, which must not be 0. The
// caller has checked room.
func (r *ring) push(count int, t int64) {
	for range count {
		r.times[r.head&r.mask] = t
		r.head++
	}
	r.n += count
}

// take ends request seq and returns its send time; false if it is not outstanding.
func (r *ring) take(seq uint64) (sent int64, ok bool) {
	if seq-r.tail >= r.head-r.tail { // also true for seq < tail: the difference wraps
		return 0, false
	}
	p := &r.times[seq&r.mask]
	sent = *p
	if sent == 0 {
		return 0, false
	}
	*p = 0
	r.n--
	for r.tail != r.head && r.times[r.tail&r.mask] == 0 {
		r.tail++
	}
	return sent, true
}

// takeOldest ends the oldest outstanding request; there must be one.
func (r *ring) takeOldest() (sent int64) {
	p := &r.times[r.tail&r.mask]
	sent = *p
	*p = 0
	r.n--
	for r.tail++; r.tail != r.head && r.times[r.tail&r.mask] == 0; r.tail++ {
	}
	return sent
}

// grow doubles the window, up to limit entries; false if it has them already.
func (r *ring) grow(limit int) bool {
	if len(r.times) >= limit {
		return false
	}
	times := make([]int64, 2*len(r.times))
	mask := uint64(len(times) - 1)
	for seq := r.tail; seq != r.head; seq++ {
		times[seq&mask] = r.times[seq&r.mask]
	}
	r.times, r.mask = times, mask
	return true
}
