package ws

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/httpmsg"
	"github.com/gohone/hone/internal/wire/turns"
	"github.com/gohone/hone/load"
)

// WS is WebSocket (RFC 6455) over plain TCP. A request is a message, and the answer is the next message of the server
// or, with an id, the one that has it. The depth is the number of messages without an answer on each connection.
var WS = &wire.Scheme{
	Name:    "ws",
	Doc:     "WebSocket: each message is answered by the next one, or by the one with the same id",
	Example: "ws://127.0.0.1:8080/path",
	Port:    httpmsg.DefaultPort,
	New:     newWebSocket,
}

// WSS is WebSocket over TLS.
var WSS = &wire.Scheme{
	Name:    "wss",
	Doc:     "WebSocket over TLS",
	Example: "wss://127.0.0.1:8443/path",
	Port:    "443",
	New:     newWebSocket,
}

// numberTemplate stands in a message for the number of the request.
const numberTemplate = "{n}"

// protocol is what all connections share.
type protocol struct {
	head   []byte // of the upgrade, up to the key
	offers string // the subprotocol; empty: none
	body   wire.Template
	number int // the column that stands for the number; -1: none
	mix    *turns.Mix
	binary bool
	checks *answer.Checks
	id     string     // where the id of a message is, as a path of gjson; empty: it has none, or is at a place
	at     wire.Field // of the id in a binary message; its width is 0 without one
	age    string     // where its time stamp is
	// streams says when a request ends; of the zero value with one message.
	streams wire.Streams
	skips   []skip // messages that are left out

	greeting    greeting
	skipped     atomic.Uint64 // messages that skips say
	unsolicited atomic.Uint64 // messages that came while no request was open, where answers come in order
	early       atomic.Uint64 // those that were taken for answers, see order; the answers may be among unsolicited
	pushed      atomic.Uint64 // messages without an id, where answers have one
	mu          sync.Mutex
	closes      map[uint16]uint64 // by code
}

func newWebSocket(u *url.URL, o wire.Options) (load.Protocol, error) {
	if err := o.Feed.Validate(); err != nil {
		return nil, err
	}
	if len(o.Expect.Status) > 0 {
		return nil, fail.New(fail.BadInput,
			"messages of WebSocket have no status").WithHint("leave out expect-status; expect-json, expect-body and expect-length check messages")
	}
	checks, err := answer.NewChecks(o.Expect, "GET", nil)
	if err != nil {
		return nil, err
	}
	p := &protocol{offers: o.WebSocket.Subprotocol, binary: o.WebSocket.Binary, checks: checks, id: o.WebSocket.ID,
		age: o.WebSocket.Age, streams: o.Streams, closes: map[uint16]uint64{}}
	if p.head, err = head(u, o); err != nil {
		return nil, err
	}
	rows := [][]string{nil}
	feed := o.Feed
	if feed != nil {
		rows = feed.Rows
	}
	if err := o.CheckPlaces("the message", string(o.Body)); err != nil {
		return nil, err
	}
	p.number = -1
	if strings.Contains(string(o.Body), numberTemplate) && !o.Raw &&
		(feed == nil || !slices.Contains(feed.Names, "n")) {
		names := []string{"n"}
		if feed != nil {
			names = slices.Concat(feed.Names, names)
		}
		p.number, feed = len(names)-1, &wire.Feed{Names: names}
	}
	p.body = (&wire.Options{Feed: feed, Raw: o.Raw}).TemplateOf(string(o.Body), wire.AsIs, false)
	if strings.HasPrefix(p.id, "@") {
		if p.at, err = readID(p.id, o); err != nil {
			return nil, err
		}
		p.id = ""
	}
	if p.id != "" && p.number < 0 {
		return nil, fail.New(fail.BadInput,
			"the id at %q says which request an answer belongs to, but the message has no %s for the number of the request", p.id, numberTemplate).
			WithHint(`for example --body '{"id": {n}}' --set ws.id=id`)
	}
	if (p.id != "" || p.at.Width > 0) && p.subscribes() {
		return nil, fail.New(fail.BadInput, "an answer cannot be one message with an id and also a stream of messages").
			WithHint("leave out --set ws.id, or the flags of streams")
	}
	if p.age != "" && !p.subscribes() {
		return nil, fail.New(fail.BadInput, "the age of messages is that of streams, and each answer is one message").
			WithHint("say when a stream ends: --set stream.messages=100 or --set stream.for=10s")
	}
	if p.skips, err = readSkips(o.WebSocket.Skip); err != nil {
		return nil, err
	}
	p.mix = &turns.Mix{Rows: rows, Round: []turns.Turn{{}}, Weights: []int{1}}
	return p, nil
}

