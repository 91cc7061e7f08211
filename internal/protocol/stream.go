package protocol

import (
	"bytes"
	"time"

	"github.com/gohone/hone/load"
)

// isEventStream says that a content type is text/event-stream, with or without parameters.
func isEventStream(contentType []byte) bool {
	kind, _, _ := bytes.Cut(contentType, []byte(";"))
	return foldEqual(bytes.TrimRight(kind, " \t"), "text/event-stream")
}

// stream is how far an answer is that is a stream. The zero value is one that is none.
type stream struct {
	limits *Streams
	on     bool
	// events says that server-sent events are counted, by parser.
	events bool
	parser eventParser
	told   bool // that it has begun
	// count are the messages so far, fresh those that were not told yet.
	count, fresh int
	began        time.Time // where limits.For needs it
}

// head takes the head of an answer of HTTP/1.1: events says that it is of the type text/event-stream.
func (s *stream) head(limits *Streams, events bool) {
	if s.on = limits.All || events; s.on {
		s.begin(limits, events)
	}
}

// begin begins an answer that is a stream, of server-sent events or of other messages.
func (s *stream) begin(limits *Streams, events bool) {
	*s = stream{limits: limits, on: true, events: events}
	if limits.For > 0 {
		s.began = time.Now()
	}
}

// take looks at the next piece of the body.
func (s *stream) take(piece []byte) {
	if s.events {
		s.add(s.parser.take(piece))
	}
}

// part counts a chunk or frame that is whole.
func (s *stream) part() {
	if s.on && !s.events {
		s.add(1)
	}
}

// add counts messages, and none behind the last one that is asked for.
func (s *stream) add(n int) {
	if most := s.limits.Messages; most > 0 {
		n = min(n, most-s.count)
	}
	s.count += n
	s.fresh += n
}

// tell puts what is new into a.
func (s *stream) tell(a *load.Answer) {
	if !s.on {
		return
	}
	a.Begun, s.told = !s.told, true
	n := min(s.fresh, 1<<16-1)
	a.Messages = uint16(n)
	s.fresh -= n
}

// news says that tell would tell something.
func (s *stream) news() bool { return s.on && (!s.told || s.fresh > 0) }

// ended says that the request ends here. It comes before tell.
func (s *stream) ended() bool {
	return s.on && s.fresh > 0 && (s.limits.Messages > 0 && s.count >= s.limits.Messages ||
		s.limits.For > 0 && time.Since(s.began) >= s.limits.For)
}
