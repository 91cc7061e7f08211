package tap

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"net"
	"net/http"
	"slices"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/load"
)

// Sampled is one request and what was answered.
type Sampled struct {
	// Request is a hash of what was asked, without the number of the request and the port of
	// the target: equal requests have equal ones. What names it for people, without its
	// query: "GET /items"; empty where the protocol has one kind of request only.
	Request uint64
	What    string
	// Code is the status; 0 where the protocol has none.
	Code int
	// Count is how many answers were like this one.
	Count int
	// Length is the length of the content in bytes, unpacked, Content a hash of it. Both
	// leave out the number of the request, and have {port} in the place of the target's port.
	Length  int64
	Content uint64
	// Body is the content itself, shared by equal ones; nil where it is longer than what was copied, and Content is a
	// hash of its front. JSON says that its type is JSON.
	Body []byte
	JSON bool
	// Packed is the content coding that it was unpacked from, empty for none, Wire its length as it came.
	Packed string
	Wire   int64
	// Opaque says that it could not be unpacked, and is compared as it came.
	Opaque bool
	// Fields are the header and the trailers of an HTTP answer, by name, without what belongs to the connection.
	Fields []SampledField
}

// SampledField is a header field with all of its values.
type SampledField struct {
	Name  string
	Value uint64 // a hash
}

// sampledBytes is how much of a content is compared that is longer than what is copied: less than
// that, so that the size of its head and the frames that it comes in do not matter.
const sampledBytes = keep - 64<<10

// Answers reads what was copied. The session must be closed. Answers that cannot be read, and
// those that are not answers (Malformed, Unsolicited), are left out.
func (t *Tap) Answers() []Sampled {
	read := t.reader()
	if read == nil {
		return nil
	}
	var all []Sampled
	for _, w := range slices.Concat(t.windows, t.counted.windows()) {
		for _, one := range read(w) {
			one.Count = max(1, w.count)
			all = append(all, one)
		}
	}
	return all
}

// overHTTP is a protocol whose requests and answers are those of HTTP/1, 2 or 3; 0: messages alone are copied, see
// copier.
type overHTTP interface{ HTTPVersion() int }

// framedProtocol is one whose requests and answers are compared as Neutral leaves them: without numbers, names and
// whatever else differs by nature. It may write to b. nil: b is none.
type framedProtocol interface {
	Neutral(b []byte, answer bool) []byte
}

// stepped is a protocol that sends a sequence of requests, named by method and path.
type stepped interface {
	// Sampled says that answers to a request differ by nature, since values are taken of them, or that its name alone
	// stands for it.
	Sampled(what string) (differs, named bool)
}

// alike are the answers that can be compared with those of another start.
func alike(p any, all []Sampled) []Sampled {
	steps, ok := p.(stepped)
	if !ok {
		return all
	}
	kept := all[:0]
	for _, s := range all {
		differs, named := steps.Sampled(s.What)
		if named {
			s.Request = hashOf([]byte(s.What))
		}
		if !differs {
			kept = append(kept, s)
		}
	}
	return kept
}

// reader reads a window of the target's protocol; nil where that is not known.
func (t *Tap) reader() func(*window) []Sampled {
	own := ownWords{port: portOf(t.target.Address), values: t.values, streams: t.target.Streams,
		known: &knownContents{}}
	frames := func(neutral func(b []byte, answer bool) []byte) func(*window) []Sampled {
		return func(w *window) []Sampled { return w.readFrames(neutral, own) }
	}
	switch p := t.target.Protocol.(type) {
	case overHTTP:
		switch p.HTTPVersion() {
		case 1:
			return func(w *window) []Sampled { return alike(p, w.readHTTP(own)) }
		case 2:
			return func(w *window) []Sampled { return w.readHTTP2(own) }
		case 3:
			return func(w *window) []Sampled { return w.readHTTP3(own) }
		}
		return frames(func(b []byte, _ bool) []byte { return b })
	case framedProtocol:
		return frames(p.Neutral)
	}
	return nil
}

