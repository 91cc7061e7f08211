package framed

import "net"

// serveRaw is the first rung: each field of a frame is read from the socket and
// written to it by itself, so that one request costs two reads that bring data and
// two writes.
//
// A CPU profile is dominated by Syscall under (*conn).Read and (*conn).Write. An
// allocs profile names readFrame (the payload), decodePacket (the Submit),
// encodePacket (bytes.Join) and binary.Write.
func serveRaw(s *Server, ln net.Listener) error {
	return s.eachPeer(ln, answerRaw)
}

func answerRaw(p *peer) error {
	for {
		payload, err := readFrame(p)
		if err != nil {
			return err
		}
		submit, err := decodePacket(payload)
		if err != nil {
			return err
		}
		p.received(1)
		if err := writeFrame(p, encodePacket(submit.answer())); err != nil {
			return err
		}
	}
}
