package load

import "github.com/HdrHistogram/hdrhistogram-go"

// streams are the times of answers that are streams; nil until the first of each.
type streams struct{ firstByte, gaps, age *hdrhistogram.Histogram }

// stream accounts for what a says of a stream, before its request is settled: that it begins, and messages of it.
func (s *shard) stream(l *link, a Answer, now int64) {
	sent := l.sent.sentAt(a.Seq)
	if a.Begun && sent != 0 && (a.Partial || a.Cause == OK) {
		due := l.sent.dueOf(a.Seq)
		if s.response == nil {
			due = 0 // it was kept for time stamps only
		}
		s.streams.firstByte = recordNew(s.streams.firstByte, now-since(sent, due))
	}
	if a.Messages == 0 {
		return
	}
	s.Messages += uint64(a.Messages)
	gaps := int64(a.Messages) - 1 // those that came together
	last := &l.pushed
	if sent != 0 {
		last = l.sent.messageOf(a.Seq)
	}
	if *last != 0 {
		s.streams.gaps = recordNew(s.streams.gaps, now-*last)
	}
	if gaps > 0 {
		if s.streams.gaps == nil {
			s.streams.gaps = newHistogram()
		}
		record(s.streams.gaps, latencyMin, gaps)
	}
	*last = now
	if a.MessageAge > 0 {
		s.streams.age = recordNew(s.streams.age, a.MessageAge)
	}
}
