package tap

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/http2/hpack"

	"github.com/gohone/hone/internal/wire/http2"
	"github.com/gohone/hone/internal/wire/httpmsg"
)

// readHTTP reads answers of HTTP/1.1.
func (w *window) readHTTP(own ownWords) (all []Sampled) {
	for _, a := range w.answers {
		request := w.request(a.Seq)
		if request == nil || !a.isAnswer() {
			continue
		}
		s := Sampled{Request: hashOf(own.neutral(request)), What: requestLine(request)}
		head := strings.HasPrefix(s.What, http.MethodHead+" ")
		if s.readHTTP(w.raw[a.from:a.to], a, head, own) {
			all = append(all, s)
		}
	}
	return all
}

// readHTTP reads the answer a, of which raw is the front. Interim answers
// (RFC 9110 section 15.2) before it are skipped.
func (s *Sampled) readHTTP(raw []byte, a copiedAnswer, head bool, own ownWords) bool {
	asked := &http.Request{Method: http.MethodGet}
	if head {
		asked.Method = http.MethodHead
	}
	lines := bufio.NewReader(bytes.NewReader(raw))
	var answer *http.Response
	for {
		var err error
		if answer, err = http.ReadResponse(lines, asked); err != nil {
			return false
		}
		if answer.StatusCode >= 200 || answer.StatusCode == http.StatusSwitchingProtocols {
			break
		}
	}
	body, _ := io.ReadAll(answer.Body) // cut off where raw is
	length := int64(len(body))
	if a.size > len(raw) {
		if length = answer.ContentLength; length < 0 {
			length = a.body
		}
	}
	s.Code = answer.StatusCode
	s.fields(answer.Header, "", own)
	s.fields(answer.Trailer, trailerMark, own)
	return s.content(a, body, length, answer.Header, own)
}

// requestLine is method and path of a request of HTTP/1.1.
func requestLine(request []byte) string {
	line, _, _ := bytes.Cut(request, []byte("\r\n"))
	method, rest, _ := strings.Cut(string(line), " ")
	path, _, _ := strings.Cut(rest, " ")
	return method + " " + httpmsg.WithoutQuery(path)
}

// http2Sampled is an answer of HTTP/2 that is being read.
type http2Sampled struct {
	code        int
	header      http.Header
	trailer     http.Header // behind the body
	body        []byte
	ended, lost bool
}

// http2Sampler reads a window of HTTP/2 answer by answer. hone tells servers to use no dynamic
// table, so that header blocks mean the same wherever the reading begins.
type http2Sampler struct {
	streams map[uint32]*http2Sampled
	blockOf uint32
	block   []byte
}

func (w *window) readHTTP2(own ownWords) (all []Sampled) {
	r := http2Sampler{streams: map[uint32]*http2Sampled{}}
	for _, a := range w.answers {
		r.read(w.raw[a.from:a.to])
		missing := int64(a.size - (a.to - a.from))
		s := r.stream(http2.ID(a.Seq))
		if missing > 0 {
			r.lose(s)
		}
		request := w.request(a.Seq)
		if request == nil || s.lost || !s.ended && missing == 0 || !a.isAnswer() {
			continue
		}
		key, what := http2Asked(request, http2.ID(a.Seq))
		one := Sampled{Request: hashOf(own.neutral(key)), What: what, Code: s.code}
		length := int64(len(s.body))
		if missing > 0 {
			length = a.body
		}
		if one.content(a, s.body, length, s.header, own) {
			one.fields(s.header, "", own)
			one.fields(s.trailer, trailerMark, own)
			all = append(all, one)
		}
	}
	return all
}

func (r *http2Sampler) stream(id uint32) *http2Sampled {
	if r.streams[id] == nil {
		r.streams[id] = &http2Sampled{header: http.Header{}, trailer: http.Header{}}
	}
	return r.streams[id]
}

// lose gives up all answers that are on their way but one: bytes are missing, which may have been
// of any of them.
func (r *http2Sampler) lose(but *http2Sampled) {
	for _, s := range r.streams {
		s.lost = s.lost || s != but && !s.ended
	}
}

// read reads frames; the last one may be cut off.
func (r *http2Sampler) read(raw []byte) {
	for len(raw) >= http2.FrameHeader {
		f := http2.ReadFrame(raw)
		raw = raw[http2.FrameHeader:]
		payload := raw[:min(f.Length, len(raw))]
		raw = raw[len(payload):]
		r.frame(f, payload)
	}
}

func (r *http2Sampler) frame(f http2.Frame, payload []byte) {
	s := r.stream(f.Stream)
	switch f.Kind {
	case http2.Headers:
		r.blockOf, r.block = f.Stream, slices.Clone(http2Unpad(f, payload))
	case http2.Continuation:
		r.block = append(r.block, payload...)
	case http2.Data:
		s.body = append(s.body, http2Unpad(f, payload)...)
	default:
		return
	}
	if f.Kind != http2.Continuation {
		s.ended = s.ended || f.Has(http2.EndStream)
	}
	if f.Kind != http2.Data && f.Has(http2.EndHeaders) && r.blockOf == f.Stream {
		s.fields(r.block)
	}
}

// http2Unpad is the payload of a frame without padding and priority (RFC 9113 sections 6.1, 6.2).
func http2Unpad(f http2.Frame, payload []byte) []byte {
	if f.Has(http2.Padded) && len(payload) > 0 {
		pad := int(payload[0])
		payload = payload[1:]
		payload = payload[:max(0, len(payload)-pad)]
	}
	if f.Kind == http2.Headers && f.Has(http2.HasPriority) {
		payload = payload[min(5, len(payload)):]
	}
	return payload
}

// fields notes a header block: that of the answer, or its trailers.
func (s *http2Sampled) fields(block []byte) {
	to := s.header
	if s.code >= 200 {
		to = s.trailer
	}
	decoder := hpack.NewDecoder(0, func(f hpack.HeaderField) {
		switch {
		case f.Name == ":status" && len(f.Value) == 3:
			s.code = int(f.Value[0]-'0')*100 + int(f.Value[1]-'0')*10 + int(f.Value[2]-'0')
		case !strings.HasPrefix(f.Name, ":"):
			to.Add(f.Name, f.Value)
		}
	})
	_, _ = decoder.Write(block) // what was read before a fault is what the server said
}

// http2Asked is what a request asks: its fields and its body, as far as it was sent at once. With
// them may stand frames of the connection and of other streams.
func http2Asked(request []byte, stream uint32) (key []byte, what string) {
	request = bytes.TrimPrefix(request, []byte(http2.Preface))
	var method, path string
	decoder := hpack.NewDecoder(0, func(f hpack.HeaderField) {
		switch f.Name {
		case ":method":
			method = f.Value
		case ":path":
			path = f.Value
		}
		key = append(key, f.Name+": "+f.Value+"\n"...)
	})
	for len(request) >= http2.FrameHeader {
		f := http2.ReadFrame(request)
		request = request[http2.FrameHeader:]
		payload := request[:min(f.Length, len(request))]
		request = request[len(payload):]
		if f.Stream == stream && (f.Kind == http2.Headers || f.Kind == http2.Continuation) {
			_, _ = decoder.Write(payload)
		}
		if f.Stream == stream && f.Kind == http2.Data {
			key = append(key, payload...)
		}
	}
	return key, method + " " + httpmsg.WithoutQuery(path)
}
