package load

import "slices"

// What a server says that it has not looked at is sent again, on whatever connection has room: it is neither answered
// nor failed, and stays outstanding from when it was first sent.

// mostAgain is how often a request is sent again before it fails, while its connection brings no right answer: some
// server may refuse it for ever.
const mostAgain = 10

// again is a request to be sent again.
type again struct {
	seq       uint64 // on the connection that carries it next
	sent, due int64
	at        int64 // when it was given back last
	tries     int
}

// leave notes that the server will not look at the requests of l from a number on.
func (l *link) leave(from uint64) {
	if !l.leaving || from < l.unread {
		l.leaving, l.unread = true, from
	}
}

// giveBack takes request seq from l to send it again; false if it is not outstanding or was sent too often.
func (s *shard) giveBack(l *link, seq uint64) bool {
	one := again{sent: l.sent.sentAt(seq)}
	if one.sent == 0 {
		return false
	}
	one.at = one.sent
	if i := slices.IndexFunc(l.carried, func(a again) bool { return a.seq == seq }); i >= 0 {
		one.tries, one.at = l.carried[i].tries, l.carried[i].at
	}
	if l.last.at < one.at {
		one.tries++
	}
	if one.tries > mostAgain {
		return false
	}
	one.due, one.at = l.sent.dueOf(seq), l.quiet // when bytes were read last
	l.sent.take(seq)
	s.again = append(s.again, one)
	return true
}

// giveBackUnread gives back what the server of a lost connection has not looked at, and what was not even sent of it.
func (s *shard) giveBackUnread(l *link) {
	if l.leaving {
		for seq := max(l.unread, l.sent.tail); seq < l.sent.head; seq++ {
			s.giveBack(l, seq)
		}
	}
	s.again = append(s.again, l.again...)
	s.rebuilt -= len(l.again)
	l.again, l.carried, l.leaving = l.again[:0], l.carried[:0], false
}

// rebuild notes that the next request of l is the one that has waited longest to be sent again, and returns when it was
// due.
func (s *shard) rebuild(l *link) (due int64) {
	one := s.again[0]
	one.seq = l.next
	l.again = append(l.again, one)
	s.again = slices.Delete(s.again, 0, 1)
	s.rebuilt++
	return one.due
}

// resent gives those requests that were sent again their old times. They were counted when they were first sent.
func (s *shard) resent(l *link) {
	l.carried = slices.DeleteFunc(l.carried, func(a again) bool { return a.seq < l.sent.tail })
	for len(l.again) > 0 && l.again[0].seq < l.sent.head {
		one := l.again[0]
		l.again = slices.Delete(l.again, 0, 1)
		l.sent.times[one.seq&l.sent.mask] = one.sent
		if l.sent.dues != nil {
			l.sent.dues[one.seq&l.sent.mask] = one.due
		}
		l.carried = append(l.carried, one)
		s.rebuilt--
		s.Sent--
		s.outstanding--
	}
}
