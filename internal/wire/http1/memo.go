package http1

import "github.com/gohone/hone/load"

// memo is the last head that was read whole, and where it led. A server mostly
// sends the same head again, byte for byte: net/http and nginx change the date in it
// once a second. A head that begins a message is all that decides how the message goes
// on (message holds all of the reader's state, and is zero before), so one equal to
// the last leads to where that one led.
type memo struct {
	head  []byte
	after message
	// total is the length of the whole answer, where the head alone decides that and
	// what the answer is worth: a body of known length that is not checked. Else total
	// is 0. It stays in coming until the answer, which then is kept here, has ended.
	total, coming int
	answer        load.Answer // without Seq
}

const (
	// maxMemo bounds the heads that are remembered: longer ones are rare, and with many
	// connections would only fill the cache.
	maxMemo = 1 << 10
	// maxMemoTotal bounds the answers that are recognised whole: longer ones seldom
	// come in one read.
	maxMemoTotal = 64 << 10
)

// repeats says that in, at the beginning of a message, begins with the whole of an
// answer that goes like the last one.
func (m *memo) repeats(in []byte) bool {
	return m.total > 0 && len(in) >= m.total && string(in[:len(m.head)]) == string(m.head)
}

// recall skips a head that is known, at the beginning of a message. It returns the
// head's length, or 0.
func (r *reader) recall(in []byte) int {
	m := &r.memo
	if len(m.head) == 0 || len(in) < len(m.head) || string(in[:len(m.head)]) != string(m.head) {
		return 0
	}
	r.message = m.after
	return len(m.head)
}

// remember keeps a head that has just been read.
func (r *reader) remember(head []byte) {
	m := &r.memo
	m.total, m.coming = 0, 0
	if len(head) > maxMemo {
		m.head = m.head[:0]
		return
	}
	m.head = append(m.head[:0], head...)
	m.after = r.message
	if whole := r.state == nothing || r.state == counted && r.left <= maxMemoTotal; whole && r.body == nil &&
		!r.events {
		m.coming = len(head) + int(r.left)
	}
}

// settle keeps what the answer came to whose head was read last.
func (m *memo) settle(a load.Answer) {
	if m.coming > 0 {
		m.total, m.coming = m.coming, 0
		m.answer = a
	}
}
