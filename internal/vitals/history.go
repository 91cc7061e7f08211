package vitals

import "time"

// History is the last readings, in the order of time. It never holds more than its
// capacity: the oldest goes when one too many comes. Readings that were added must not
// be changed.
type History struct {
	capacity int
	readings []*Reading // a ring once it is full
	first    int        // where the oldest is
	dropped  uint64
}

// NewHistory holds up to capacity readings, at least one.
func NewHistory(capacity int) *History { return &History{capacity: max(1, capacity)} }

// Add appends a reading.
func (h *History) Add(r Reading) {
	if len(h.readings) < h.capacity {
		h.readings = append(h.readings, &r)
		return
	}
	h.readings[h.first] = &r
	h.first = (h.first + 1) % h.capacity
	h.dropped++
}

// Len is how many readings there are; a nil history has none.
func (h *History) Len() int {
	if h == nil {
		return 0
	}
	return len(h.readings)
}

// Dropped is how many readings were let go.
func (h *History) Dropped() uint64 { return h.dropped }

// At is the i-th reading, 0 being the oldest.
func (h *History) At(i int) *Reading {
	if i < 0 || i >= len(h.readings) {
		panic("vitals: reading out of range")
	}
	return h.readings[(h.first+i)%len(h.readings)]
}

// Last is the newest reading, nil if there is none.
func (h *History) Last() *Reading {
	if h.Len() == 0 {
		return nil
	}
	return h.At(h.Len() - 1)
}

// Tail is a history of its own with the newest n readings, which goes on to hold them
// while h takes in others: it can be handed to another goroutine.
func (h *History) Tail(n int) *History {
	n = min(max(n, 0), h.Len())
	tail := &History{capacity: max(1, n), readings: make([]*Reading, n)}
	for i := range n {
		tail.readings[i] = h.At(h.Len() - n + i)
	}
	return tail
}

// Latest is the newest reading in which a value is known, and how old it is against the
// newest of all; nil if there is none.
func (h *History) Latest(of func(*Reading) Value) (r *Reading, age time.Duration) {
	for i := h.Len() - 1; i >= 0; i-- {
		if r := h.At(i); of(r).Known() {
			return r, h.Last().At.Sub(r.At)
		}
	}
	return nil, 0
}
