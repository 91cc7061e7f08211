package load

import (
	"iter"
	"slices"
)

// Stamp says when one request was due, sent and answered right, in nanoseconds of CLOCK_MONOTONIC. That is the
// clock of Go's execution traces on Linux, so that both can be laid side by side.
type Stamp struct {
	// Conn numbers the connections of a session. One that replaces another has a number of its own; modulo
	// Plan.Connections it is the place of both in the session.
	Conn int32
	// Target is the number of the request's target (TargetNames); 0 where targets are not told apart.
	Target uint16
	// Due is when the request was due; 0 in a closed loop.
	Due int64
	// Sent is the moment just before the write that carried the request's end, Answered that of the read which
	// brought the end of the answer. Due <= Sent <= Answered.
	Sent, Answered int64
}

// Stamps takes the stamps of stretches (Stretch.Stamps), one stretch after the other. The zero value is ready.
type Stamps struct {
	// Most is how many are kept, the earliest of each stretch; 0 means MostStamps. One takes 32 bytes.
	Most int
	// Missed counts the right answers that came when Most was reached.
	Missed uint64

	chunks [][]Stamp
	kept   int
}

// MostStamps is what Stamps keeps at most where it says nothing else: 32 MB, which is 17 s of 60,000 requests per
// second.
const MostStamps = 1 << 20

// Len is how many are kept.
func (s *Stamps) Len() int { return s.kept }

// All goes through what is kept. Those of one connection come in the order of their answers; connections are mixed.
func (s *Stamps) All() iter.Seq[Stamp] {
	return func(yield func(Stamp) bool) {
		for _, chunk := range s.chunks {
			for _, one := range chunk {
				if !yield(one) {
					return
				}
			}
		}
	}
}

// room is how many more are kept.
func (s *Stamps) room() int {
	most := s.Most
	if most == 0 {
		most = MostStamps
	}
	return max(0, most-s.kept)
}

// add takes over what a shard has stamped, on a clock that is offset behind CLOCK_MONOTONIC.
func (s *Stamps) add(from *stamping, offset int64) {
	for _, chunk := range from.chunks {
		for i := range chunk {
			one := &chunk[i]
			one.Sent += offset
			one.Answered += offset
			if one.Due != 0 {
				one.Due += offset
			}
		}
		s.kept += len(chunk)
	}
	s.chunks = append(s.chunks, from.chunks...)
	s.Missed += from.missed
}

// stampChunk is how many stamps are allocated at once: 32 kB, so that an event loop stops for some microseconds
// every 1,024 answers, and not for longer every so often.
const stampChunk = 1024

// stamping is one shard's stamps of a stretch, on the session's clock.
type stamping struct {
	chunks [][]Stamp
	room   int // how many more may be kept
	missed uint64
	since  int64 // when the first was missed
}

// add keeps the stamp of a right answer, or counts it.
func (s *stamping) add(l *link, r rightAnswer) {
	if s.room <= 0 {
		if s.missed == 0 {
			s.since = r.at
		}
		s.missed++
		return
	}
	s.room--
	last := len(s.chunks) - 1
	if last < 0 || len(s.chunks[last]) == cap(s.chunks[last]) {
		s.chunks = append(s.chunks, make([]Stamp, 0, min(stampChunk, s.room+1)))
		last++
	}
	one := Stamp{Conn: l.serial, Target: r.target, Due: r.due, Sent: r.sent, Answered: r.at}
	s.chunks[last] = append(s.chunks[last], one)
}

// takeBack removes the stamp of an answer of l that turned out to be wrong, if there is one. Stamps are in the
// order of their answers, so the search ends at the first that is older.
func (s *stamping) takeBack(l *link, wrong rightAnswer) {
	if s.missed > 0 && wrong.at >= s.since {
		s.missed--
		return
	}
	for i, chunk := range slices.Backward(s.chunks) {
		for j, one := range slices.Backward(chunk) {
			if one.Answered < wrong.at {
				return
			}
			if one.Conn == l.serial && one.Answered == wrong.at && one.Sent == wrong.sent {
				s.chunks[i] = slices.Delete(chunk, j, j+1)
				s.room++
				return
			}
		}
	}
}
