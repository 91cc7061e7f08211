package http2

import (
	"bytes"

	"golang.org/x/net/http2/hpack"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/httpmsg"
)

// blockReader reads header blocks of a server that was told to use no dynamic table, so
// that each means the same whatever came before (RFC 7541 section 4.2).
type blockReader struct {
	name, value hpackText // of the field that is being read
	// seen is the last block, meaning what it means: mostly the next one is the same.
	seen    []byte
	meaning httpmsg.Meaning
}

// hpackText takes a decoded string.
type hpackText struct{ text []byte }

// Write implements io.Writer.
func (t *hpackText) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	return len(p), nil
}

// The static table's entries in use: RFC 7541 appendix A.
const (
	hpackStatic        = 61 // the last one
	hpackFirstStatus   = 8
	hpackLastStatus    = 14
	hpackContentLength = 28
	hpackContentType   = 31
)

// hpackStatus are the values of the static entries for :status.
var hpackStatus = [...]uint16{200, 204, 206, 304, 400, 404, 500}

// recall reads a block, or remembers what the same one meant; false if it cannot be
// decoded.
func (b *blockReader) recall(block []byte) (httpmsg.Meaning, bool) {
	if len(b.seen) > 0 && bytes.Equal(b.seen, block) {
		return b.meaning, true
	}
	m, ok := b.read(block)
	if ok {
		b.seen, b.meaning = append(b.seen[:0], block...), m
	}
	return m, ok
}

// read reads any block: RFC 7541 section 6.
func (b *blockReader) read(block []byte) (m httpmsg.Meaning, ok bool) {
	m.Length = -1
	regular := false // a field that is not a pseudo-header has come
	for len(block) > 0 {
		kind, size := block[0], 0
		var index uint64
		switch {
		case kind&0x80 != 0:
			if index, size = hpackInt(block, 7); size == 0 || index == 0 || index > hpackStatic {
				return m, false
			}
			b.name.text, b.value.text = b.name.text[:0], b.value.text[:0]
		case kind&0xe0 == 0x20: // a size update, to 0
			if index, size = hpackInt(block, 5); size == 0 || index != 0 {
				return m, false
			}
			block = block[size:]
			continue
		default:
			if index, size, ok = b.literal(block); !ok {
				return m, false
			}
		}
		regular = b.field(&m, index, kind&0x80 != 0, regular)
		block = block[size:]
	}
	return m, true
}

// literal reads a field whose value is spelt out; its name is, or has an index.
func (b *blockReader) literal(block []byte) (index uint64, size int, ok bool) {
	bits := 4
	if block[0]&0x40 != 0 {
		bits = 6
	}
	if index, size = hpackInt(block, bits); size == 0 || index > hpackStatic {
		return 0, 0, false
	}
	b.name.text = b.name.text[:0]
	if index == 0 {
		n := b.name.read(block[size:])
		if n == 0 {
			return 0, 0, false
		}
		size += n
	}
	n := b.value.read(block[size:])
	return index, size + n, n > 0
}

// field notes one field, and says whether a regular one has come by now. indexed: the
// value is the static table's too.
func (b *blockReader) field(m *httpmsg.Meaning, index uint64, indexed, regular bool) bool {
	name := b.name.text
	status := hpackFirstStatus <= index && index <= hpackLastStatus
	switch {
	case status && indexed:
		m.Bad = m.Bad || regular || m.Status != 0
		m.Status = hpackStatus[index-hpackFirstStatus]
		return regular
	case status || index == 0 && string(name) == ":status":
		code, ok := wire.Decimal(b.value.text)
		m.Bad = m.Bad || regular || m.Status != 0 || !ok || len(b.value.text) != 3 || code < 100
		m.Status = uint16(code)
		return regular
	case index == hpackContentLength || index == 0 && string(name) == "content-length":
		length, ok := wire.Decimal(b.value.text)
		m.Bad = m.Bad || !ok || m.Length >= 0 && m.Length != length
		m.Length = length
	case index == hpackContentType || index == 0 && string(name) == "content-type":
		m.GRPC.Asked = httpmsg.IsGRPC(string(b.value.text))
		m.Events = answer.IsEventStream(b.value.text)
	case index == 0 && string(name) == "grpc-status":
		m.Bad = m.Bad || !m.GRPC.Read(b.value.text)
	case 0 < index && index < hpackFirstStatus:
		m.Bad = true // a pseudo-header of requests
	case index == 0:
		m.Bad = m.Bad || !httpmsg.IsName(name)
	}
	return true
}

// read decodes a string (RFC 7541 section 5.2) and returns its size on the wire; 0 if it
// is not whole or not right.
func (t *hpackText) read(in []byte) int {
	t.text = t.text[:0]
	length, size := hpackInt(in, 7)
	if size == 0 || length > uint64(len(in)-size) {
		return 0
	}
	end := size + int(length)
	if in[0]&0x80 == 0 {
		t.text = append(t.text, in[size:end]...)
		return end
	}
	if _, err := hpack.HuffmanDecode(t, in[size:end]); err != nil {
		return 0
	}
	return end
}

// hpackInt reads a number with a prefix of that many bits (RFC 7541 section 5.1); size 0
// if it is not whole, or has more than 63 bits.
func hpackInt(in []byte, bits int) (n uint64, size int) {
	if len(in) == 0 {
		return 0, 0
	}
	most := uint64(1)<<bits - 1
	if n = uint64(in[0]) & most; n < most {
		return n, 1
	}
	for i, c := range in[1:min(len(in), 10)] {
		n += uint64(c&0x7f) << (7 * i)
		if c&0x80 == 0 {
			return n, i + 2
		}
	}
	return 0, 0
}
