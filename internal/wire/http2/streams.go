package http2

import (
	"time"

	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/httpmsg"
)

// stream is one request that is not answered yet.
type stream struct {
	open bool
	turn httpmsg.Taken
	// headOnly: the method is HEAD, and the answer has no body.
	headOnly bool
	// content is the request's body, which buffer holds where it was filled in for this request. sent is how much of it
	// was sent, credit what the server granted for it beyond its initial window.
	content []byte
	buffer  []byte
	sent    int
	credit  int64
	// goesOn says that more content may follow what there is: the body has no end yet.
	goesOn bool
	// status is the answer's; 0 until its head has come. length is its Content-Length, -1
	// without; received is how much of its body has come.
	status           uint16
	length, received int64
	// owed is how much of it was not given back to the server's window.
	owed int
	body *answer.Body // nil if nothing has to look at the body
	// refused looks at the body if it may be the first with a wrong status; mostly nil.
	refused *answer.Body
	grpc    httpmsg.GRPCStatus
	// messages reads the body of an answer of gRPC.
	messages grpcReader
	// stream is how far it is if it is one; nil before the first on this place of the ring.
	stream *answer.Stream
	// due is when the deadline of a call of gRPC ends; zero without one.
	due time.Time
}

// ring holds the open streams of one connection by request. Their numbers are
// handed out in order and answers come in any, so that the window from oldest to next
// can hold closed streams between open ones; the engine bounds how many.
type ring struct {
	ring   []stream // stream of request seq at seq modulo its length, a power of two
	checks *answer.Checks
	call   *grpcCall // nil without gRPC
	// oldest is the oldest open stream (or next), next the one to be opened next, live the
	// number of open ones.
	oldest, next uint64
	live         int
}

// at is the open stream of request seq, or nil.
func (r *ring) at(seq uint64) *stream {
	if seq-r.oldest >= r.next-r.oldest { // also true for seq < oldest: the difference wraps
		return nil
	}
	if s := &r.ring[seq&uint64(len(r.ring)-1)]; s.open {
		return s
	}
	return nil
}

// open opens the stream of request seq.
func (r *ring) open(seq uint64) *stream {
	if r.live == 0 {
		r.oldest = seq
	}
	r.next = seq + 1
	for r.next-r.oldest > uint64(len(r.ring)) {
		r.grow()
	}
	s := &r.ring[seq&uint64(len(r.ring)-1)]
	if s.stream != nil {
		s.stream.On = false
	}
	*s = stream{open: true, length: -1, body: s.body, buffer: s.buffer, stream: s.stream,
		messages: grpcReader{call: s.messages.call, kept: s.messages.kept[:0]}}
	if r.call != nil && r.call.deadline > 0 {
		s.due = time.Now().Add(r.call.deadline)
	}
	r.live++
	return s
}

// grow doubles the ring.
func (r *ring) grow() {
	ring := make([]stream, max(1, 2*len(r.ring)))
	for seq := r.oldest; len(r.ring) > 0 && seq-r.oldest < uint64(len(r.ring)); seq++ {
		ring[seq&uint64(len(ring)-1)] = r.ring[seq&uint64(len(r.ring)-1)]
	}
	for i := range ring {
		if ring[i].body == nil {
			ring[i].body = r.checks.NewBody()
		}
		if r.call != nil && ring[i].messages.call == nil {
			ring[i].messages.call = r.call
		}
	}
	r.ring = ring
}

// close closes the stream of request seq, which must be open.
func (r *ring) close(seq uint64) {
	r.at(seq).open = false
	r.live--
	for r.oldest != r.next && !r.ring[r.oldest&uint64(len(r.ring)-1)].open {
		r.oldest++
	}
}
