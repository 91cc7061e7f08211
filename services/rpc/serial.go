package rpc

import "time"

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
	in := new(incoming)
	payload, err := p.call(h, body, in)
	p.calls.Add(-1)
	if h.Mode == ModeSendOnly {
		return dst
	}
	start := len(dst)
	dst = AppendHeader(dst, Header{Mode: h.Mode, Stream: h.Stream})
	response := &Response{Payload: payload}
	if err != nil {
		response = asError(err).response()
	}
	response.Metadata = in.reply
	out, err := libraryEnvelope{}.appendResponse(dst, response)
	if err == nil && len(out)-start-HeaderSize > p.server.cfg.MaxBody {
		err = errTooLarge(p.server.cfg.MaxBody)
	}
	if err != nil {
		out = AppendResponse(out[:start+HeaderSize], asError(err).response())
	}
	setLength(out[start:])
	return out
}

// call makes the one call and returns its reply. It fills in.
func (p *peer) call(h Header, body []byte, in *incoming) (payload []byte, err error) {
	if e := refusal(h); e != nil {
		return nil, e
	}
	var r Request
	if (libraryEnvelope{}).decodeRequest(body, &r) != nil {
		return nil, errEnvelope
	}
	in.request = r.Metadata
	var deadline time.Time
	if value, ok := r.Metadata[TimeoutKey]; ok {
		timeout, err := parseTimeout(value)
		if err != nil {
			return nil, err
		}
		deadline = time.Now().Add(timeout)
	}
	m, e := p.server.find([]byte(r.ServicePath))
	if e != nil {
		return nil, e
	}
	ctx, cancel := p.callContext(in, deadline)
	defer cancel()
	return p.server.invoke(ctx, m, libraryCodec{}, r.Payload, nil)
}
