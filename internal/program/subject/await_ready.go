package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/earlyend"
	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/program/listeners"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// The system has no event for "a process has begun to listen" that an ordinary user
// may wait for, so readiness is polled: often at first, since most Go servers listen
// within milliseconds, and then at a pace that costs a starting subject no CPU worth
// naming, and that knows the time of a start to some 6 % (ReadyAfter).
const (
	firstPoll = time.Millisecond
	lastPoll  = 20 * time.Millisecond
	pollShare = 16 // of the time so far is a pause: one in so many
	// Settle is how long the set of listeners must stay the same when hone has to
	// guess which one the plan means: a server that opens several does so at once.
	settle       = 100 * time.Millisecond
	settleSocket = time.Second
)

// pause is how long to wait for the next look, so long after the first.
func pause(since time.Duration) time.Duration { return min(max(firstPoll, since/pollShare), lastPoll) }

// errLate is the cause of the readiness deadline.
var errLate = errors.New("not ready in time")

// becomeReady waits until the subject can be dialled, and stops it if that does not come about.
func (p *running) becomeReady(ctx context.Context) (*Process, error) {
	ready, err := p.awaitReady(ctx)
	if err != nil {
		// A caller who gave up gets no grace either: Stop kills when ctx has ended.
		if _, stopErr := p.Stop(ctx); stopErr != nil {
			err = errors.Join(err, stopErr)
		}
		return nil, err
	}
	return ready, nil
}

// awaitReady returns when the subject can be dialled.
func (p *running) awaitReady(ctx context.Context) (*Process, error) {
	ready, cancel := context.WithTimeoutCause(ctx, p.opts.ReadyTimeout, errLate)
	defer cancel()
	select {
	case <-p.begun.happened:
	case <-ready.Done():
		if p.ready != nil {
			return nil, p.conditionNotMet(ctx)
		}
		return nil, p.notReady(ctx)
	}
	begun, _ := p.begun.known()
	if begun.fault != nil {
		return nil, p.startError(*begun.fault)
	}
	if p.ready != nil {
		if err := p.awaitCondition(ctx, ready); err != nil {
			return nil, err
		}
		if p.opts.NoTarget {
			return &Process{running: p, at: place{address: p.target.Text}}, nil
		}
	}
	search := &search{process: p, since: time.Now()}
	for {
		now := time.Now()
		found, err := search.look(ready)
		if err != nil {
			return nil, fail.New(fail.Environment, "look for the listeners of %s: %w", p.name, err)
		}
		if found != nil {
			at, err := p.accept(found, search.where(found), p.target.Text)
			if err != nil {
				return nil, err
			}
			return &Process{running: p, at: at, readyAfter: search.firstFound(now).Sub(begun.at)}, nil
		}
		select {
		case <-p.ended.happened:
			return nil, p.diedEarly()
		case <-ready.Done():
			return nil, p.notReady(ctx)
		case <-time.After(pause(time.Since(begun.at))):
		}
	}
}

// awaitCondition returns when what the options want of a program that is ready has come true. ready is ctx with the
// time limit.
func (p *running) awaitCondition(ctx, ready context.Context) error {
	begun, _ := p.begun.known()
	var found <-chan struct{} // a line of output needs no polling
	if p.ready.lines != nil {
		found = p.ready.lines.found
	}
	for !p.ready.met(ready, p) {
		select {
		case <-found:
		case <-p.ended.happened:
			if p.ready.met(ready, p) { // its last words may be the line
				continue
			}
			return p.diedEarly()
		case <-ready.Done():
			return p.conditionNotMet(ctx)
		case <-time.After(pause(time.Since(begun.at))):
		}
	}
	return nil
}

// conditionNotMet says why waiting for the condition has ended.
func (p *running) conditionNotMet(ctx context.Context) error {
	if ctx.Err() != nil {
		return fail.New(fail.Interrupted, "start %s: %w", p.name, context.Cause(ctx))
	}
	return fail.New(fail.Subject, "%s was not ready within %v: waited for %s, and %s%s",
		p.name, p.opts.ReadyTimeout, p.ready.text, cmp.Or(p.ready.shown, "it did not come about"), p.lastWords()).
		WithHint("check what is waited for, or allow more time (%s)", p.timeOption())
}

