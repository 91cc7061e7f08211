package http1

import (
	"bytes"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/httpmsg"
	"github.com/gohone/hone/internal/wire/turns"
	"github.com/gohone/hone/load"
)

// stepsDialog is one connection's way through a sequence. It asks for one request at
// a time.
type stepsDialog struct {
	*dialog
	sequence *steps
	conn     uint64
	count    uint64 // requests so far
	step     int    // that is under way or comes next
	filled   bool
	values   answer.Values
	bodies   []*answer.Body // by step; nil where nothing looks at the body
	rows     *turns.Walk    // nil without a feed
	asked    int            // the step of the last request
	fresh    bool           // the head of the answer that comes next was not looked at yet
}

var _ load.Controller = (*stepsDialog)(nil)

// Dialog implements load.Protocol.
func (p *steps) Dialog(conn int) load.Dialog {
	d := &stepsDialog{dialog: &dialog{}, sequence: p, conn: uint64(conn)}
	d.answers.streams = &p.streams
	d.values = answer.Values{Row: make([]string, len(p.names)), Kept: make([][]byte, len(p.names))}
	if len(p.rows) > 0 {
		d.rows = p.mix.Walk(conn)
	}
	for _, s := range p.steps {
		body := s.checks.NewBody()
		if len(s.takes) > 0 {
			if body == nil {
				body = &answer.Body{First: &s.checks.First}
			}
			body.Taking = &answer.Taking{Takes: s.takes, Missed: s.missed, Values: &d.values,
				Found: make([]bool, len(s.takes))}
			for i := range s.takes {
				body.Taking.Body = body.Taking.Body || s.takes[i].OfBody()
			}
		}
		d.bodies = append(d.bodies, body)
	}
	return d
}

// AppendRequest implements load.Dialog.
func (d *stepsDialog) AppendRequest(dst []byte, seq uint64) []byte {
	if d.rows != nil && (!d.filled || d.step == d.sequence.first) {
		d.fill()
	}
	s := d.sequence.steps[d.step]
	r := &d.answers
	if r.checks != s.checks {
		// A head that is remembered led to what it means for another step.
		r.asksHead(s.head)
		r.checks, r.body = s.checks, d.bodies[d.step]
	}
	d.sent, d.fresh, d.asked = seq+1, true, d.step
	with := wire.Fill{Row: d.values.Row, Conn: d.conn, Turn: d.count}
	d.count++
	if s.numbered {
		with.Number = d.sequence.number.Add(1) - 1
	}
	return s.request.append(dst, with)
}

// Target implements load.Chooser.
func (d *stepsDialog) Target() int { return d.asked }

// Targets implements load.Several: each step is one.
func (p *steps) Targets() (names []string) {
	for _, s := range p.steps {
		names = append(names, s.label)
	}
	return names
}

// fill takes the next row of the feed. Columns that a step uses which is sent once keep
// the values of the connection's first row.
func (d *stepsDialog) fill() {
	p := d.sequence
	row := p.rows[(d.rows.Row+d.rows.Turns.Add(1)-1)%uint64(len(p.rows))]
	for i, value := range row {
		if !d.filled || !p.kept[i] {
			d.values.Row[i] = value
		}
	}
	d.filled = true
}

// NextAnswer implements load.Dialog.
func (d *stepsDialog) NextAnswer(in []byte, eof bool) (int, load.Answer) {
	waits := d.next < d.sent
	if s := d.sequence.steps[d.step]; waits && d.fresh && s.inHead && d.answers.state == statusLine {
		whole, interim := d.lookAtHead(in, eof)
		switch {
		case !whole && interim > 0:
			in, eof = in[:interim], false
		case !whole:
			return 0, load.Answer{}
		}
	}
	n, a := d.dialog.NextAnswer(in, eof)
	if waits && d.next == d.sent {
		d.advance(a.Cause == load.OK)
	}
	return n, a
}

// lookAtHead takes the values of the head at the front of in. Interim answers (RFC 9110
// section 15.2) stand before it, in so many bytes. It is not whole if more has to come; a
// head that is too long or cut off is whole, for the reader to judge.
func (d *stepsDialog) lookAtHead(in []byte, eof bool) (whole bool, interim int) {
	for {
		head := in[interim:]
		end := headEnd(head)
		if end < 0 {
			return eof || len(head) > httpmsg.MaxHead, interim
		}
		head = head[:end]
		if len(head) > 9 && head[9] == '1' && bytes.HasPrefix(head, []byte("HTTP/1.")) {
			interim += end
			continue
		}
		d.fresh = false
		d.bodies[d.step].Taking.Head(head)
		return true, interim
	}
}

// headEnd is the length of the head at the front of in, with the empty line that ends it;
// -1 if it is not whole.
func headEnd(in []byte) int {
	for at := 0; ; {
		i := bytes.IndexByte(in[at:], '\n')
		if i < 0 {
			return -1
		}
		if line := bytes.TrimSuffix(in[at:at+i], []byte("\r")); len(line) == 0 && at > 0 {
			return at + i + 1
		}
		at += i + 1
	}
}

// advance goes on to the next step, or back to the first after a wrong answer.
func (d *stepsDialog) advance(right bool) {
	switch d.step++; {
	case !right:
		d.step = 0
		if b := d.answers.body; b != nil && b.Taking != nil {
			clear(b.Taking.Found)
		}
	case d.step == len(d.sequence.steps):
		d.step = d.sequence.first
	}
}

// AppendControl implements load.Controller.
func (d *stepsDialog) AppendControl(dst []byte) []byte { return dst }

// Room implements load.Controller: a step waits for the answer to the one before.
func (d *stepsDialog) Room() int {
	if d.next < d.sent {
		return 0
	}
	return 1
}
