package protocol

import (
	"bytes"

	"github.com/gohone/hone/load"
)

// httpStepsDialog is one connection's way through a sequence. It asks for one request at
// a time.
type httpStepsDialog struct {
	*httpDialog
	sequence *httpSteps
	conn     uint64
	count    uint64 // requests so far
	step     int    // that is under way or comes next
	filled   bool
	values   httpValues
	bodies   []*httpBody // by step; nil where nothing looks at the body
	rows     *httpWalk   // nil without a feed
	asked    int         // the step of the last request
	fresh    bool        // the head of the answer that comes next was not looked at yet
}

var _ load.Controller = (*httpStepsDialog)(nil)

// Dialog implements load.Protocol.
func (p *httpSteps) Dialog(conn int) load.Dialog {
	d := &httpStepsDialog{httpDialog: &httpDialog{mix: p.mix}, sequence: p, conn: uint64(conn)}
	d.answers.streams = &p.streams
	d.values = httpValues{row: make([]string, len(p.names)), kept: make([][]byte, len(p.names))}
	if len(p.rows) > 0 {
		d.rows = p.mix.walk(conn)
	}
	for _, s := range p.steps {
		body := s.checks.newBody()
		if len(s.takes) > 0 {
			if body == nil {
				body = &httpBody{first: &s.checks.first}
			}
			body.taking = &httpTaking{takes: s.takes, missed: s.missed, values: &d.values, found: make([]bool, len(s.takes))}
			for i := range s.takes {
				body.taking.body = body.taking.body || s.takes[i].ofBody()
			}
		}
		d.bodies = append(d.bodies, body)
	}
	return d
}

// AppendRequest implements load.Dialog.
func (d *httpStepsDialog) AppendRequest(dst []byte, seq uint64) []byte {
	if d.rows != nil && (!d.filled || d.step == d.sequence.first) {
		d.fill()
	}
	s := d.sequence.steps[d.step]
	r := &d.answers
	if d.checks != s.checks {
		// A head that is remembered led to what it means for another step.
		r.asksHead(s.head)
		d.checks, r.body = s.checks, d.bodies[d.step]
	}
	d.sent, d.fresh, d.asked = seq+1, true, d.step
	with := fill{row: d.values.row, conn: d.conn, turn: d.count}
	d.count++
	if s.numbered {
		with.number = d.sequence.number.Add(1) - 1
	}
	return s.request.append(dst, with)
}

// Target implements load.Chooser.
func (d *httpStepsDialog) Target() int { return d.asked }

// Targets implements load.Several: each step is one.
func (p *httpSteps) Targets() (names []string) {
	for _, s := range p.steps {
		names = append(names, s.label)
	}
	return names
}

// fill takes the next row of the feed. Columns that a step uses which is sent once keep
// the values of the connection's first row.
func (d *httpStepsDialog) fill() {
	p := d.sequence
	row := p.rows[(d.rows.row+d.rows.turns.Add(1)-1)%uint64(len(p.rows))]
	for i, value := range row {
		if !d.filled || !p.held[i] {
			d.values.row[i] = value
		}
	}
	d.filled = true
}

// NextAnswer implements load.Dialog.
func (d *httpStepsDialog) NextAnswer(in []byte, eof bool) (int, load.Answer) {
	waits := d.next < d.sent
	if s := d.sequence.steps[d.step]; waits && d.fresh && s.inHead && d.answers.state == httpStatusLine {
		whole, interim := d.lookAtHead(in, eof)
		switch {
		case !whole && interim > 0:
			in, eof = in[:interim], false
		case !whole:
			return 0, load.Answer{}
		}
	}
	n, a := d.httpDialog.NextAnswer(in, eof)
	if waits && d.next == d.sent {
		d.advance(a.Cause == load.OK)
	}
	return n, a
}

// lookAtHead takes the values of the head at the front of in. Interim answers (RFC 9110
// section 15.2) stand before it, in so many bytes. It is not whole if more has to come; a
// head that is too long or cut off is whole, for the reader to judge.
func (d *httpStepsDialog) lookAtHead(in []byte, eof bool) (whole bool, interim int) {
	for {
		head := in[interim:]
		end := headEnd(head)
		if end < 0 {
			return eof || len(head) > maxHead, interim
		}
		head = head[:end]
		if len(head) > 9 && head[9] == '1' && bytes.HasPrefix(head, []byte("HTTP/1.")) {
			interim += end
			continue
		}
		d.fresh = false
		d.bodies[d.step].taking.head(head)
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
func (d *httpStepsDialog) advance(right bool) {
	switch d.step++; {
	case !right:
		d.step = 0
		if b := d.answers.body; b != nil && b.taking != nil {
			clear(b.taking.found)
		}
	case d.step == len(d.sequence.steps):
		d.step = d.sequence.first
	}
}

// AppendControl implements load.Controller.
func (d *httpStepsDialog) AppendControl(dst []byte) []byte { return dst }

// Room implements load.Controller: a step waits for the answer to the one before.
func (d *httpStepsDialog) Room() int {
	if d.next < d.sent {
		return 0
	}
	return 1
}