// portOf is ":8080" of an address; empty for a Unix socket.
func portOf(address string) string {
	_, port, err := net.SplitHostPort(address)
	if err != nil || port == "" {
		return ""
	}
	return ":" + port
}

// ownWords are what requests and answers of one start have to itself: the port, and values such as a token.
type ownWords struct {
	port   string // ":8080"; empty for a Unix socket
	values []string
	// streams says which answers end where the request ended them, with what happened to be read by then.
	streams wire.Streams
	known   *knownContents
}

// neutral puts {port} in the place of the target's, and {value} in that of the values: variants have their own, and
// some answer with links to themselves.
func (o ownWords) neutral(b []byte) []byte {
	if o.port != "" && bytes.Contains(b, []byte(o.port)) {
		b = bytes.ReplaceAll(b, []byte(o.port), []byte(":"+wire.PortTemplate))
	}
	for _, v := range o.values {
		b = bytes.ReplaceAll(b, []byte(v), []byte("{value}"))
	}
	return b
}

func hashOf(b []byte) uint64 {
	sum := sha256.Sum256(b)
	return binary.BigEndian.Uint64(sum[:])
}

// isAnswer says that an answer has content, right or wrong.
func (a copiedAnswer) isAnswer() bool {
	return slices.Contains([]load.Cause{load.OK, load.WrongStatus, load.WrongBody, load.WrongKind}, a.Cause)
}

// request is the bytes of request seq; nil where they were not copied.
func (w *window) request(seq uint64) []byte {
	i := slices.IndexFunc(w.requests, func(r copiedRequest) bool { return r.seq == seq })
	if i < 0 {
		return nil
	}
	return w.requests[i].bytes
}

// content notes the content of an answer: length bytes, of which b are known; false where too few are. header says
// what it is, and is nil where it is bytes.
func (s *Sampled) content(a copiedAnswer, b []byte, length int64, header http.Header, own ownWords) bool {
	if a.streams && own.streams.Cuts() {
		b = askedFor(&own.streams, b)
		length = int64(len(b))
	}
	s.Length, s.Wire = length, length
	if length > int64(len(b)) {
		if len(b) < sampledBytes {
			return false
		}
		s.Content = hashOf(own.neutral(b[:sampledBytes]))
		return true
	}
	c, ok := own.known.read(b, header, own)
	s.Length, s.Content, s.Body, s.JSON, s.Packed, s.Opaque = int64(len(c.body)), c.hash, c.body, c.json, c.packed,
		c.opaque
	return ok
}

// readFrames reads answers that are frames. neutral takes out of a request or an answer what
// is the number of the request; nil leaves the answer out.
func (w *window) readFrames(neutral func(b []byte, answer bool) []byte, own ownWords) (all []Sampled) {
	for _, a := range w.answers {
		request := w.request(a.Seq)
		if request == nil || !a.isAnswer() {
			continue
		}
		raw := slices.Clone(w.raw[a.from:a.to])
		missing := a.size - len(raw)
		content := neutral(raw, true)
		if content == nil {
			continue
		}
		s := Sampled{Request: hashOf(own.neutral(neutral(slices.Clone(request), false))), Code: int(a.Code)}
		if s.content(a, content, int64(len(content)+missing), nil, own) {
			all = append(all, s)
		}
	}
	return all
}

// askedFor is the part of an answer that its request asked for: its first events. What came after them depends on how
// the bytes were read. It is empty where that part is not known: without a number of messages, and where messages are
// no events.
func askedFor(s *wire.Streams, b []byte) []byte {
	var p answer.EventParser
	events := 0
	for i := range b {
		if events += p.Take(b[i : i+1]); s.Messages > 0 && events == s.Messages {
			return b[:i+1]
		}
	}
	return nil
}
