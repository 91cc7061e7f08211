package fleet

import (
	"fmt"
	"time"

	"github.com/gohone/hone/internal/text/printable"
)

// talk bounds what an agent logs: strangers, too, can send it messages that it refuses, and each may look different.
type talk struct {
	say  func(line string)
	from time.Duration // the beginning of the period, on the agent's clock
	said int           // lines in it
	left int           // lines that were left out of it
}

// In each period so many lines are said. A run has two.
const (
	talkPeriod = 10 * time.Second
	talkMost   = 20
)

// line says a line, unless there are too many.
func (t *talk) line(text string, now time.Duration) {
	t.tick(now)
	if t.said == talkMost {
		t.left++
		return
	}
	t.said++
	t.say(printable.Line(text))
}

// tick ends a period that is over, and says how many lines were left out of it.
func (t *talk) tick(now time.Duration) {
	if now-t.from < talkPeriod {
		return
	}
	if t.left > 0 {
		t.say(fmt.Sprintf("%d lines were left out: more than %d in %v", t.left, talkMost, talkPeriod))
	}
	t.from, t.said, t.left = now, 0, 0
}
