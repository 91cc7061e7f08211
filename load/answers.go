package load

// rightAnswer is when a request was sent, due (0 in a closed loop) and answered right.
type rightAnswer struct {
	sent, due, at int64
	target        uint16
}

// receive settles the answers at the front of in, read at time now, and returns
// the bytes after the last whole one. closed says that the connection has to go.
func (s *shard) receive(l *link, in []byte, eof bool, now int64) (rest []byte, closed bool) {
	quiet, outstanding := l.quiet, l.sent.n
	l.quiet, l.came = now, now
	if len(in) > 0 {
		s.heard = now
	}
	if s.silent.Load() {
		s.silent.Store(false)
		s.checkAt = 0
	}
	dialog := l.dialog
	for len(in) > 0 || eof {
		n, a := dialog.NextAnswer(in, eof)
		if a.Begun || a.Messages > 0 {
			s.stream(l, a, now)
		}
		if n > 0 && a.Cause == OK && !a.Partial && !a.Close && a.Seq == l.sent.tail && l.sent.n > 0 {
			l.coming = 0
			if l.sent.dues == nil { // nearly always; where stamps are asked for it is not, see begin
				s.Answered++
				sent := l.sent.takeOldest()
				l.last = rightAnswer{sent: sent, at: now}
				s.more(now - sent)
			} else {
				r := rightAnswer{due: l.sent.dueOf(a.Seq), at: now, target: l.sent.targetOf(a.Seq)}
				r.sent = l.sent.takeOldest()
				s.right(l, r)
			}
			if a.Code != 0 {
				s.code(a.Code)
			}
			s.outstanding--
			l.hasAnswered = true
			in = in[n:]
			continue
		}
		if n == 0 && !a.Close {
			break
		}
		if a.Partial && a.Cause == ExtraBytes || len(in) > 0 && l.unsolicited(a) {
			s.extra(l)
			return nil, true
		}
		in = in[n:]
		if a.Close && a.Cause == OK && len(in) > 0 {
			a.Cause = ExtraBytes
			l.hasAnswered = true // no reason to wait before the next connect
		}
		if a.Leaving {
			l.leave(a.Unread)
		}
		switch {
		case a.Again && s.giveBack(l, a.Seq):
			l.coming, l.events = 0, false
		case !a.Partial:
			l.coming, l.events = 0, false
			s.settle(l, a, now)
		case l.coming == 0:
			s.noteArrival(l, now)
			fallthrough
		default:
			l.events = l.events || a.Cause == EventStream
		}
		if a.Close {
			return nil, true
		}
	}
	if len(in) > 0 && l.idle() && l.control == nil {
		s.extra(l)
		return nil, true
	}
	switch {
	case len(in) > 0 && l.coming == 0: // an answer may also never be whole by dripping
		s.noteArrival(l, now)
	case s.phase == draining && l.coming == 0 && l.sent.n == outstanding:
		l.quiet = quiet // nothing came but answers to no request, for which a drain does not wait
	}
	return in, false
}

// noteArrival notes that parts of an answer come.
func (s *shard) noteArrival(l *link, now int64) {
	l.coming = now
	s.expireAt = min(s.expireAt, now+int64(min(s.streamTime(), s.answerTime())))
}

// unsolicited says that bytes that the dialog takes for a come after the last answer, and
// answer nothing. They would be taken for the front of the next one. A server may say
// that the connection ends; one whose protocol has messages of its own may send those.
func (l *link) unsolicited(a Answer) bool {
	switch {
	case !l.idle() || a.Partial && a.Close:
		return false
	case l.control != nil:
		return a.Close
	default:
		return true
	}
}

// extra accounts for bytes after l's last answer, which therefore is wrong. One that a
// report has counted already stays right; the bytes are then a fault of no request.
func (s *shard) extra(l *link) {
	last := l.last
	l.last = rightAnswer{}
	if last.sent == 0 || last.at <= s.opened {
		s.stray(Unsolicited, 0)
		return
	}
	s.undo(last, ExtraBytes)
	if s.stamps != nil {
		s.stamps.takeBack(l, last)
	}
}

// right counts a right answer of l.
func (s *shard) right(l *link, r rightAnswer) {
	l.last = r
	s.account.right(r.sent, r.due, r.at)
	s.rightTo(r.target, s.latencyOf(r))
	if s.stamps != nil {
		s.stamps.add(l, r)
	}
}

// latencyOf is the response time of a right answer in an open loop, else its service time.
func (a *account) latencyOf(r rightAnswer) int64 {
	if a.response == nil {
		return r.at - r.sent
	}
	return r.at - since(r.sent, r.due)
}

// settle ends the request that a answers.
func (s *shard) settle(l *link, a Answer, now int64) {
	idle := l.sent.n == 0
	a.Cause = min(a.Cause, NumCauses-1)
	due, target := l.sent.dueOf(a.Seq), l.sent.targetOf(a.Seq)
	sent, ok := l.sent.take(a.Seq)
	if ok {
		s.outstanding--
		s.code(a.Code)
	}
	switch {
	case ok && a.Cause == OK:
		l.hasAnswered = true
		s.right(l, rightAnswer{sent, due, now, target})
	case ok:
		l.last = rightAnswer{}
		s.wrongOf(target)
		s.wrong(a.Cause, a.Code, sent, due, now)
	case idle:
		s.stray(Unsolicited, 0)
	case a.Cause == OK || a.Cause == WrongOrder:
		s.stray(WrongID, 0)
	default:
		s.stray(a.Cause, a.Code)
	}
}
