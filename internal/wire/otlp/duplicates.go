package otlp

import "hash/maphash"

// Seen knows the spans that were read, so that one that was exported twice counts once (OTLP specification, "Duplicate
// Data": a client sends again what was not acknowledged). The zero value knows none.
type Seen struct {
	seed     maphash.Seed
	new, old map[uint64]struct{} // hashes of identities
}

// mostSeen is how many spans a generation has; an older one than the last is forgotten. A client sends again within
// minutes.
const mostSeen = 1 << 20

// Again says whether the span was there before. Its identity is that of the trace and of the span; the kind is in it
// since Zipkin's clients and servers share one. A span without identifiers is another each time.
func (s *Seen) Again(span *Span) bool {
	if span.ID == "" || span.TraceID == "" {
		return false
	}
	if s.new == nil {
		s.seed, s.new = maphash.MakeSeed(), map[uint64]struct{}{}
	}
	var h maphash.Hash
	h.SetSeed(s.seed)
	_, _ = h.WriteString(span.TraceID)
	_ = h.WriteByte(byte(span.Kind))
	_, _ = h.WriteString(span.ID)
	id := h.Sum64()
	_, isNew := s.new[id]
	_, isOld := s.old[id]
	if isNew || isOld {
		return true
	}
	if len(s.new) == mostSeen {
		s.new, s.old = map[uint64]struct{}{}, s.new
	}
	s.new[id] = struct{}{}
	return false
}
