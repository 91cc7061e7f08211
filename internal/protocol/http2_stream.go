package protocol

import "github.com/gohone/hone/load"

// beginStream takes the head of an answer. events says that it is of the type text/event-stream.
func (d *http2Dialog) beginStream(s *http2Stream, events bool) {
	streams := &d.protocol.streams
	call := d.protocol.call
	if call != nil && (call.method == nil || !call.method.ServerStreams()) || call == nil && !events && !streams.All {
		return
	}
	if s.stream == nil {
		s.stream = &stream{}
	}
	s.stream.begin(streams, events && call == nil)
}

// takeBody looks at a piece of a body.
func (d *http2Dialog) takeBody(s *http2Stream, piece []byte) {
	streams := s.stream != nil && s.stream.on
	switch {
	case d.protocol.call != nil:
		if ended := s.messages.take(piece); streams {
			s.stream.add(ended)
		}
		return
	case s.body != nil:
		s.body.take(piece)
	}
	if streams {
		s.stream.take(piece)
	}
}

// streamed tells what is new of a stream, and ends it where that was asked for: the server is told to send no more. A call
// of gRPC begins with its first message.
func (d *http2Dialog) streamed(seq uint64, s *http2Stream) (a load.Answer, news bool) {
	if s.stream == nil || !s.stream.news() || d.protocol.call != nil && s.stream.count == 0 {
		return a, false
	}
	ended := s.stream.ended()
	a = load.Answer{Seq: seq, Partial: true, Cause: load.EventStream}
	s.stream.tell(&a)
	if !ended {
		return a, true
	}
	code, cause := s.status, d.protocol.checks.cause(s.status, s.received, s.body)
	if call := d.protocol.call; call != nil {
		code, cause = load.FirstGRPCCode, load.OK
		if s.messages.wrong || s.messages.compressed {
			cause = load.WrongBody
		}
	}
	d.reset(seq, http2Cancel)
	told := d.settle(seq, load.Answer{Seq: seq, Code: code, Cause: cause})
	told.Begun, told.Messages = a.Begun, a.Messages
	return told, true
}
