package ws

import "encoding/binary"

// order finds messages that a server sends by itself where only the order tells which message answers which
// request: each is taken for an answer, and every answer after it for that to a later request.
//
// Now and then a ping follows k requests. A server reads the ping before the requests after it, so that its pong comes
// before their answers (RFC 6455 section 5.5.3): with more than k answers before the pong, some were none.
type order struct {
	next   uint64 // the number of requests that are followed by a ping
	asked  uint64 // of the ping that has no pong yet; 0: there is none
	extra  uint64 // messages that were found out
	number [8]byte
}

// orderEvery is how many requests there are between pings, but for the first ones: so few that they cost nothing.
const orderEvery = 1024

// due says that a ping is due after so many requests.
func (o *order) due(sent uint64) bool { return o.asked == 0 && sent > o.next }

// ask is the content of a ping after so many requests.
func (o *order) ask(sent uint64) []byte {
	o.asked, o.next = sent, sent+min(sent, orderEvery)
	binary.BigEndian.PutUint64(o.number[:], sent)
	return o.number[:]
}

// pong is how many more messages than answers have come, beyond those that are known, when a pong comes after the given
// number of answers.
func (o *order) pong(content []byte, answers uint64) (more uint64) {
	if o.asked == 0 || len(content) != len(o.number) || binary.BigEndian.Uint64(content) != o.asked {
		return 0 // no ping asked for it
	}
	if extra := answers - min(answers, o.asked); extra > o.extra {
		more, o.extra = extra-o.extra, extra
	}
	o.asked = 0
	return more
}
