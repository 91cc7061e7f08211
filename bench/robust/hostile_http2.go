package robust

import (
	"bytes"
	"io"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// peer speaks HTTP/2 to a guest, with more freedom than a server has.
type peer struct {
	*guest
	*http2.Framer
}

// speaking is a server of HTTP/2 that has read the client's preface and sent its settings.
func speaking(serve func(p peer), settings ...http2.Setting) []step {
	return []step{func(g *guest) bool {
		preface := make([]byte, len(http2.ClientPreface))
		if _, err := io.ReadFull(g.Conn, preface); err != nil {
			return false
		}
		p := peer{g, http2.NewFramer(g.Conn, g.Conn)}
		p.AllowIllegalWrites = true
		if p.WriteSettings(settings...) == nil {
			serve(p)
		}
		return false
	}}
}

// setting answers nothing, and has one setting that is a trap.
func setting(id http2.SettingID, value uint32) []step {
	return speaking(func(p peer) {
		p.requests(func(uint32) error { return nil })
	}, http2.Setting{ID: id, Val: value})
}

// requests calls answer for every request, until the connection or answer ends. Settings and
// pings are answered as they must be.
func (p peer) requests(answer func(stream uint32) error) {
	for {
		f, err := p.ReadFrame()
		if err != nil {
			return
		}
		switch f := f.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				err = p.WriteSettingsAck()
			}
		case *http2.PingFrame:
			if !f.IsAck() {
				err = p.WritePing(true, f.Data)
			}
		case *http2.HeadersFrame:
			err = answer(f.StreamID)
		}
		if err != nil {
			return
		}
	}
}

// answeringStreams gives every request what answer writes.
func answeringStreams(answer func(p peer, stream uint32) error) []step {
	return speaking(func(p peer) {
		p.requests(func(stream uint32) error { return answer(p, stream) })
	})
}

// flooding writes frames without end behind the first request, and reads what comes.
func flooding(write func(p peer, stream uint32) error) []step {
	return answeringStreams(func(p peer, stream uint32) error {
		for {
			if err := write(p, stream); err != nil {
				return err
			}
		}
	})
}

// fields encodes headers: name, value, name, value.
func fields(pairs ...string) []byte {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	for i := 0; i+1 < len(pairs); i += 2 {
		_ = e.WriteField(hpack.HeaderField{Name: pairs[i], Value: pairs[i+1]}) // into memory
	}
	return b.Bytes()
}

// headers writes headers of an answer.
func (p peer) headers(stream uint32, end bool, block []byte) error {
	return p.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block, EndHeaders: true,
		EndStream: end})
}

