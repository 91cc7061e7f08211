package load

import "time"

// The open loop's side of a shard: which link gets the request that is due, and how
// late it was.

// queue holds links in the order in which they became ready. A link is in it once at
// most, so it never grows beyond the shard's links.
type queue struct {
	links []*link // a ring
	head  int
	n     int
}

func (q *queue) push(l *link) {
	q.links[(q.head+q.n)%len(q.links)] = l
	q.n++
	l.queued = true
}

func (q *queue) pop() *link {
	l := q.links[q.head]
	q.head = (q.head + 1) % len(q.links)
	q.n--
	l.queued = false
	return l
}

func (q *queue) clear() {
	for q.n > 0 {
		q.pop()
	}
}

// prepare makes the shard ready for an open loop that begins.
func (s *shard) prepare(now int64) {
	if len(s.ready.links) < len(s.links) {
		s.ready = queue{links: make([]*link, len(s.links))}
	}
	if s.response == nil {
		s.response, s.lag = newHistogram(), newHistogram()
	}
	for _, l := range s.links {
		l.sent.keepDues()
		l.dues = l.dues[:0]
		for range l.ends { // built in an earlier stretch
			l.dues = append(l.dues, now)
		}
	}
}

// offer puts l into the queue if it can take a request.
func (s *shard) offer(l *link, now int64) {
	if s.pacer == nil || s.phase != sending && !s.sendsAgain() || l.queued || !l.up || len(l.out) > 0 ||
		s.room(l) <= 0 {
		return
	}
	l.ready = now
	s.ready.push(l)
}

// sendsAgain says that the stretch only waits for its answers, and has requests to send again.
func (s *shard) sendsAgain() bool { return s.phase == draining && len(s.again) > 0 }

// inTurn goes through the places of all links, beginning where the last stretch ended: short
// stretches of an open loop would otherwise load their first links only.
func (s *shard) inTurn(yield func(place int) bool) {
	first := s.turn // it moves on meanwhile
	for i := range s.links {
		if !yield((first + i) % len(s.links)) {
			return
		}
	}
}

// claim returns the link that shall carry the request that is due at now, nil if none
// is due or no link is ready. The engine then calls fillDue for it, and offers it again.
// It claims before it steps on, so that a late generator still sends what is due at the
// end.
func (s *shard) claim(now int64) *link {
	if s.pacer == nil || s.phase != sending && !s.sendsAgain() {
		return nil
	}
	due := s.phase == sending && s.pacer.ok && s.origin+int64(s.pacer.due) <= now
	for s.ready.n > 0 && (due || len(s.again) > 0) {
		// What was true when it was offered may not be any more.
		if l := s.ready.pop(); l.up && len(l.out) == 0 && s.room(l) > 0 {
			s.turn = (l.place + 1) % len(s.links)
			return l
		}
	}
	return nil
}

// fillDue appends the request that is due to buf, and its end and due moment to ends
// and dues.
func (s *shard) fillDue(l *link, buf []byte, ends []int, dues []int64, now int64) ([]byte, []int, []int64) {
	if l.sent.n+len(l.ends) == 0 {
		l.quiet = now
	}
	old := len(s.again) > 0
	due := int64(0)
	if old {
		due = s.rebuild(l)
	}
	buf = l.dialog.AppendRequest(buf, l.next)
	s.choose(l)
	l.next++
	if old {
		return buf, append(ends, len(buf)), append(dues, due)
	}
	s.Scheduled++
	due = s.origin + int64(s.pacer.due)
	s.pacer.next()
	return buf, append(ends, len(buf)), append(dues, due)
}

// blame records how late the generator is with a request that it begins to write at
// now: since it was due and l was ready, whichever came later.
func (s *shard) blame(l *link, due, now int64) {
	if l.ready > due {
		s.waited++
	}
	record(s.lag, now-max(due, l.ready), 1)
}

// countBacklog brings Scheduled up to the requests that are due by now and wait for a
// connection.
func (s *shard) countBacklog(now int64) {
	if s.pacer == nil {
		return
	}
	waiting := s.pacer.backlog(time.Duration(min(now, s.until) - s.origin))
	s.Scheduled += waiting - s.backlog // wraps where it shrank: those were counted when built
	s.backlog = waiting
}

// giveUpAll records the age of all that is still open when a stretch ends with its
// drain over, and drops what is due and unsent.
func (s *shard) giveUpAll(now int64) {
	for _, l := range s.links {
		l.sent.each(func(sent, due int64) { s.giveUp(now - since(sent, due)) })
		for _, due := range l.dues {
			s.giveUp(now - due)
		}
	}
	for _, one := range s.again {
		s.giveUp(now - since(one.sent, one.due))
	}
	if s.pacer == nil {
		return
	}
	s.countBacklog(now)
	s.pacer.eachDue(time.Duration(min(now, s.until)-s.origin), func(due time.Duration) {
		s.giveUp(now - s.origin - int64(due))
	})
}
