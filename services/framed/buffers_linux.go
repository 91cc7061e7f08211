package framed

import "math/bits"

// buffers keeps memory for the fronts of frames, by size: powers of two, so that a front
// takes at most twice its bytes and one that grows is copied a few times at most. What
// links give back is used again, by links of the same loop.
type buffers struct {
	unused [numClasses][][]byte
}

const (
	smallestClass = 6  // 64 bytes, one cache line
	largestClass  = 16 // MaxFrame
	numClasses    = largestClass - smallestClass + 1

	// maxUnused bounds the unused buffers of each class, in bytes: one of the largest. All
	// classes together hold 11 times that at most.
	maxUnused = 1 << largestClass
)

// classOf is the smallest class that has room for n bytes.
func classOf(n int) int {
	return max(bits.Len(uint(n-1)), smallestClass) - smallestClass
}

// append appends more to b, which is nil or came from append. It moves b if there is no
// room. Both together are at most MaxFrame bytes.
func (s *buffers) append(b, more []byte) []byte {
	n := len(b) + len(more)
	if n <= cap(b) {
		return append(b, more...)
	}
	grown := append(s.get(classOf(n)), b...)
	s.free(b)
	return append(grown, more...)
}

func (s *buffers) get(class int) []byte {
	if free := s.unused[class]; len(free) > 0 {
		b := free[len(free)-1]
		s.unused[class] = free[:len(free)-1]
		return b
	}
	return make([]byte, 0, 1<<(class+smallestClass))
}

// free takes b back and returns nil.
func (s *buffers) free(b []byte) []byte {
	if cap(b) > 0 {
		class := classOf(cap(b))
		if len(s.unused[class])*cap(b) < maxUnused {
			s.unused[class] = append(s.unused[class], b[:0])
		}
	}
	return nil
}
