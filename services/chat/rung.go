package chat

// rung is what the first four stages differ in, for one connection.
type rung interface {
	// next reads one packet, which is the caller's until the next call.
	next() (*Packet, error)
	// inflate returns the text of a message, which is the caller's until the next call.
	inflate(stream []byte) ([]byte, error)
	// note writes the line of a message to the journal.
	note(m *message)
	// tell compresses m and writes it to one recipient as a broadcast.
	tell(to *peer, m *message)
	// ack answers the request id.
	ack(id uint32, r Result) error
}

// converse is the life of a connection of the first four stages: packet by packet, and
// member by member, in blocking calls.
func converse(s *session, r rung) error {
	for {
		p, err := r.next()
		if err != nil {
			return err
		}
		result, err := s.handle(p)
		if err != nil {
			return err
		}
		if p.Command == CommandMessage && result == Accepted {
			result = deliver(s, r, p)
		}
		refused := 0
		if result != Accepted {
			refused = 1
		}
		s.peer.answered(1, refused)
		if err := r.ack(p.ID, result); err != nil {
			return err
		}
	}
}

// deliver brings one message to the other members of the sender's room. A recipient
// that cannot be written to is not a fault of the sender's: its own goroutine ends it.
func deliver(s *session, r rung, p *Packet) Result {
	text, err := r.inflate(p.Body)
	if err != nil {
		return resultOf(err)
	}
	members := s.room.members()
	m := s.message(p.ID, text, len(members)-1)
	for _, to := range members {
		if to != s.peer {
			r.tell(to, &m)
		}
	}
	if !s.server.cfg.NoLines {
		r.note(&m)
	}
	s.peer.delivered(1, m.sends)
	return Accepted
}
