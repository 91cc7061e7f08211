package tlsidle

import (
	"errors"
	"time"
)

// scratch is what the serving of requests needs: the bytes of requests that were read
// and not yet answered, and room for an answer.
type scratch struct {
	in  []byte
	out []byte
	// scanned is how much of in is known not to hold the end of a head.
	scanned int
}

// answerRoom holds the longest answer: the document and a head of less than 200 bytes.
const answerRoom = BodySize + 256

func newScratch() *scratch {
	return &scratch{in: make([]byte, 0, MaxHeaderBytes), out: make([]byte, 0, answerRoom)}
}

// load fills s with what a connection had read so far.
func (s *scratch) load(read []byte) {
	s.in = append(s.in[:0], read...)
	s.scanned = 0
}

// space is where the next bytes are read to. It is never empty: a head that fills it
// is refused by next.
func (s *scratch) space() []byte { return s.in[len(s.in):cap(s.in)] }

// arrived takes in n bytes that were read to space.
func (s *scratch) arrived(n int) { s.in = s.in[:len(s.in)+n] }

// errEnds means that the answer just made is the connection's last, as the client or
// HTTP wants it.
var errEnds = errors.New("connection ends after this answer")

// next takes the first request out of s and returns its answer, which is valid until
// the next call; nil if no request is whole yet. With an answer come errEnds or a
// *refusal if it is the last one.
func (s *scratch) next(now time.Time) ([]byte, error) {
	n := headEnd(s.in, s.scanned)
	if n == 0 {
		s.scanned = len(s.in)
		if len(s.in) < cap(s.in) {
			return nil, nil
		}
		return s.refuse(tooLong)
	}
	r, why := readHead(s.in[:n])
	if why != nil {
		return s.refuse(why)
	}
	s.in = s.in[:copy(s.in, s.in[n:])]
	s.scanned = 0
	if r.unexpected {
		s.out = appendUnexpected(s.out[:0], &r, now)
		return s.out, errEnds
	}
	a := choose(r.method, r.path, r.hasBody)
	var ends bool
	s.out, ends = a.append(s.out[:0], &r, now)
	if ends {
		return s.out, errEnds
	}
	return s.out, nil
}

func (s *scratch) refuse(why *refusal) ([]byte, error) {
	s.out = why.append(s.out[:0])
	return s.out, why
}

// tooLong refuses a head that is longer than MaxHeaderBytes.
var tooLong = &refusal{431, "head of request is too long"} // RFC 6585, 5
