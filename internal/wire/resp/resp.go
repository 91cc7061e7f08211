package resp

import (
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/turns"
	"github.com/gohone/hone/load"
)

// Redis is RESP, the protocol of Redis, in versions 2 and 3
// (redis.io/docs/latest/develop/reference/protocol-spec). A depth over 1 pipelines commands;
// answers come in order.
//
// Options.Body is commands, one on each line, in the words that redis-cli splits them into;
// without one it is PING. The lines take turns. Without weights each connection begins at the
// first line and goes through them in order, so that MULTI and EXEC may stand around others.
// A line may begin with its weight, as in "9x GET key:{rand:1000}": then turns are spread by
// weight, and each connection begins at another one.
//
// An answer is wrong if it is an error, or if one is in it, as in the results of EXEC; its
// first word is the status. Push messages of RESP3 are skipped.
var Redis = &wire.Scheme{
	Name:    "redis",
	Doc:     "RESP, the protocol of Redis; --body is commands (default PING); redis://:PASSWORD@HOST/2 logs in and selects",
	Example: redisExample,
	Port:    redisPort,
	New:     newRESP,
	Login:   true,
}

// Rediss is RESP over TLS.
var Rediss = &wire.Scheme{
	Name:    "rediss",
	Doc:     "the same over TLS",
	Example: "rediss://127.0.0.1:6380",
	Port:    redisPort,
	New:     newRESP,
	Login:   true,
}

const (
	redisExample = "redis://127.0.0.1:6379"
	redisPort    = "6379"
)

// newRESP reads the commands of the body and what the URL says of connections.
func newRESP(u *url.URL, o wire.Options) (load.Protocol, error) {
	if err := o.Feed.Validate(); err != nil {
		return nil, err
	}
	if len(o.Expect.Status) > 0 {
		return nil, fail.New(fail.BadInput, "answers of redis have no status to expect: an error is a wrong answer").
			WithHint("leave out expect-status")
	}
	checks, err := answer.NewChecks(o.Expect, "", nil)
	if err != nil {
		return nil, err
	}
	login, err := newLogin(u)
	if err != nil {
		return nil, err
	}
	commands, err := readCommands(string(o.Body), o.Feed)
	if err != nil {
		return nil, err
	}
	p := &protocol{commands: commands, checks: checks, login: login}
	if o.Feed != nil {
		p.mix.Rows = o.Feed.Rows
	}
	return p, p.layOut()
}

// protocol is what all connections share.
type protocol struct {
	commands []*command
	// mix is the commands' turns; without weights they are in the order of the lines.
	mix    turns.Mix
	only   []byte // the one command, where there is one and no place in it
	checks *answer.Checks
	login  *login
	number atomic.Uint64 // of the next request, over all connections
	said   said
}

// layOut puts the commands in their order.
func (p *protocol) layOut() error {
	p.mix.Ordered = true
	for _, c := range p.commands {
		p.mix.Weights = append(p.mix.Weights, max(c.weight, 1))
		p.mix.Ordered = p.mix.Ordered && c.weight == 0
	}
	if err := p.mix.LayOut(); err != nil {
		return err
	}
	if len(p.commands) == 1 {
		p.only = p.commands[0].fixed
	}
	return nil
}

// Dialog implements load.Protocol.
func (p *protocol) Dialog(conn int) load.Dialog {
	d := &dialog{protocol: p}
	d.answers.body = p.checks.NewBody()
	if p.only == nil {
		d.walk = p.walkOf(conn)
	}
	if p.login.version == 3 {
		return &pushed{d}
	}
	return d
}

// walkOf is where a fresh connection goes on.
func (p *protocol) walkOf(conn int) *turns.Walk {
	w := p.mix.Walk(conn)
	if length := uint64(len(p.mix.Round)); p.mix.Ordered { // what a lost connection had begun is lost with it
		w.Turns.Store((w.Turns.Load() + length - 1) / length * length)
	}
	return w
}

var _ wire.Noter = (*protocol)(nil)

// Notes implements Noter.
func (p *protocol) Notes() []string {
	all := append(p.said.notes(), p.checks.First.Notes()...)
	if n := p.said.nulls.Load(); n > 0 {
		all = append(all, fmt.Sprintf("%s answers were null, the warm-up included: the key does not exist",
			units.Count(n)))
	}
	return all
}

// said is the first error of each kind, for people, and what else is counted.
type said struct {
	nulls  atomic.Uint64
	mu     sync.Mutex
	errors []string // whole messages, no two with one first word
}

const (
	// mostErrors bounds the kinds of errors that are told, errorText the bytes of each.
	mostErrors = 8
	errorText  = 200
)

// error notes the text of an error.
func (s *said) error(text []byte) {
	word := firstWord(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, known := range s.errors {
		if firstWord([]byte(known)) == word {
			return
		}
	}
	if len(s.errors) < mostErrors {
		s.errors = append(s.errors, string(text[:min(len(text), errorText)]))
	}
}

// notes are sentences about the errors. What a server repeats of a command may hold values,
// and is left out.
func (s *said) notes() (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range s.errors {
		text, _, _ = strings.Cut(text, ", with args")
		note := fmt.Sprintf("an error of the server: %q", text)
		switch firstWord([]byte(text)) {
		case "NOAUTH":
			note += "; give the password in the target: redis://:PASSWORD@HOST"
		case "MOVED", "ASK":
			note += "; hone does not follow to other nodes of a cluster: load each by its own address, with keys of its own"
		case "EXECABORT":
			note += "; a command between MULTI and EXEC was refused"
		}
		all = append(all, note)
	}
	return all
}

// firstWord is the first word of an error, which names its kind.
func firstWord(text []byte) string {
	word, _, _ := strings.Cut(string(text[:min(len(text), errorText)]), " ")
	return word
}

// Neutral leaves commands and answers as they are.
func (*protocol) Neutral(b []byte, _ bool) []byte { return b }
