package http2

import (
	"cmp"

	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/load"
)

// beginStream takes the head of an answer. events says that it is of the type text/event-stream.
func (d *dialog) beginStream(s *stream, events bool) {
	streams := &d.protocol.streams
	call := d.protocol.call
	if call != nil && (call.method == nil || !call.method.ServerStreams()) || call == nil && !events && !streams.All {
		return
	}
	if s.stream == nil {
		s.stream = &answer.Stream{}
	}
	s.stream.Begin(streams, events && call == nil)
}

// looks is what looks at the body; nil for nothing.
func (s *stream) looks() *answer.Body { return cmp.Or(s.body, s.refused) }

// takeBody looks at a piece of a body.
func (d *dialog) takeBody(s *stream, piece []byte) {
	streams := s.stream != nil && s.stream.On
	switch {
	case d.protocol.call != nil:
		if ended := s.messages.take(piece); streams {
			s.stream.Add(ended)
		}
		return
	case s.looks() != nil:
		s.looks().Take(piece)
	}
	if streams {
		s.stream.Take(piece)
	}
}

// streamed tells what is new of a stream, and ends it where that was asked for: the server is told to send no more. A
// call of gRPC begins with its first message.
func (d *dialog) streamed(seq uint64, s *stream) (a load.Answer, news bool) {
	if s.stream == nil || !s.stream.News() || d.protocol.call != nil && s.stream.Count == 0 {
		return a, false
	}
	a, ended := s.stream.Report(seq)
	if !ended {
		return a, true
	}
	code, cause := s.status, d.protocol.checks.Cause(s.status, s.received, s.looks())
	if call := d.protocol.call; call != nil {
		code, cause = load.FirstGRPCCode, load.OK
		if s.messages.wrong || s.messages.compressed {
			cause = load.WrongBody
		}
	}
	d.reset(seq, cancel)
	told := d.settle(seq, load.Answer{Seq: seq, Code: code, Cause: cause})
	told.Begun, told.Messages = a.Begun, a.Messages
	return told, true
}
