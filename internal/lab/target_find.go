package lab

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/protocol"
	"github.com/gohone/hone/internal/recognise"
	"github.com/gohone/hone/internal/routes"
	"github.com/gohone/hone/internal/subject"
)

// How long a port that opens later is waited for, counted from the last one that opened,
// while none answers as a service does: a health check or the pages of net/http/pprof
// often open first.
const (
	lateMonitor = time.Second     // where one answers with success
	lateOther   = 2 * time.Second // where none does
	latePoll    = 20 * time.Millisecond
)

// finder looks for the port to load at one start of a variant.
type finder struct {
	*start
	named  *protocol.Target // the target with a port to be found; nil if there is none at all
	seen   map[int]candidate
	source *routes.Found
}

// candidate is a port of the subject and what it showed.
type candidate struct {
	at   subject.Listener
	seen recognise.Seen // unless a target is named
	use  recognise.Use
}

func (c candidate) address() string { return c.at.DialAddress().String() }

func newFinder(s *start) *finder {
	f := &finder{start: s, seen: map[int]candidate{}}
	r := s.request
	if r.Target != "" {
		// Its host and port do not matter: the listener is dialled.
		target, err := protocol.Parse(strings.ReplaceAll(r.Target, subject.PortTemplate, "1"), ownTLS(r.Target, r.Protocol))
		if err == nil { // else plannedAddress or Validate has said so
			f.named = &target
		}
	}
	return f
}

// again takes the port of the first start, if this start has it as well.
func (f *finder) again(ctx context.Context) (p place, found bool, err error) {
	if f.found == nil || f.found.moves {
		return p, false, nil
	}
	want := f.found.port
	if f.found.told {
		want = f.process.TemplatePort()
	}
	for end := time.Now().Add(lateOther); ; {
		own, err := f.process.Listeners()
		if err != nil {
			return p, false, err
		}
		for _, l := range own {
			if l.Port == want {
				return *f.found, true, f.process.Use(l)
			}
		}
		if time.Now().After(end) {
			return p, false, nil
		}
		if err := f.pause(ctx); err != nil {
			return p, false, err
		}
	}
}

// search asks the ports until one answers as a service does, or no more seem to come.
func (f *finder) search(ctx context.Context) (candidate, error) {
	began := time.Now()
	changed := began
	for {
		own, err := f.ports()
		if err != nil {
			return candidate{}, err
		}
		template := f.process.TemplatePort()
		if f.found != nil && !f.found.told {
			template = 0 // it did not listen there at its first start
		}
		told := slices.IndexFunc(own, func(l subject.Listener) bool { return l.Port == template })
		switch {
		case template != 0 && told >= 0:
			own = own[told : told+1] // the port that the program was told is the one that is meant
		case template != 0 && time.Since(began) < f.patience():
			own = nil
		}
		if f.askAll(ctx, own) {
			changed = time.Now()
		}
		if best, ok := f.best(); ok && (told >= 0 || time.Since(changed) >= lateness(best.use)) {
			return best, nil
		}
		if err := f.pause(ctx); err != nil {
			return candidate{}, err
		}
	}
}

// patience is how long the port that the program was told may take to open.
func (f *finder) patience() time.Duration { return cmp.Or(f.request.ReadyTimeout, lateOther) }

func lateness(u recognise.Use) time.Duration {
	switch u {
	case recognise.Serves:
		return 0
	case recognise.Monitors:
		return lateMonitor
	}
	return lateOther
}

// pause waits a moment, unless the subject or the user has ended.
func (f *finder) pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-f.process.Done():
		if err := f.process.Exit(); err != nil {
			return err
		}
		return fail.New(fail.Subject, "the program ended while its ports were looked at")
	case <-time.After(latePoll):
		return nil
	}
}

