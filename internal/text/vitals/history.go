package vitals

import (
	"math"
	"time"
)

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

// Dropped is how many readings were dropped.
func (h *History) Dropped() uint64 { return h.dropped }

// At is the i-th reading, 0 being the oldest.
func (h *History) At(i int) *Reading {
	if i < 0 || i >= len(h.readings) {
		panic("vitals: reading out of range")
	}
	return h.readings[(h.first+i)%len(h.readings)]
}

// Last is the newest reading, nil without one.
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
// newest of all; nil without one.
func (h *History) Latest(of func(*Reading) Value) (r *Reading, age time.Duration) {
	for i := h.Len() - 1; i >= 0; i-- {
		if r := h.At(i); of(r).Known() {
			return r, h.Last().At.Sub(r.At)
		}
	}
	return nil, 0
}

// Thin returns at most most readings that stand for the same time: each of several
// neighbours, with the mean of what is known of them, and the largest of their quantiles and
// pauses. Lists and names are those of the last one.
func Thin(all []Reading, most int) []Reading {
	size := max(1, (len(all)+most-1)/max(1, most))
	if size == 1 {
		return all
	}
	var thin []Reading
	for from := 0; from < len(all); from += size {
		thin = append(thin, together(all[from:min(len(all), from+size)]))
	}
	return thin
}

// together makes one reading of some.
func together(some []Reading) Reading {
	one := some[len(some)-1]
	worst := map[*Value]bool{
		&one.LatencyP50Seconds: true, &one.LatencyP99Seconds: true, &one.LatencyP999Seconds: true,
		&one.GCPauseP99Seconds: true,
	}
	values := make([][]*Value, len(some))
	for k := range some {
		values[k] = some[k].Values()
	}
	for i, into := range one.Values() {
		sum, n, largest := 0.0, 0.0, math.Inf(-1)
		for _, of := range values {
			if x, known := of[i].Get(); known {
				sum, n, largest = sum+x, n+1, max(largest, x)
			}
		}
		switch {
		case n == 0:
			*into = Value{}
		case worst[into]:
			*into = Of(largest)
		default:
			*into = Of(sum / n)
		}
	}
	return one
}