// http2Servers break HTTP/2 (RFC 9113).
var http2Servers = []server{
	{Name: "settings without end", Schemes: http2Scheme, Serve: flooding(func(p peer, _ uint32) error {
		return p.WriteSettings(http2.Setting{ID: http2.SettingHeaderTableSize, Val: p.random.Uint32N(8192)})
	})},
	{Name: "pings without end", Schemes: http2Scheme,
		Serve: flooding(func(p peer, _ uint32) error { return p.WritePing(false, [8]byte{1}) })},
	{Name: "window updates without end", Schemes: http2Scheme,
		Serve: flooding(func(p peer, _ uint32) error { return p.WriteWindowUpdate(0, 1<<30) })},
	{Name: "empty data without end", Schemes: http2Scheme,
		Serve: flooding(func(p peer, stream uint32) error { return p.WriteData(stream, false, nil) })},
	{Name: "data beyond the window", Schemes: http2Scheme, Serve: answeringStreams(func(p peer, stream uint32) error {
		err := p.headers(stream, false, fields(":status", "200"))
		for data := make([]byte, 16<<10); err == nil; {
			err = p.WriteData(stream, false, data)
		}
		return err
	})},
	{Name: "continuations without end", Schemes: http2Scheme,
		Serve: answeringStreams(func(p peer, stream uint32) error {
			err := p.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: fields(":status", "200")})
			for more := fields("x-more", bigText[:8000]); err == nil; {
				err = p.WriteContinuation(stream, false, more)
			}
			return err
		})},
	{Name: "headers that unpack to much", Schemes: http2Scheme,
		Serve: answeringStreams(func(p peer, stream uint32) error {
			// One entry of 4,000 bytes into the table, and then thousands of references of a byte.
			block := fields(":status", "200", "x", bigText[:4000])
			return p.headers(stream, true, append(block, bytes.Repeat([]byte{0x80 | 62}, 16_000)...))
		})},
	{Name: "GOAWAY at once", Schemes: http2Scheme, Serve: speaking(func(p peer) {
		if p.WriteGoAway(0, http2.ErrCodeEnhanceYourCalm, []byte("away")) == nil {
			hold(p.guest)
		}
	})},
	{Name: "GOAWAY for every request", Schemes: http2Scheme, Serve: answeringStreams(func(p peer, _ uint32) error {
		return p.WriteGoAway(0, http2.ErrCodeNo, nil)
	})},
	{Name: "every stream reset", Schemes: http2Scheme, Serve: answeringStreams(func(p peer, stream uint32) error {
		return p.WriteRSTStream(stream, http2.ErrCodeRefusedStream)
	})},
	{Name: "no streams allowed", Schemes: http2Scheme, Serve: setting(http2.SettingMaxConcurrentStreams, 0)},
	{Name: "a window that never opens", Schemes: http2Scheme, Serve: setting(http2.SettingInitialWindowSize, 0)},
	{Name: "a window beyond 31 bits", Schemes: http2Scheme, Serve: setting(http2.SettingInitialWindowSize, 0xffffffff)},
	{Name: "frames of size 0 allowed", Schemes: http2Scheme, Serve: setting(http2.SettingMaxFrameSize, 0)},
	{Name: "an answer on a stream that was not opened", Schemes: http2Scheme,
		Serve: answeringStreams(func(p peer, stream uint32) error {
			return p.headers(stream+100, true, fields(":status", "200"))
		})},
	{Name: "an answer without a status", Schemes: http2Scheme,
		Serve: answeringStreams(func(p peer, stream uint32) error {
			return p.headers(stream, true, fields("x-what", "none"))
		})},
	{Name: "two answers on a stream", Schemes: http2Scheme, Serve: answeringStreams(func(p peer, stream uint32) error {
		p.right.Add(1)
		if err := p.headers(stream, true, fields(":status", "200")); err != nil {
			return err
		}
		return p.headers(stream, true, fields(":status", "200"))
	})},
	{Name: "pushes that were not allowed", Schemes: http2Scheme,
		Serve: answeringStreams(func(p peer, stream uint32) error {
			return p.WritePushPromise(http2.PushPromiseParam{StreamID: stream, PromiseID: 2,
				BlockFragment: fields(":method", "GET"), EndHeaders: true})
		})},
	{Name: "headers of garbage", Schemes: http2Scheme, Serve: answeringStreams(func(p peer, stream uint32) error {
		return p.headers(stream, true, p.noise(1+p.random.IntN(500)))
	})},
	{Name: "frames of unknown types", Schemes: http2Scheme, Serve: flooding(func(p peer, stream uint32) error {
		return p.WriteRawFrame(http2.FrameType(p.random.IntN(256)), http2.Flags(p.random.IntN(256)),
			p.random.Uint32N(2*stream+2), p.noise(p.random.IntN(100)))
	})},
	{Name: "a frame of 16 MB", Schemes: http2Scheme, Serve: answeringStreams(func(p peer, stream uint32) error {
		if _, err := p.Write([]byte{0xff, 0xff, 0xff, byte(http2.FrameData), 0, 0, 0, 0, byte(stream)}); err != nil {
			return err
		}
		forever(says(bigText))(p.guest)
		return io.ErrClosedPipe
	})},
}