// ports are the subject's listeners, one for each port.
func (f *finder) ports() ([]subject.Listener, error) {
	own, err := f.process.Listeners()
	if err != nil {
		return nil, err
	}
	slices.SortFunc(own, func(a, b subject.Listener) int { return cmp.Or(a.Port-b.Port, a.Address.Compare(b.Address)) })
	return slices.CompactFunc(own, func(a, b subject.Listener) bool { return a.Port == b.Port }), nil
}

// askAll asks the ports that were not asked yet, all at once, and says whether there were any.
func (f *finder) askAll(ctx context.Context, own []subject.Listener) (asked bool) {
	var mu sync.Mutex
	var all sync.WaitGroup // ends below
	for _, l := range own {
		mu.Lock()
		_, known := f.seen[l.Port]
		mu.Unlock()
		if known {
			continue
		}
		asked = true
		all.Go(func() {
			c := f.ask(ctx, l)
			mu.Lock()
			defer mu.Unlock()
			f.seen[l.Port] = c
		})
	}
	all.Wait()
	return asked
}

// ask asks one port: for the named target's protocol, or what it speaks.
func (f *finder) ask(ctx context.Context, l subject.Listener) candidate {
	dial := func(ctx context.Context) (net.Conn, error) { return f.process.DialListener(ctx, l) }
	c := candidate{at: l}
	if f.named != nil {
		c.use = speaks(ctx, *f.named, dial)
		return c
	}
	c.seen = recognise.Ask(ctx, dial, l.DialAddress().String(), cmp.Or(f.request.Path, "/"))
	c.use = c.seen.Use()
	return c
}

// goPprofPort is where net/http/pprof's documentation tells Go programs to listen.
const goPprofPort = 6060

// best is the candidate to load: the one of best use, the usual port of net/http/pprof last
// among equals, and the lowest of the others.
func (f *finder) best() (candidate, bool) {
	all := f.ranked()
	if len(all) == 0 {
		return candidate{}, false
	}
	return all[0], true
}

func (f *finder) ranked() []candidate {
	var all []candidate
	for _, c := range f.seen {
		all = append(all, c)
	}
	pprof := func(c candidate) int {
		if c.at.Port == goPprofPort {
			return 1
		}
		return 0
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(int(b.use)-int(a.use), pprof(a)-pprof(b), a.at.Port-b.at.Port)
	})
	return all
}

// among says which port it is of those that were seen, and what became of the others.
func (f *finder) among(best candidate) string {
	own, err := f.ports()
	if err != nil || len(own) < 2 {
		return fmt.Sprintf("the port it opened (it %s)", f.showed(best))
	}
	var others, rivals []string
	for _, l := range own {
		c, asked := f.seen[l.Port]
		switch {
		case l.Port == best.at.Port:
			continue
		case !asked:
			others = append(others, fmt.Sprintf("%s was not asked", l.DialAddress()))
			continue
		}
		others = append(others, c.address()+" "+f.showed(c))
		if c.use == best.use && best.use > recognise.Foreign {
			rivals = append(rivals, strconv.Itoa(l.Port))
		}
	}
	text := fmt.Sprintf("one of the %d ports it opened (it %s; %s)", len(own), f.showed(best), strings.Join(others, "; "))
	if len(rivals) > 0 {
		text += fmt.Sprintf("; --target with port %s loads another", strings.Join(rivals, " or "))
	}
	return text
}

// showed is what a port did when it was asked, to follow its name.
func (f *finder) showed(c candidate) string {
	switch {
	case f.named == nil && c.use == recognise.Foreign:
		return c.seen.String()
	case f.named == nil && c.use == recognise.Monitors:
		return fmt.Sprintf("answers %q, as a health check or an index of metrics", c.seen.Line)
	case f.named == nil:
		return fmt.Sprintf("answers %q", c.seen.Line)
	case c.use == recognise.Serves:
		return "answers a request of this protocol"
	case c.use == recognise.Missing:
		return "answers a request of this protocol with an error"
	}
	return "does not answer a request of this protocol"
}
