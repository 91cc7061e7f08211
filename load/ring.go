package load

// ring remembers when each outstanding request of one connection was sent, under
// its number. Numbers are handed out in order; answers may come in any order, so
// the window [tail, head) can hold answered requests between outstanding ones.
type ring struct {
	// times holds the send time of request seq at seq&mask; 0 once it is answered.
	times []int64
	// dues holds when each request was due, likewise; nil outside open loops.
	dues []int64
	// messages holds when the last message of each request's answer came, 0 before the first, likewise; nil where no
	// answer is a stream.
	messages []int64
	// targets holds the target of each request, likewise, from when it is built; nil where they are not told apart.
	targets []uint16
	mask    uint64
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
	*r = ring{times: r.times, dues: r.dues, targets: r.targets, mask: uint64(size - 1)}
	if r.dues != nil && len(r.dues) != size {
		r.dues = make([]int64, size)
	}
}

// keepDues makes r remember when requests were due, from now on.
func (r *ring) keepDues() {
	if r.dues == nil {
		r.dues = make([]int64, len(r.times))
		copy(r.dues, r.times) // what is outstanding was due when it was sent
	}
}

// allowDues makes r remember when requests were due, from now on; of what is outstanding that is not known.
func (r *ring) allowDues() {
	if r.dues == nil {
		r.dues = make([]int64, len(r.times))
	}
}

// keepTargets makes r remember which target requests go to, from now on. That leads every answer to shard.right, as
// allowDues does.
func (r *ring) keepTargets() {
	r.allowDues()
	if len(r.targets) != len(r.times) {
		r.targets = make([]uint16, len(r.times))
	}
}

// setTarget notes the target of request seq, for which there is room.
func (r *ring) setTarget(seq uint64, target uint16) { r.targets[seq&r.mask] = target }

// targetOf is the target of request seq; 0 where targets are not told apart.
func (r *ring) targetOf(seq uint64) uint16 {
	if r.targets == nil {
		return 0
	}
	return r.targets[seq&r.mask]
}

// eachTarget calls f for the target of every outstanding request.
func (r *ring) eachTarget(f func(target uint16)) {
	for seq := r.tail; r.targets != nil && seq != r.head; seq++ {
		if r.times[seq&r.mask] != 0 {
			f(r.targets[seq&r.mask])
		}
	}
}

// room says how many requests more the window can take.
func (r *ring) room() int { return len(r.times) - int(r.head-r.tail) }

// push records the next count requests as sent at time t, which must not be 0. The
// caller has checked room.
func (r *ring) push(count int, t int64) {
	for i := range uint64(count) {
		r.times[(r.head+i)&r.mask] = t
	}
	if r.dues != nil { // left from an open loop
		for i := range uint64(count) {
			r.dues[(r.head+i)&r.mask] = 0
		}
	}
	r.forget(count)
	r.head += uint64(count)
	r.n += count
}

// forget makes the next count requests have no messages yet.
func (r *ring) forget(count int) {
	if r.messages == nil {
		return
	}
	for i := range uint64(count) {
		r.messages[(r.head+i)&r.mask] = 0
	}
}

// pushDue records the next request as sent at time t, which must not be 0, and due at
// the time due. The caller has checked room and called keepDues.
func (r *ring) pushDue(t, due int64) {
	r.times[r.head&r.mask] = t
	r.dues[r.head&r.mask] = due
	r.forget(1)
	r.head++
	r.n++
}

// dueOf is when request seq was due; it must have been pushed, and not overwritten
// since. Outside open loops it is 0.
func (r *ring) dueOf(seq uint64) int64 {
	if r.dues == nil {
		return 0
	}
	return r.dues[seq&r.mask]
}

// sentAt is when request seq was sent; 0 if it is not outstanding.
func (r *ring) sentAt(seq uint64) int64 {
	if seq-r.tail >= r.head-r.tail { // also true for seq < tail: the difference wraps
		return 0
	}
	return r.times[seq&r.mask]
}

// messageOf is where the time of the last message of request seq is kept, which must be outstanding.
func (r *ring) messageOf(seq uint64) *int64 {
	if r.messages == nil {
		r.messages = make([]int64, len(r.times))
	}
	return &r.messages[seq&r.mask]
}

// each calls f for every outstanding request, the oldest first.
func (r *ring) each(f func(sent, due int64)) {
	for seq := r.tail; seq != r.head; seq++ {
		if sent := r.times[seq&r.mask]; sent != 0 {
			f(sent, r.dueOf(seq))
		}
	}
}

// oldest is when the oldest outstanding request was sent; there must be one.
func (r *ring) oldest() int64 { return r.times[r.tail&r.mask] }

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
	size := 2 * len(r.times)
	mask := uint64(size - 1)
	move := func(old []int64) []int64 {
		wide := make([]int64, size)
		for seq := r.tail; seq != r.head; seq++ {
			wide[seq&mask] = old[seq&r.mask]
		}
		return wide
	}
	r.times = move(r.times)
	if r.dues != nil {
		r.dues = move(r.dues)
	}
	if r.messages != nil {
		r.messages = move(r.messages)
	}
	if r.targets != nil { // those of requests that are built and not sent, too
		wide := make([]uint16, size)
		for i := range uint64(len(r.targets)) {
			wide[(r.tail+i)&mask] = r.targets[(r.tail+i)&r.mask]
		}
		r.targets = wide
	}
	r.mask = mask
	return true
}
