package wire

import (
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// Streams says which answers are streams, whose messages are counted and timed, and when a request for one ends.
// Answers of the type text/event-stream are streams in any case, and calls of gRPC whose method answers with a stream.
type Streams struct {
	// All makes every answer of HTTP a stream: the time to its first byte is measured. The messages of one that has no
	// events are its chunks (HTTP/1.1) or its DATA frames (HTTP/2 and HTTP/3).
	All bool `json:"all,omitempty"`
	// Messages ends a request after so many messages; 0: when the server ends the answer.
	Messages int `json:"messages,omitempty"`
	// For ends a request with the first message that comes later than this after the answer began; 0: no limit.
	For time.Duration `json:"for_ns,omitempty"`
}

// Validate checks what flags and files can say.
func (s Streams) Validate() error {
	if s.Messages < 0 || s.For < 0 {
		return fail.New(fail.BadInput, "a stream cannot end after %d messages or %v", s.Messages, s.For).
			WithHint("--set stream.messages takes a number from 1, --set stream.for a time such as 10s")
	}
	return nil
}

// Cuts says that requests end before the server ends their answers.
func (s *Streams) Cuts() bool { return s.Messages > 0 || s.For > 0 }
