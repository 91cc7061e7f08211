package accesslog

import (
	"maps"
	"math"
	"slices"
)

// sizes is a distribution of sizes in bytes, to two significant digits: at most some 500 different ones.
type sizes struct {
	counts map[int64]uint64
	sum    float64
	n      uint64
}

func (s *sizes) add(size int64) {
	if size < 0 {
		return
	}
	if s.counts == nil {
		s.counts = map[int64]uint64{}
	}
	s.counts[TwoDigits(size)]++
	s.sum += float64(size)
	s.n++
}

// TwoDigits rounds a size to two significant digits.
func TwoDigits(size int64) int64 {
	if size < 100 {
		return size
	}
	unit := math.Pow(10, math.Floor(math.Log10(float64(size)))-1)
	return int64(math.Round(float64(size)/unit) * unit)
}

// median is the size of the request in the middle; -1 without any.
func (s *sizes) median() int64 {
	sum := uint64(0)
	for _, size := range slices.Sorted(maps.Keys(s.counts)) {
		if sum += s.counts[size]; 2*sum >= s.n {
			return size
		}
	}
	return -1
}

// mean is in bytes; -1 without any.
func (s *sizes) mean() float64 {
	if s.n == 0 {
		return -1
	}
	return s.sum / float64(s.n)
}