// needName is what the name of a need begins with.
const needName = "need "

// timeOption names what allows more time.
func (p *running) timeOption() string {
	if p.opts.NoTarget || strings.HasPrefix(p.name, needName) {
		return "ready-timeout of the need"
	}
	return "--set ready.timeout"
}

// accept takes the listener as the subject's, unless it belongs to an executable that is not the one that was built.
// dial is where it is reached, address how the plan calls that; empty for the same.
func (p *running) accept(l *listeners.Listener, dial, address string) (place, error) {
	if l.Socket != "" && p.opts.Isolate {
		return place{}, fail.New(fail.BadInput,
			"%s listens on the Unix socket %s, and so would another variant: a network namespace does not part them",
			p.name,
			l.Socket).
			WithHint("let hone choose a path for each: write %s in the program's arguments or environment",
				templates.Socket)
	}
	if p.binary.BuildID != "" && l.PID != 0 {
		if err := p.binary.CheckRunning(l.PID); err != nil {
			return place{}, err
		}
	}
	if l.Socket != "" {
		p.files.keep(dial)
	}
	return place{address: cmp.Or(address, dial), dial: dial, unix: l.Socket != ""}, nil
}

// search is the state of the polling.
type search struct {
	process *running
	at      netip.AddrPort       // where to dial what look found
	last    []listeners.Listener // guessing: the set seen in the last round
	since   time.Time            // when it changed
}

// firstFound is when what look found was there first: where hone guesses, before the set of listeners had settled.
func (s *search) firstFound(now time.Time) time.Time {
	if s.last != nil {
		return s.since
	}
	return now
}

// where is where to dial what look found.
func (s *search) where(l *listeners.Listener) string {
	if s.at.IsValid() {
		return s.at.String()
	}
	return l.Where()
}

// look returns the listener to use, or nil if it is not there yet.
func (s *search) look(ctx context.Context) (*listeners.Listener, error) {
	p := s.process
	if p.target.Socket != "" {
		return p.lookAtSocket(ctx)
	}
	all, own, err := p.listeners(p.opts.Network)
	if err != nil {
		return nil, err
	}
	if p.target.Port != 0 {
		at, found, stranger := p.target.Find(all, func(pid int) bool { return pid != 0 })
		if stranger != nil {
			return nil, nil // it may be about to leave; notReady names it
		}
		s.at = at
		return found, nil
	}
	if p.opts.Network == "unix" {
		own = nil
	}
	if p.opts.Network != "tcp" && (len(own) == 0 || p.TemplateSocket() != "") {
		unix, err := p.Sockets()
		if err != nil {
			return nil, err
		}
		own = append(own, unix...)
	}
	if now := time.Now(); !slices.Equal(own, s.last) {
		s.last, s.since = own, now
	} else if len(own) > 0 {
		l := listeners.Guess(own, p.port, p.TemplateSocket())
		if now.Sub(s.since) >= settleTime(l, p) {
			s.at = netip.AddrPort{}
			return &l, nil
		}
	}
	return nil, nil
}

// settleTime is settle, and longer for a Unix socket that the subject was not told: it may be a minor one, and the
// port still to come.
func settleTime(l listeners.Listener, p *running) time.Duration {
	if l.Socket != "" && !p.ListensAsTold(l) {
		return settleSocket
	}
	return settle
}

// notReady says why waiting has ended.
func (p *running) notReady(ctx context.Context) error {
	if ctx.Err() != nil {
		return fail.New(fail.Interrupted, "start %s: %w", p.name, context.Cause(ctx))
	}
	if err := p.strangerNow(); err != nil {
		return err
	}
	_, own, _ := p.listeners(p.opts.Network)
	where := "it listens on no TCP port and no Unix socket"
	if p.opts.Network == "udp" {
		where = "it listens on no UDP port"
	} else if unix, err := p.Sockets(); err == nil {
		own = append(own, unix...)
	}
	if len(own) > 0 {
		texts := make([]string, len(own))
		for i, l := range own {
			texts[i] = l.String()
		}
		where = "it listens on " + strings.Join(texts, ", ")
	}
	what := map[string]string{"": "on any TCP port or Unix socket", "tcp": "on any TCP port",
		"unix": "on any Unix socket"}[p.opts.Network]
	if p.target.Text != "" {
		what = "on " + p.target.Text
	}
	return fail.New(fail.Subject, "%s did not listen %s within %v: %s%s",
		p.name, what, p.opts.ReadyTimeout, where, p.lastWords()).
		WithHint("%s", cmp.Or(p.staleHint(),
			"check the target and the program's arguments, or allow more time to get ready (--set ready.timeout)"))
}