// Dialog implements load.Protocol.
func (p *protocol) Dialog(conn int) load.Dialog {
	var seed [32]byte
	_, _ = crand.Read(seed[:]) // it never fails
	return &dialog{
		protocol: p, walk: p.mix.Walk(conn), masks: rand.NewChaCha8(seed), message: message{body: p.newBody()},
	}
}

// newBody is what looks at messages; nil if nothing has to.
func (p *protocol) newBody() *answer.Body {
	body := p.checks.NewBody()
	if body == nil && p.keeps() {
		body = &answer.Body{}
	}
	return body
}

// keeps says that messages are kept as a whole, for what is looked up in them.
func (p *protocol) keeps() bool {
	return p.id != "" || p.at.Width > 0 || p.age != "" || len(p.skips) > 0
}

// inOrder says that only the order tells which message answers which request.
func (p *protocol) inOrder() bool { return p.id == "" && p.at.Width == 0 && !p.subscribes() }

// subscribes says that the answer to a message is a stream of messages.
func (p *protocol) subscribes() bool { return p.streams != wire.Streams{} }

// Greet implements greeter.
func (p *protocol) Greet(ctx context.Context, c net.Conn) error {
	if err := upgrade(ctx, c, p.head, p.offers); err != nil {
		return err
	}
	if p.id != "" || p.subscribes() { // answers are told by their id, or all messages count
		return nil
	}
	return p.greeting.read(ctx, c, p.closed)
}

// closed counts a connection that the server has closed with a code.
func (p *protocol) closed(code uint16) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.closes) < 100 || p.closes[code] > 0 {
		p.closes[code]++
	}
}

// closeNames are the codes of RFC 6455 section 7.4.1.
var closeNames = map[uint16]string{
	1000: "normal closure", 1001: "going away", 1002: "protocol error", 1003: "unsupported data", 1005: "no code",
	1007: "invalid data",
	1008: "policy violation", 1009: "message too big", 1010: "extension wanted", 1011: "internal error",
	1012: "service restart",
	1013: "try again later",
}

// closeName is what a code says (RFC 6455 section 7.4).
func closeName(code uint16) string { return cmp.Or(closeNames[code], "a code of its own") }

// unordered stands in the note on messages that no request had asked for.
const unordered = "hone cannot know which message answers which request"

// OrderDoubt is the doubt that notes of a target amount to: an answer may have been taken for that to another request,
// so that neither latencies nor checks mean anything.
func OrderDoubt(notes []string) []load.Doubt {
	for _, note := range notes {
		if strings.Contains(note, unordered) {
			return []load.Doubt{{Name: load.DoubtUnmatched, Text: note, Fatal: true}}
		}
	}
	return nil
}

// Notes implements Noter.
func (p *protocol) Notes() (notes []string) {
	notes = append(p.greeting.note(), p.checks.First.Notes()...)
	if n := p.skipped.Load(); len(p.skips) > 0 {
		notes = append(notes, fmt.Sprintf("%s that --set ws.skip names are left out, those of the warm-up included",
			units.Plural(int(n), "message")))
	}
	if n := max(p.unsolicited.Load(), p.early.Load()); n > 0 {
		notes = append(notes,
			fmt.Sprintf("the server sent at least %s that belong to no request, as a server does that broadcasts: "+
				unordered+
				" (--set ws.id for answers with an id, --set ws.skip for messages to be left out)",
				units.Plural(int(n), "message")))
	}
	if n := p.pushed.Load(); n > 0 {
		notes = append(notes, fmt.Sprintf("%s without an id at %q are left out: the server greets or broadcasts",
			units.Plural(int(n), "message"), p.id))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var codes []uint16
	for code := range p.closes {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	for _, code := range codes {
		notes = append(notes, fmt.Sprintf("the server closed %s with %d (%s)",
			units.Plural(int(p.closes[code]), "connection"), code, closeName(code)))
	}
	return notes
}
