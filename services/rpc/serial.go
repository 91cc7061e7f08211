package rpc

import "context"

// The server's side of naive and pooled: one call after the other, each on the
// connection's own goroutine, with the libraries' codecs.

// answer appends the answer to one frame to dst, as a frame; nothing for a request that
// wants no answer.
func (p *peer) answer(dst []byte, h Header, body []byte) []byte {
	p.frames.Add(1)
	if h.Kind == KindHeartbeat {
		return AppendHeader(dst, Header{Kind: KindHeartbeat, Mode: h.Mode, Stream: h.Stream})
	}
	p.calls.Add(1)
	response := p.respond(h, body)
	p.calls.Add(-1)
	if h.Mode == ModeSendOnly {
		return dst
	}
	start := len(dst)
	dst = AppendHeader(dst, Header{Mode: h.Mode, Stream: h.Stream})
	out, err := libraryEnvelope{}.appendResponse(dst, &response)
	if err == nil && len(out)-start-HeaderSize > p.server.cfg.MaxBody {
		err = errTooLarge(p.server.cfg.MaxBody)
	}
	if err != nil {
		e := asError(err)
		out = AppendResponse(out[:start+HeaderSize], &Response{Code: e.Code, Message: e.Message})
	}
	setLength(out[start:])
	return out
}

// respond makes the one call.
func (p *peer) respond(h Header, body []byte) Response {
	if e := refusal(h); e != nil {
		return Response{Code: e.Code, Message: e.Message}
	}
	var r Request
	if err := (libraryEnvelope{}).decodeRequest(body, &r); err != nil {
		return Response{Code: errEnvelope.Code, Message: errEnvelope.Message}
	}
	ctx, in, cancel, err := p.callContext(r.Metadata)
	defer cancel()
	var payload []byte
	if err == nil {
		payload, err = p.run(ctx, r)
	}
	if err != nil {
		e := asError(err)
		return Response{Code: e.Code, Message: e.Message, Metadata: in.reply}
	}
	return Response{Metadata: in.reply, Payload: payload}
}

// run finds what is to be called, and calls it.
func (p *peer) run(ctx context.Context, r Request) ([]byte, error) {
	m, e := p.server.find([]byte(r.ServicePath))
	if e != nil {
		return nil, e
	}
	return p.server.invoke(ctx, m, libraryCodec{}, r.Payload, nil)
}
