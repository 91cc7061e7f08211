package chat

import (
	"io"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/gohone/hone/services/internal/notices"
)

// message is a text on its way, with the identity that its line in the journal has.
type message struct {
	id    uint32
	conn  uint64 // number of the sender's connection
	user  string // the sender's name
	from  string // what the others see of it
	room  string
	text  []byte
	sends int // recipients
}

// journalTime is how the journal writes times: RFC 3339 in UTC, to the millisecond.
const journalTime = "2006-01-02T15:04:05.000Z"

// journal is where the lines about messages go.
type journal struct {
	notices *notices.Log

	mu      sync.Mutex
	w       io.Writer
	waiting []byte // lines that are not written yet, up to journalBuffer
}

// journalBuffer is some 600 lines in one write.
const journalBuffer = 64 << 10

// write writes one line at once.
func (j *journal) write(line []byte) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.put(line)
}

// collect takes lines to be written with others.
func (j *journal) collect(lines []byte) {
	if len(lines) == 0 {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.waiting)+len(lines) > journalBuffer {
		j.put(j.waiting)
		j.waiting = j.waiting[:0]
	}
	j.waiting = append(j.waiting, lines...)
}

// flush writes what was collected.
func (j *journal) flush() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.waiting) > 0 {
		j.put(j.waiting)
		j.waiting = j.waiting[:0]
	}
}

// put writes b under the lock. Users do not wait for a disk that is full: the lines are
// lost, and the log says so.
func (j *journal) put(b []byte) {
	if _, err := j.w.Write(b); err != nil {
		j.notices.Warn("write journal: lines lost", slog.Any("err", err))
	}
}

// line is one line of structured text in the making. Its methods append and return the
// longer line; none allocates once the line has its size.
type line []byte

func (l line) time(t time.Time) line { return t.UTC().AppendFormat(l, journalTime) }

func (l line) str(key, v string) line {
	l = append(append(append(l, ' '), key...), '=')
	return append(l, v...)
}

func (l line) num(key string, v uint64) line {
	l = append(append(append(l, ' '), key...), '=')
	return strconv.AppendUint(l, v, 10)
}

// appendLine appends the line of m. Names hold no spaces, so they need no quotes.
func appendLine(dst []byte, t time.Time, m *message) []byte {
	l := line(dst).time(t).str("user", m.user).str("nick", m.from).str("room", m.room)
	l = l.num("conn", m.conn).num("id", uint64(m.id)).num("bytes", uint64(len(m.text))).num("to", uint64(m.sends))
	return append(l, '\n')
}
