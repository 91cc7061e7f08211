package finder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gohone/hone/internal/program/listeners"
	"github.com/gohone/hone/internal/program/routes"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire/recognise"
	"github.com/gohone/hone/internal/wire/schemes"
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
	*Program
	named  *schemes.Target      // the target with a port to be found; nil if there is none at all
	seen   map[string]candidate // by keyOf
	woke   time.Duration        // how long a port answered that it is not ready, at least; 0 for none that did
	source *routes.Found
	// assumption says what was assumed about the target.
	assumption string
}

// candidate is a port of the subject and what it showed.
type candidate struct {
	at   listeners.Listener
	seen recognise.Seen // unless a target is named
	use  recognise.Use
}

func (c candidate) address() string { return c.at.Where() }

// keyOf tells listeners apart: the port, or the path of a Unix socket.
func keyOf(l listeners.Listener) string {
	if l.Socket != "" {
		return l.Socket
	}
	return strconv.Itoa(l.Port)
}

// host stands in requests that are made to find out what a port speaks.
func (c candidate) host() string {
	if c.at.Socket != "" {
		return "localhost"
	}
	return c.address()
}

func newFinder(p *Program) *finder {
	f := &finder{Program: p, seen: map[string]candidate{}}
	if p.Spec.Target != "" {
		// Its host and port do not matter: the listener is dialled.
		filled := strings.NewReplacer(templates.Port, "1", templates.Socket, "/s")
		target, err := Parse(filled.Replace(p.Spec.Target), ownTLS(p.Spec.Target, p.Spec.Protocol), p.Binary.Variant)
		if err == nil { // else PlannedAddress or Validate has said so
			f.named = &target
		}
	}
	return f
}

// sameAsBefore takes the port of the first start, if this start has it as well.
func (f *finder) sameAsBefore(ctx context.Context) (p Place, found bool, err error) {
	if f.Found == nil || f.Found.moves {
		return p, false, nil
	}
	want := func(l listeners.Listener) bool { return keyOf(l) == f.Found.at }
	if f.Found.told {
		want = f.Process.ListensAsTold
	}
	for end := time.Now().Add(lateOther); ; {
		own, err := f.listeners()
		if err != nil {
			return p, false, err
		}
		for _, l := range own {
			if !want(l) {
				continue
			}
			if f.Found.woke {
				err = f.awaitAwake(ctx, l)
			}
			return *f.Found, true, errors.Join(err, f.Process.Use(l))
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
		isTold := f.Process.TemplatePort() != 0 || f.Process.TemplateSocket() != ""
		if f.Found != nil && !f.Found.told {
			isTold = false // it did not listen there at its first start
		}
		told := -1
		if isTold {
			told = slices.IndexFunc(own, f.Process.ListensAsTold)
		}
		switch {
		case told >= 0:
			own = own[told : told+1] // the port that the program was told is the one that is meant
		case isTold && time.Since(began) < f.patience():
			own = nil
		}
		if f.askAll(ctx, own) {
			changed = time.Now()
		}
		if best, ok := f.best(); ok && (told >= 0 || time.Since(changed) >= lateness(best.use)) {
			if asleep := f.asleep(own); best.use == recognise.Serves || len(asleep) == 0 ||
				time.Since(began) > f.awake() {
				return best, nil
			} else if f.askAgain(ctx, asleep) {
				f.woke = time.Since(began)
			}
		}
		if err := f.pause(ctx); err != nil {
			return candidate{}, err
		}
	}
}

// patience is how long the port that the program was told may take to open.
func (f *finder) patience() time.Duration { return cmp.Or(f.Spec.ReadyTimeout, lateOther) }

func lateness(u recognise.Use) time.Duration {
	switch u {
	case recognise.Serves:
		return 0
	case recognise.Monitors, recognise.Calls:
		return lateMonitor
	}
	return lateOther
}

// pause waits a moment, unless the subject or the user has ended.
func (f *finder) pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-f.Process.Done():
		if err := f.Process.Exit(); err != nil {
			return err
		}
		return fail.New(fail.Subject, "the program ended while its ports were looked at")
	case <-time.After(latePoll):
		return nil
	}
}

// ports are the subject's listeners, one for each port.
func (f *finder) ports() ([]listeners.Listener, error) {
	own, err := f.listeners()
	if err != nil {
		return nil, err
	}
	slices.SortFunc(own, func(a, b listeners.Listener) int {
		return cmp.Or(a.Port-b.Port, a.Address.Compare(b.Address), strings.Compare(a.Socket, b.Socket))
	})
	return slices.CompactFunc(own, func(a, b listeners.Listener) bool { return keyOf(a) == keyOf(b) }), nil
}