// staleHint is for a program that cannot listen since the file of an earlier socket is in its way; empty for others.
func (p *running) staleHint() string {
	if !p.stale {
		return ""
	}
	return fmt.Sprintf("an earlier program left the file of the socket, and hone removes only what its own programs "+
		"leave: rm %s; or let hone choose the path: write %s",
		shellwords.Quote(p.target.Socket), templates.Socket)
}

// startError is why there is no main process.
func (p *running) startError(fault guard.Fault) error {
	kind, hint := fail.Environment, ""
	if fault.Subject {
		kind = fail.Subject
	}
	if len(p.opts.CPUs) > 0 && strings.HasPrefix(fault.Step, "pin") {
		hint = "choose CPUs that hone may use, or leave the pinning out"
	}
	if fault.Step == guard.BoxStep {
		return cgroup.Refused(errors.New(fault.Text))
	}
	if p.opts.Isolate && !fault.Subject && hint == "" {
		hint = "leave the isolation out and give the variants different ports"
	}
	return fail.New(kind, "start %s: %w%s", p.name, fault.Err(), p.lastWords()).WithHint("%s", hint)
}

// diedEarly is the error for a subject that ended before it listened.
func (p *running) diedEarly() error {
	if err := p.strangerNow(); err != nil {
		return fmt.Errorf("%w; %w", err, p.deathError("before it was ready"))
	}
	if err := p.outOfMemory("before it was ready"); err != nil {
		return err
	}
	death := p.deathError("before it was ready")
	if hint := p.staleHint(); hint != "" {
		return death.WithHint("%s", hint)
	}
	next := p.nextStep()
	death = death.WithHint("%s", next.Hint)
	if next.Args != nil || next.WorkDir != "" {
		return &earlyend.Error{Err: death, Step: next}
	}
	return death
}

// nextStep is what to do about a program that ended before it listened. The arguments of a need stand in its command.
func (p *running) nextStep() earlyend.Step {
	end, _ := p.ended.known()
	if !strings.HasPrefix(p.name, needName) {
		said := earlyend.Ended{Output: p.Output().Text(), Dir: p.opts.Dir, Starts: earlyend.ReadmeStarts(p.binary)}
		said.Last = earlyend.LastLine(p.stderr.Stream().String(), p.stdout.Stream().String())
		if p.binary.Checkout != nil || p.opts.Copy != nil {
			said.Dir = ""
		}
		next := earlyend.Next(said)
		if next.Hint == "" && end.exit.Code != 0 {
			next = earlyend.NextFlag(said, p.ownHelp())
		}
		if next.Hint != "" {
			return next
		}
	}
	byHand := "run it by hand with the same arguments; a server that goes to the background must stay in the foreground"
	if end.exit == (guard.ExitStatus{}) && !end.lost {
		byHand = "a program that ends by itself is measured with hone run --once; a server: " + byHand
	}
	return earlyend.Step{Hint: byHand}
}

// strangerNow names another process that has the target's port.
func (p *running) strangerNow() error {
	if p.target.Socket != "" {
		if pid, err := listeners.DialUnix(context.Background(), p.target.Socket); err == nil && !p.owns(pid) {
			return listeners.Taken(listeners.Listener{Socket: p.target.Socket, PID: pid}, p.target.Text)
		}
		return nil
	}
	if p.target.Port == 0 || p.opts.Isolate {
		return nil
	}
	ours, _ := p.processes()
	all, err := listeners.Of(p.opts.Network, os.Getpid(), everyProcess)
	if err != nil {
		return nil // only a better explanation is lost
	}
	if _, _, stranger := p.target.Find(all, func(pid int) bool { return slices.Contains(ours, pid) }); stranger != nil {
		return listeners.Taken(*stranger, p.target.Text)
	}
	return nil
}
