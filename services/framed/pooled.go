package framed

import (
	"bufio"
	"net"
	"sync"
)

// servePooled takes the Submit of each request from a sync.Pool, which all
// connections share, and puts it back once it is answered.
//
// An allocs profile no longer names the decoding of the packet; payload, bytes.Join
// and binary.Write are left. A CPU profile shows a little less mallocgc and garbage
// collection.
func servePooled(s *Server, ln net.Listener) error {
	pool := &sync.Pool{New: func() any { return new(Submit) }}
	return s.eachPeer(ln, func(p *peer) error { return answerPooled(p, pool) })
}

func answerPooled(p *peer, pool *sync.Pool) error {
	r, w := bufio.NewReader(p), bufio.NewWriter(p)
	defer w.Flush() // the answers before a bad frame
	for {
		payload, err := readFrame(r)
		if err != nil {
			return err
		}
		ack, err := decodePooled(payload, pool)
		if err != nil {
			return err
		}
		p.received(1)
		if err := writeFrame(w, encodePacket(ack)); err != nil {
			return err
		}
		if wholeFrameWaits(r) {
			continue
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
}

// decodePooled decodes payload into a pooled Submit and returns its answer. The
// Submit goes back empty: one that kept its payload would hold 64 kB in the pool,
// and one that kept its id could answer for a stranger.
func decodePooled(payload []byte, pool *sync.Pool) (Ack, error) {
	submit := pool.Get().(*Submit)
	defer pool.Put(submit)
	if err := submit.Decode(payload); err != nil {
		return Ack{}, err
	}
	ack := submit.answer()
	*submit = Submit{}
	return ack, nil
}
