package framed

import (
	"bufio"
	"net"
)

// serveBufferedNoflush puts a bufio.Reader and a bufio.Writer around the connection
// and changes nothing else, which is how the change was published.
//
// It has a bug, kept on purpose: answers leave only when the writer's 4096 bytes are
// full, that is with the 293rd answer, or when the connection ends. A client that
// waits for an answer with fewer requests outstanding waits for ever.
//
// A CPU profile under load that never waits shows Syscall down to a fraction of
// raw's, and the allocations as they were; no profile shows the bug.
func serveBufferedNoflush(s *Server, ln net.Listener) error {
	return s.eachPeer(ln, answerBufferedNoflush)
}

func answerBufferedNoflush(p *peer) error {
	r, w := bufio.NewReader(p), bufio.NewWriter(p)
	defer w.Flush() // the connection ends: its last answers go out
	for {
		payload, err := readFrame(r)
		if err != nil {
			return err
		}
		submit, err := decodePacket(payload)
		if err != nil {
			return err
		}
		p.received(1)
		if err := writeFrame(w, encodePacket(submit.answer())); err != nil {
			return err
		}
		// Here a flush is missing.
	}
}
