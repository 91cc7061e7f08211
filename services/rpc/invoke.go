package rpc

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"
)

// What every stage decides alike about a request, so that all give the same answers.

// refusal is the answer to a request that is not served, whatever is in it; nil if it
// is served.
func refusal(h Header) *Error {
	switch {
	case h.Compress != 0:
		return Errorf(CodeUnimplemented, "compression %d is not supported", h.Compress)
	case h.Mode > ModeSendOnly:
		return Errorf(CodeUnimplemented, "request type %d is not supported", h.Mode)
	}
	return nil
}

// errEnvelope stands for what the decoder says, whose wording differs from one build of
// the library to the next.
var errEnvelope = Errorf(CodeBadRequest, "malformed envelope")

// find returns what is registered for path.
func (s *Server) find(path []byte) (*method, *Error) {
	if m := s.methods[string(path)]; m != nil {
		return m, nil
	}
	const shown = 256
	return nil, Errorf(CodeNotFound, "no service path %q", path[:min(len(path), shown)])
}

// invoke runs m on payload and appends the reply to dst. A handler that panics costs
// its call and nothing else.
func (s *Server) invoke(ctx context.Context, m *method, c codec, payload, dst []byte) (out []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			s.panics.Add(1)
			s.core.Notices.WarnAs("panic", "handler panicked", slog.String("path", m.path),
				slog.String("panic", fmt.Sprint(v)), slog.String("stack", string(debug.Stack())))
			out, err = dst, Errorf(CodeInternal, "handler panicked")
		}
	}()
	return m.serve(ctx, c, payload, dst)
}

// callContext is the context of a call that carries in and ends at deadline, unless that
// is zero. The caller calls cancel when the call is over.
func (p *peer) callContext(in *incoming, deadline time.Time) (ctx context.Context, cancel context.CancelFunc) {
	ctx, cancel = p.ctx, func() {}
	if !deadline.IsZero() {
		ctx, cancel = context.WithDeadline(ctx, deadline)
	}
	return context.WithValue(ctx, incomingKey{}, in), cancel
}

func errTooLarge(limit int) *Error {
	return Errorf(CodeTooLarge, "answer is over the limit of %d bytes", limit)
}
