package schemes_test

import (
	"bytes"
	"encoding/binary"
	"strings"

	"golang.org/x/net/http2/hpack"
)

// script is the bytes of an HTTP/2 server, frame by frame.
type script struct{ bytes.Buffer }

// newScript begins with the server's settings: pairs of id and value.
func newScript(settings ...uint32) *script {
	s := &script{}
	s.settings(settings...)
	return s
}

// frame writes any frame.
func (s *script) frame(kind, flags byte, stream uint32, payload ...byte) {
	n := len(payload)
	s.Write([]byte{byte(n >> 16), byte(n >> 8), byte(n), kind, flags})
	s.Write(binary.BigEndian.AppendUint32(nil, stream))
	s.Write(payload)
}

func (s *script) settings(pairs ...uint32) {
	var payload []byte
	for i := 0; i < len(pairs); i += 2 {
		payload = binary.BigEndian.AppendUint16(payload, uint16(pairs[i]))
		payload = binary.BigEndian.AppendUint32(payload, pairs[i+1])
	}
	s.frame(4, 0, 0, payload...)
}

func (s *script) data(stream uint32, end bool, text string) {
	s.frame(0, flag(end, 1), stream, []byte(text)...)
}

// head writes a whole header block.
func (s *script) head(stream uint32, end bool, lines ...string) {
	s.frame(1, 4|flag(end, 1), stream, fields(lines...)...)
}

func (s *script) continuation(stream uint32, end bool, block []byte) {
	s.frame(9, flag(end, 4), stream, block...)
}

func (s *script) ping(b byte) { s.frame(6, 0, 0, b, 2, 3, 4, 5, 6, 7, 8) }

func (s *script) reset(stream, code uint32) { s.frame(3, 0, stream, word(code)...) }

func (s *script) window(stream, more uint32) { s.frame(8, 0, stream, word(more)...) }

func (s *script) goAway(last uint32) {
	s.frame(7, 0, 0, append(word(last), 0, 0, 0, 0, 'w', 'h', 'y')...)
}

func word(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }

func flag(set bool, bit byte) byte {
	if set {
		return bit
	}
	return 0
}

// fields is a header block of "name: value" lines, without a dynamic table.
func fields(lines ...string) []byte {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	e.SetMaxDynamicTableSize(0)
	for _, line := range lines {
		at := strings.Index(line[1:], ": ") + 1
		e.WriteField(hpack.HeaderField{Name: line[:at], Value: line[at+2:]})
	}
	return b.Bytes()
}

// wireFrame is a frame that the client sent.
type wireFrame struct {
	kind, flags byte
	stream      uint32
	payload     []byte
}

// framesOf cuts a client's bytes, without the preface, into frames.
func framesOf(in []byte) (all []wireFrame) {
	for len(in) >= 9 {
		n := int(in[0])<<16 | int(in[1])<<8 | int(in[2])
		all = append(all, wireFrame{in[3], in[4], binary.BigEndian.Uint32(in[5:]), in[9 : 9+n]})
		in = in[9+n:]
	}
	return all
}
