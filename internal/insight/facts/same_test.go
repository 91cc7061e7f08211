package facts

import (
	"testing"

	"github.com/gohone/hone/prof"
)

const unchanging = `package m

import (
	"bytes"
	"context"
	"net/netip"
	"sort"
)

type config struct {
	lists []string
	seen  map[string]bool
}

type server struct {
	cfg config
	n   int
}

func start() *server {
	return &server{cfg: config{lists: []string{"10.0.0.0/8"}, seen: map[string]bool{}}}
}

func run() {
	c := config{lists: []string{"127.0.0.0/8"}}
	serve(handler(c)) // run
}

func (c config) nets() []netip.Prefix {
	var out []netip.Prefix
	for _, s := range c.lists {
		out = append(out, netip.MustParsePrefix(s)) // nets
	}
	return out
}

func (c config) known() []string {
	var out []string
	for s := range c.seen {
		out = append(out, s)
	}
	sort.Strings(out) // known
	return out
}

func (s *server) count() []netip.Prefix {
	s.n++
	return s.cfg.nets() // count
}

func (s *server) page() *bytes.Buffer {
	return bytes.NewBufferString("hello") // page
}

func (s *server) handle(name string) {
	s.cfg.seen[name] = true
	_ = s.cfg.nets() // steady
	_ = s.cfg.known() // changes
	_ = s.count() // writes
	_ = s.page() // buffer
	mine := s.cfg.nets() // mine
	mine[0] = netip.Prefix{}
	for _, c := range []config{s.cfg} {
		_ = c.nets() // each
	}
}

func serve(ctx context.Context, cfg config) {
	go func() {
		_ = cfg.nets() // request
	}()
}

func handler(cfg config) func(string) {
	return func(name string) {
		_ = cfg.nets() // taken
	}
}
`

// What a function computes is the same each time only if all that it reads is, it changes nothing, and its result is
// not changed either.
func TestWhatIsComputedAnew(t *testing.T) {
	for mark, c := range map[string]struct {
		callee string
		caller string
		want   int
	}{
		"steady":  {"example.com/m.config.nets a.go nets", "(*server).handle", 1},
		"taken":   {"example.com/m.config.nets a.go nets", "handler.func1", 1},
		"request": {"example.com/m.config.nets a.go nets", "serve.func1", -1},
		"changes": {"example.com/m.config.known a.go known", "(*server).handle", -1},
		"writes":  {"example.com/m.(*server).count a.go count", "(*server).handle", -1},
		"buffer":  {"example.com/m.(*server).page a.go page", "(*server).handle", -1},
		"mine":    {"example.com/m.config.nets a.go nets", "(*server).handle", -1},
		"each":    {"example.com/m.config.nets a.go nets", "(*server).handle", -1},
	} {
		v, s := viewOf(t, map[string]string{"a.go": unchanging}, "net/netip.MustParsePrefix", c.callee,
			"example.com/m."+c.caller+" a.go "+mark)
		_, start := viewOf(t, map[string]string{"a.go": unchanging}, "net/http.Serve", "example.com/m.run a.go run",
			"runtime.main")
		start.Frames[2].Origin = prof.Runtime
		v.add(*start) // it makes a config once
		v.Stacks[0].CPU, v.Stacks[1].CPU = 1, 1
		if got := v.ComputesSame(s); (got < 0) != (c.want < 0) {
			t.Errorf("%s: %d, want %d", mark, got, c.want)
		}
	}
}
