package chat

// session is what a connection is to the others: who, under which nickname, in which
// room. Only the connection's own goroutine touches it.
type session struct {
	server *Server
	peer   *peer
	name   string // "" before the login
	nick   string // "" if there is none
	room   *room  // nil before the first join
}

// shown is what the others see of the sender.
func (s *session) shown() string {
	if s.nick != "" {
		return s.nick
	}
	return s.name
}

// message is what becomes of text, which the user sends to so many others in the room.
func (s *session) message(id uint32, text []byte, sends int) message {
	return message{
		id: id, conn: s.peer.id, user: s.name, from: s.shown(), room: s.room.name, text: text, sends: sends,
	}
}

// deflate compresses text with a writer of its own, or stores it.
func (s *session) deflate(text []byte) []byte {
	if s.server.cfg.Stored {
		return appendStored(nil, text)
	}
	return deflateNew(text)
}

// handle judges a request and, but for a message, carries it out. A message that comes
// back accepted is for the stage to deliver. The error is a *FrameError.
func (s *session) handle(p *Packet) (Result, error) {
	switch p.Command {
	case CommandLogin:
		return s.login(p.Body), nil
	case CommandJoin:
		return s.join(p.Body), nil
	case CommandMessage:
		switch {
		case s.name == "":
			return NotLoggedIn, nil
		case s.room == nil:
			return NotInRoom, nil
		}
		return Accepted, nil
	case CommandPing:
		if s.name == "" {
			return NotLoggedIn, nil
		}
		return Accepted, nil
	}
	return 0, badCommand(p.Command)
}

func (s *session) login(body []byte) Result {
	if s.name != "" {
		return LoggedIn
	}
	name, nick, ok := cutName(body)
	if !ok || !validName(name) || len(nick) > 0 && !validName(nick) {
		return BadName
	}
	own := string(name)
	if !s.server.hub.login(own) {
		return NameTaken
	}
	s.name, s.peer.user = own, own
	if len(nick) > 0 {
		s.nick = string(nick)
	}
	return Accepted
}

// join enters a room and leaves the one before. Joining the same room again changes
// nothing.
func (s *session) join(body []byte) Result {
	switch {
	case s.name == "":
		return NotLoggedIn
	case !validName(body):
		return BadName
	case s.room != nil && s.room.name == string(body):
		return Accepted
	}
	r := s.server.hub.enter(s.peer, string(body))
	if r == nil {
		return RoomFull
	}
	if s.room != nil {
		s.server.hub.leave(s.peer, s.room)
	}
	s.room = r
	return Accepted
}

// leave takes the user out of the hub.
func (s *session) leave() {
	if s.room != nil {
		s.server.hub.leave(s.peer, s.room)
		s.room = nil
	}
	if s.name != "" {
		s.server.hub.logout(s.name)
		s.name = ""
	}
}
