package answer

import (
	"bytes"
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// IsEventStream says that a content type is text/event-stream, with or without parameters.
func IsEventStream(contentType []byte) bool {
	kind, _, _ := bytes.Cut(contentType, []byte(";"))
	return wire.FoldEqual(bytes.TrimRight(kind, " \t"), "text/event-stream")
}

// Stream is how far an answer is that is a stream. The zero value stands for an answer that is not a stream.
type Stream struct {
	limits *wire.Streams
	On     bool
	// events says that server-sent events are counted, by parser.
	events bool
	parser EventParser
	told   bool // that it has begun
	// Count are the messages so far, fresh those that were not told yet.
	Count, fresh int
	began        time.Time // where limits.For needs it
}

// Head takes the head of an answer of HTTP/1.1: events says that it is of the type text/event-stream.
func (s *Stream) Head(limits *wire.Streams, events bool) {
	if s.On = limits.All || events; s.On {
		s.Begin(limits, events)
	}
}

// Begin begins an answer that is a stream, of server-sent events or of other messages.
func (s *Stream) Begin(limits *wire.Streams, events bool) {
	*s = Stream{limits: limits, On: true, events: events}
	if limits.For > 0 {
		s.began = time.Now()
	}
}

// Take looks at the next piece of the body.
func (s *Stream) Take(piece []byte) {
	if s.events {
		s.Add(s.parser.Take(piece))
	}
}

// Part counts a chunk or frame that is whole.
func (s *Stream) Part() {
	if s.On && !s.events {
		s.Add(1)
	}
}

// Add counts messages, and none behind the last one that is asked for.
func (s *Stream) Add(n int) {
	if most := s.limits.Messages; most > 0 {
		n = min(n, most-s.Count)
	}
	s.Count += n
	s.fresh += n
}

// Tell puts what is new into a.
func (s *Stream) Tell(a *load.Answer) {
	if !s.On {
		return
	}
	a.Begun, s.told = !s.told, true
	n := min(s.fresh, 1<<16-1)
	a.Messages = uint16(n)
	s.fresh -= n
}

// Report is what is new of the stream that answers request seq, and whether the request ends here.
func (s *Stream) Report(seq uint64) (a load.Answer, ended bool) {
	ended = s.Ended()
	a = load.Answer{Seq: seq, Partial: true, Cause: load.EventStream}
	s.Tell(&a)
	return a, ended
}

// News says that tell would tell something.
func (s *Stream) News() bool { return s.On && (!s.told || s.fresh > 0) }

// Ended says that the request ends here. It comes before tell.
func (s *Stream) Ended() bool {
	return s.On && s.fresh > 0 && (s.limits.Messages > 0 && s.Count >= s.limits.Messages ||
		s.limits.For > 0 && time.Since(s.began) >= s.limits.For)
}
