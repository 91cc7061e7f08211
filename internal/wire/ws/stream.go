package ws

import (
	"time"

	"github.com/tidwall/gjson"

	"github.com/gohone/hone/load"
)

// streamed takes a whole message of a stream: cause says whether it is right, age how old it is (0: not known). What no
// request has asked for is counted.
func (d *dialog) streamed(cause load.Cause, age int64) load.Answer {
	if d.next == d.sent {
		return load.Answer{Seq: d.sent, Partial: true, Messages: 1, MessageAge: age}
	}
	s := &d.stream
	if !s.On {
		s.Begin(&d.protocol.streams, false)
		d.wrong = load.OK
	}
	if d.wrong == load.OK {
		d.wrong = cause
	}
	s.Add(1)
	a, ended := s.Report(d.next)
	a.MessageAge = age
	if ended {
		a.Partial, a.Cause = false, d.wrong
		s.On = false
		d.next++
	}
	return a
}

// ageOf is how old a time stamp is, in nanoseconds, at least 1; 0 if it is none. Numbers are times since 1970, in the
// unit that puts them nearest to now: seconds, milliseconds, microseconds or nanoseconds.
func ageOf(stamp gjson.Result, now time.Time) int64 {
	var at time.Time
	switch stamp.Type {
	case gjson.Number:
		n := stamp.Float()
		switch {
		case n < 1e11:
			at = time.Unix(0, int64(n*1e9))
		case n < 1e14:
			at = time.Unix(0, int64(n*1e6))
		case n < 1e17:
			at = time.Unix(0, int64(n*1e3))
		default:
			at = time.Unix(0, stamp.Int())
		}
	case gjson.String:
		var err error
		if at, err = time.Parse(time.RFC3339Nano, stamp.Str); err != nil {
			return 0
		}
	default:
		return 0
	}
	return max(1, now.Sub(at).Nanoseconds())
}