// listeners are those that may be meant: the ports, or the Unix sockets where the target is one. Without a target they
// are the ports, and the sockets too if the program was told one, or has no port.
func (f *finder) listeners() ([]listeners.Listener, error) {
	if f.Spec.Target != "" && schemes.OverUnix(f.Spec.Target) {
		return f.Process.Sockets()
	}
	own, err := f.Process.Listeners()
	if err != nil || f.Spec.Target != "" || len(own) > 0 && f.Process.TemplateSocket() == "" {
		return own, err
	}
	unix, err := f.Process.Sockets()
	return append(own, unix...), err
}

// askAll asks the ports that were not asked yet, all at once, and says whether there were any.
func (f *finder) askAll(ctx context.Context, own []listeners.Listener) (asked bool) {
	var mu sync.Mutex
	var all sync.WaitGroup // ends below
	for _, l := range own {
		mu.Lock()
		_, known := f.seen[keyOf(l)]
		mu.Unlock()
		if known {
			continue
		}
		asked = true
		all.Go(func() {
			c := f.ask(ctx, l)
			mu.Lock()
			defer mu.Unlock()
			f.seen[keyOf(l)] = c
		})
	}
	all.Wait()
	return asked
}

// ask asks one port: for the named target's protocol, or what it speaks.
func (f *finder) ask(ctx context.Context, l listeners.Listener) candidate {
	dial := func(ctx context.Context) (net.Conn, error) { return f.Process.DialListener(ctx, l) }
	c := candidate{at: l}
	if f.named != nil {
		c.use = speaks(ctx, *f.named, dial)
		return c
	}
	c.seen = recognise.Ask(ctx, dial, c.host(), cmp.Or(f.Spec.Path, "/"))
	c.use = f.useFor(c.seen)
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
	unix := func(c candidate) int { return min(len(c.at.Socket), 1) }
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(f.rankOf(b.use)-f.rankOf(a.use), unix(a)-unix(b), pprof(a)-pprof(b),
			a.at.Port-b.at.Port, strings.Compare(a.at.Socket, b.at.Socket))
	})
	return all
}

// among says which port it is of those that were seen, and what became of the others.
func (f *finder) among(best candidate) string {
	own, err := f.ports()
	what := "port"
	if slices.ContainsFunc(own, func(l listeners.Listener) bool { return l.Socket != "" }) {
		what = "socket"
	}
	if err != nil || len(own) < 2 {
		return fmt.Sprintf("the %s it opened (it %s)", what, f.showed(best))
	}
	var others, rivals []string
	for _, l := range own {
		c, asked := f.seen[keyOf(l)]
		switch {
		case keyOf(l) == keyOf(best.at):
			continue
		case !asked:
			others = append(others, fmt.Sprintf("hone did not try %s", f.shown(l.Where())))
			continue
		}
		others = append(others, f.shown(c.address())+" "+f.showed(c))
		if c.use == best.use && best.use > recognise.Foreign {
			rivals = append(rivals, keyOf(l))
		}
	}
	text := fmt.Sprintf("one of the %d %ss it opened (it %s; %s)", len(own), what, f.showed(best),
		strings.Join(others, "; "))
	if len(rivals) > 0 {
		text += fmt.Sprintf("; --target with %s %s loads another", what, strings.Join(rivals, " or "))
	}
	return text + f.alsoCalls(best)
}

// showed is what a port did when it was asked, to follow its name.
func (f *finder) showed(c candidate) string {
	switch {
	case f.named == nil && c.seen.Protocol == recognise.Redis: // its answer to a GET of HTTP is an error
		return "speaks RESP, the protocol of Redis"
	case f.named == nil && (c.use == recognise.Foreign || c.use == recognise.Calls):
		return c.seen.String()
	case f.named == nil && !plainGet(f.Spec.Protocol): // what a GET is answered is not about the load
		return "speaks " + string(c.seen.Protocol)
	case f.named == nil && c.use == recognise.Monitors:
		return fmt.Sprintf("answers %q, as a health check or an index of metrics", c.seen.Line)
	case f.named == nil && c.use == recognise.Missing:
		return fmt.Sprintf("answers %q to GET %s", c.seen.Line, cmp.Or(f.Spec.Path, "/"))
	case f.named == nil:
		return fmt.Sprintf("answers %q", c.seen.Line)
	case c.use == recognise.Serves:
		return "answers a request of this protocol"
	case c.use == recognise.Missing:
		return "answers a request of this protocol with an error"
	}
	return "does not answer a request of this protocol"
}
