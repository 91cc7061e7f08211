package protocol

import (
	"bytes"
	"time"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/load"
)

// Streams says which answers are streams, whose messages are counted and timed, and when a request for one ends. Answers of
// the type text/event-stream are streams in any case, and calls of gRPC whose method answers with a stream.
type Streams struct {
	// All makes every answer of HTTP a stream: the time to its first byte is measured. The messages of one that has no events
	// are its chunks (HTTP/1.1) or its DATA frames (HTTP/2 and HTTP/3).
	All bool `json:"all,omitempty"`
	// Messages ends a request after so many messages; 0: when the server ends the answer.
	Messages int `json:"messages,omitempty"`
	// For ends a request with the first message that comes later than this after the answer began; 0: no limit.
	For time.Duration `json:"for_ns,omitempty"`
}

// validate checks what flags and files can say.
func (s Streams) validate() error {
	if s.Messages < 0 || s.For < 0 {
		return fail.New(fail.BadInput, "a stream cannot end after %d messages or %v", s.Messages, s.For).
			WithHint("--messages takes a number from 1, --stream-for a time such as 10s")
	}
	return nil
}

// longestStream bounds streams whose end is asked for: only silence ends them before.
const longestStream = 24 * time.Hour

// Allow is the plan with time for streams whose requests end by Streams.Messages or Streams.For. It is a *fail.Error of kind
// BadInput where such an end would lose other requests on the connection.
func (t Target) Allow(p load.Plan) (load.Plan, error) {
	if !t.streams.cuts() {
		return p, nil
	}
	if p.Depth > 1 && !t.multiplexed {
		return p, fail.New(fail.BadInput, "a request that ends its stream must be the only one on its connection, and %d are to be outstanding", p.Depth).
			WithHint("use --depth 1, or --http2")
	}
	p.StreamTimeout = longestStream
	return p, nil
}

// cuts says that requests end before the server ends their answers.
func (s *Streams) cuts() bool { return s.Messages > 0 || s.For > 0 }

// front is the part of an answer that its request asked for: its first events. What came behind them depends on how the bytes
// were read. It is empty where that part is not known: without a number of messages, and where messages are no events.
func (s *Streams) front(b []byte) []byte {
	var p eventParser
	events := 0
	for i := range b {
		if events += p.take(b[i : i+1]); s.Messages > 0 && events == s.Messages {
			return b[:i+1]
		}
	}
	return nil
}

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
