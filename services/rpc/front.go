package rpc

import (
	"bytes"
	"time"
)

// front remembers what stands before the payload of a request. Calls of one method differ
// in their payloads: path and metadata, the timeout included, are the same bytes again and
// again, and need not be decoded again.
type front struct {
	raw     []byte // of a body, up to its last field, which is the payload
	env     envelope
	method  *method
	timeout time.Duration // or noTimeout
	missed  int           // since raw was learned
}

const (
	longestFront = 1 << 10
	// patientFront is how many other fronts come before one of them is learned instead of
	// the last: where methods take turns, learning each costs more than it spares.
	patientFront = 16
)

// match returns the payload of a body that begins as the one before. The body is this
// front and one payload field, up to the end: so it means what the front means, and the
// payload (protobuf's encoding of a message may be concatenated; the last payload counts).
func (f *front) match(body []byte) (payload []byte, ok bool) {
	n := len(f.raw)
	if n == 0 || len(body) <= n || body[n] != fieldPayload<<3|wireBytes || !bytes.Equal(body[:n], f.raw) {
		return nil, false
	}
	payload, rest, read := readBytes(body[n+1:])
	return payload, read != 0 && len(rest) == 0
}

// worthLearning counts a body that did not match.
func (f *front) worthLearning() bool {
	f.missed++
	return len(f.raw) == 0 || f.missed > patientFront
}

// learn remembers the front of body, whose payload is as given.
func (f *front) learn(body, payload []byte, m *method, timeout time.Duration) {
	*f = front{raw: f.raw[:0], env: envelope{entries: f.env.entries[:0]}}
	var field [11]byte
	tail := appendVarint(append(field[:0], fieldPayload<<3|wireBytes), uint64(len(payload)))
	n := len(body) - len(payload) - len(tail)
	if len(payload) == 0 || n <= 0 || n > longestFront || !bytes.Equal(body[n:n+len(tail)], tail) {
		return // the payload is not the last field
	}
	f.raw = append(f.raw, body[:n]...)
	if !f.env.decode(f.raw) {
		f.raw = f.raw[:0]
		return
	}
	f.method, f.timeout = m, timeout
}
