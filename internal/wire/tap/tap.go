package tap

import (
	"slices"
	"sync"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// Tap is the protocol of a target that copies some of what goes over connection 0: the first
// requests with their answers, and then samples, ever further apart. Of HTTP/1.1 it counts equal answers on
// some connections, too (count.go). The other connections are
// not touched. What a request costs a connection: BenchmarkTap.
//
// Which requests are copied depends on their number alone, so that two variants under one
// plan are sampled at the same places of a feed.
type Tap struct {
	target  schemes.Target
	asked   uint64 // requests of connection 0 so far, over all of its dialogs
	due     uint64 // the number of the request from which on the next ones are copied
	windows []*window
	copied  int          // bytes in all windows
	values  []string     // that belong to this start alone
	chosen  map[int]bool // connections on which answers are counted; nil: the first ones

	mu      sync.Mutex // of counted: connections may belong to several goroutines
	counted *counted
}

const (
	// first is how many requests at the beginning are copied, then how many each time later.
	first = 64
	then  = 16
	// spread is the share of the requests so far that passes until the next sample, as 1 in n:
	// a million requests have 100 samples.
	spread = 10
	// keep is how many bytes of an answer are copied. Of a longer one the front is compared.
	keep = 8 << 20
	// mostBytes bounds what is copied of one start, firstBytes what its first window takes of that.
	mostBytes, firstBytes = 48 << 20, 24 << 20
	// windows bounds the samples of one start, of small answers.
	windows = 200
)

// window is some requests in a row, and all bytes that were read until they were answered.
type window struct {
	want, open int // requests to be copied, and those of them that are not answered
	requests   []copiedRequest
	answers    []copiedAnswer
	raw        []byte // what was read, in the order of reading
	begun      int    // where in raw the answer begins that is being read
	count      int    // of answers that are like this one; 0 is 1
	number     int    // of those that were copied because of that
	size       int    // bytes of that answer so far; raw may have fewer
	streams    bool   // messages of a stream came with it
}

// copiedRequest is the bytes of one request, and what the dialog sent with it.
type copiedRequest struct {
	seq   uint64
	bytes []byte
}

// copiedAnswer is one answer: raw[from:to], of which size bytes came.
type copiedAnswer struct {
	load.Answer
	from, to, size int
	body           int64 // length of the body, if the dialog knows; else 0
	streams        bool  // it is a stream, or came between messages of one
}

// New returns the protocol of t, tapped. It is for one session.
//
// values are parts of requests and answers that are another one for each start, such as a token: they do not count as
// a difference. Those of less than shortestValue bytes are ignored, since they stand elsewhere, too.
func New(t schemes.Target, values ...string) *Tap {
	tap := &Tap{target: t}
	for _, v := range values {
		for _, form := range []string{v, string(wire.AppendEscaped(nil, v, wire.IsUnreserved))} { // as templates write it in a URL
			if len(v) >= shortestValue && !slices.Contains(tap.values, form) {
				tap.values = append(tap.values, form)
			}
		}
	}
	slices.SortFunc(tap.values, func(a, b string) int { return len(b) - len(a) }) // one may be a part of another
	return tap
}

// shortestValue is how long a value has to be in order not to be found by chance, in bytes.
const shortestValue = 6

// Dialog implements load.Protocol.
func (t *Tap) Dialog(conn int) load.Dialog {
	inner := t.target.Protocol.Dialog(conn)
	count := t.newCount(conn, inner)
	if conn != 0 && count == nil {
		return inner
	}
	d := &dialog{Dialog: inner, tap: t, copies: conn == 0, count: count}
	if m, ok := inner.(copier); ok {
		m.CopyMessages()
		d.messages = m
	}
	if c, ok := inner.(load.Controller); ok {
		return &controller{d, c}
	}
	return d
}

// Targets implements load.Several.
func (t *Tap) Targets() []string { return load.TargetNames(t.target.Protocol) }

// dialog is the dialog of the connection that is tapped.
type dialog struct {
	load.Dialog
	tap    *Tap
	copies bool    // connection 0
	count  *count  // nil where answers are not counted
	open   int     // requests that are not answered
	window *window // nil mostly
	// messages is the dialog if it copies its requests and answers itself, since the bytes of two may be in one frame;
	// else nil.
	messages copier
}

// copier is a dialog that copies its last request and answer itself, once CopyMessages was called.
type copier interface {
	CopyMessages()
	CopiedRequest() []byte
	CopiedAnswer() []byte
}

// controller is one that has bytes of its own to send.
type controller struct {
	*dialog
	control load.Controller
}

var _ load.Controller = (*controller)(nil)

// AppendControl implements load.Controller.
func (d *controller) AppendControl(dst []byte) []byte { return d.control.AppendControl(dst) }

// Room implements load.Controller.
func (d *controller) Room() int { return d.control.Room() }

// AppendRequest implements load.Dialog.
func (d *dialog) AppendRequest(dst []byte, seq uint64) []byte {
	at := len(dst)
	dst = d.Dialog.AppendRequest(dst, seq)
	if d.count != nil {
		d.count.noteRequest(dst[at:])
	}
	if !d.copies {
		return dst
	}
	if d.window != nil || d.tap.asked >= d.tap.due {
		d.copyRequest(dst[at:], seq)
	}
	d.tap.asked++
	d.open++
	return dst
}

// Target implements load.Chooser.
func (d *dialog) Target() int {
	if c, ok := d.Dialog.(load.Chooser); ok {
		return c.Target()
	}
	return 0
}

// NextAnswer implements load.Dialog.
func (d *dialog) NextAnswer(in []byte, eof bool) (int, load.Answer) {
	n, a := d.Dialog.NextAnswer(in, eof)
	whole := !a.Partial && (n > 0 || a.Close)
	if d.count != nil {
		d.count.took(in[:n], a, whole, d.window == nil)
		if whole && d.count.over() {
			d.count = nil
		}
	}
	if whole && d.open > 0 {
		d.open--
	}
	if d.window != nil {
		d.copyAnswer(in[:n], a, whole)
	}
	return n, a
}

// copyRequest copies a request, and begins a window where one is due. It begins only where
// nothing is outstanding: then what is read next is the front of its first answer.
func (d *dialog) copyRequest(request []byte, seq uint64) {
	t := d.tap
	if d.messages != nil {
		request = d.messages.CopiedRequest()
	}
	if d.window == nil {
		if d.open > 0 || len(t.windows) == windows || t.copied >= mostBytes {
			return
		}
		want := then
		if t.asked == 0 {
			want = first
		}
		d.window = &window{want: want}
		t.windows = append(t.windows, d.window)
		t.due = t.asked + uint64(want) + (t.asked+uint64(want))/spread
	}
	w := d.window
	if len(w.requests) == w.want {
		return
	}
	if most := t.most(); t.copied >= most { // what is asked is still waited for
		if w.want = len(w.requests); w.open == 0 {
			d.window = nil
		}
		return
	}
	w.requests = append(w.requests, copiedRequest{seq: seq, bytes: append([]byte(nil), request...)})
	w.open++
}

// most is how many bytes the windows so far may have.
func (t *Tap) most() int {
	if len(t.windows) == 1 {
		return firstBytes
	}
	return mostBytes
}

// copyAnswer copies what was read, and ends the window with its last answer.
func (d *dialog) copyAnswer(in []byte, a load.Answer, whole bool) {
	w := d.window
	w.streams = w.streams || a.Messages > 0
	if d.messages != nil {
		in = d.messages.CopiedAnswer()
		if !whole {
			return
		}
	}
	w.size += len(in)
	if room := keep - (len(w.raw) - w.begun); len(in) > room {
		in = in[:room]
	}
	w.raw = append(w.raw, in...)
	d.tap.copied += len(in)
	if !whole {
		return
	}
	one := copiedAnswer{Answer: a, from: w.begun, to: len(w.raw), size: w.size, streams: w.streams}
	if d, knows := d.Dialog.(interface{ BodyLength() int64 }); knows {
		one.body = d.BodyLength()
	}
	w.answers = append(w.answers, one)
	w.begun, w.size, w.streams = len(w.raw), 0, false
	if first := w.requests[0].seq; a.Seq >= first && a.Seq-first < uint64(len(w.requests)) {
		w.open--
	}
	if a.Close || w.open == 0 && len(w.requests) == w.want {
		d.window = nil
	}
}
