package cluster

import "time"

// difference estimates by how much the coordinator's clock is ahead of the agent's (NTP, RFC 5905 section 8): each
// order that answers a state gives one estimate, and the one that was fastest under way is the best.
type difference struct {
	ahead time.Duration
	bound time.Duration // the largest error of ahead: half of the time that the messages were under way
	known bool          // false before the first estimate
	began time.Duration // when the best was taken, on the agent's clock
}

// driftAfter is how long the best estimate counts: clocks drift apart by some 10 to 100 us in that time.
const driftAfter = 10 * time.Second

// hear takes an order that came at now. Orders that answer nothing tell nothing.
func (d *difference) hear(o Order, now time.Duration) {
	way := now - o.Echo - o.Held
	if o.Echo == 0 || o.Echo > now || way < 0 {
		return
	}
	if d.known && way/2 >= d.bound && now-d.began < driftAfter {
		return
	}
	// The state left at Echo and the order came at now; half of the way lies before the moment when the order was sent.
	*d = difference{ahead: o.Clock - (now - way/2), bound: way / 2, known: true, began: now}
}
