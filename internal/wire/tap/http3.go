package tap

import (
	"net/http"
	"strings"

	"github.com/quic-go/qpack"
	"github.com/quic-go/quic-go/quicvarint"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/http3"
	"github.com/gohone/hone/internal/wire/httpmsg"
	"github.com/gohone/hone/internal/wire/quicconn"
)

// readHTTP3 reads a window of HTTP/3 answer by answer.
func (w *window) readHTTP3(own ownWords) (all []Sampled) {
	streams, lost := map[uint64][]byte{}, map[uint64]bool{}
	for _, a := range w.answers {
		raw := w.raw[a.from:a.to]
		for {
			p, n := quicconn.Read(raw)
			if n == 0 {
				break
			}
			raw = raw[n:]
			if p.Kind == quicconn.Part || p.Kind == quicconn.Last {
				streams[p.Stream] = append(streams[p.Stream], p.Data...)
			}
		}
		missing := a.size > a.to-a.from
		if missing { // it may have been of any answer that is on its way
			for stream := range streams {
				lost[stream] = lost[stream] || stream != a.Seq
			}
		}
		request := w.request(a.Seq)
		if request == nil || lost[a.Seq] || !a.isAnswer() {
			continue
		}
		key, what := http3Asked(request, a.Seq)
		one := Sampled{Request: hashOf(own.neutral(key)), What: what}
		header, trailer, body := one.readHTTP3(streams[a.Seq])
		length := int64(len(body))
		if missing {
			length = a.body
		}
		if one.content(a, body, length, header, own) {
			one.fields(header, "", own)
			one.fields(trailer, trailerMark, own)
			all = append(all, one)
		}
		delete(streams, a.Seq)
	}
	return all
}

// readHTTP3 reads what came on the stream of an answer, of which raw is the front.
func (s *Sampled) readHTTP3(raw []byte) (header, trailer http.Header, body []byte) {
	header, trailer = http.Header{}, http.Header{}
	eachHTTP3Frame(raw, func(kind uint64, payload []byte) {
		switch kind {
		case http3.Data:
			body = append(body, payload...)
		case http3.Headers:
			to := header
			if s.Code >= 200 {
				to = trailer
			}
			eachQPACKField(payload, func(name, value string) {
				switch code, ok := wire.Decimal([]byte(value)); {
				case name == ":status" && ok:
					s.Code = int(code)
				case !strings.HasPrefix(name, ":"):
					to.Add(name, value)
				}
			})
		}
	})
	return header, trailer, body
}

// http3Asked is what a request asks: its fields and its body. With it may stand pieces of the connection.
func http3Asked(request []byte, seq uint64) (key []byte, what string) {
	var method, path string
	for {
		p, n := quicconn.Read(request)
		if n == 0 {
			return key, method + " " + httpmsg.WithoutQuery(path)
		}
		request = request[n:]
		if p.Kind != quicconn.Request || p.Stream != seq {
			continue
		}
		eachHTTP3Frame(p.Data, func(kind uint64, payload []byte) {
			if kind == http3.Data {
				key = append(key, payload...)
				return
			}
			eachQPACKField(payload, func(name, value string) {
				switch name {
				case ":method":
					method = value
				case ":path":
					path = value
				}
				key = append(key, name+": "+value+"\n"...)
			})
		})
	}
}

// eachHTTP3Frame calls f for each frame in raw; the last one may be cut off.
func eachHTTP3Frame(raw []byte, f func(kind uint64, payload []byte)) {
	for len(raw) > 0 {
		kind, n, err := quicvarint.Parse(raw)
		if err != nil {
			return
		}
		length, m, err := quicvarint.Parse(raw[n:])
		if err != nil {
			return
		}
		raw = raw[n+m:]
		payload := raw[:min(length, uint64(len(raw)))]
		raw = raw[len(payload):]
		f(kind, payload)
	}
}

// eachQPACKField calls f for each field of a header block, up to a fault in it.
func eachQPACKField(block []byte, f func(name, value string)) {
	next := qpack.NewDecoder().Decode(block)
	for field, err := next(); err == nil; field, err = next() {
		f(field.Name, field.Value)
	}
}
