package subject

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/listeners"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/sys/cgroup"
)

// StartOptions says how a subject is started. Only Guard must be set.
type StartOptions struct {
	// Guard is the command line that runs guard.Run: hone's own executable and its hidden
	// command. The guard is the subject's parent.
	Guard []string
	// Name is what messages call it; empty: program and its variant's name.
	Name string
	// Dir is the subject's working directory; empty means hone's.
	Dir string
	// Copy are files that the subject gets fresh, in a directory of its own that it runs in instead of Dir; nil: none.
	Copy *Copies
	// Args and Env are added after the variant's own. Templates are replaced. A later
	// KEY=VALUE wins over an earlier one.
	Args, Env []string
	// Names are what templates of other programs stand for, such as {db.port}.
	Names map[string]string
	// ProbeDir is a directory of mode 0700, in which each start has one of its own for the
	// sockets of the probes; empty: no probe.
	ProbeDir string
	// DataDir is where the directories for {dir}, {socket} and the subject's TMPDIR are made; it must be there
	// if the templates are used. Empty: the subject has hone's TMPDIR.
	DataDir string
	// HideHone leaves out what tells a subject that hone started it: the mark in its environment, a TMPDIR of its own
	// and the guard's name. It goes without a probe.
	HideHone bool
	// Grace is the time between TERM and KILL; 0 means 5 s.
	Grace time.Duration
	Resources
	Readiness
	// Output says what becomes of what it writes.
	Output OutputOptions
}

// Resources is what a subject may use of the machine.
type Resources struct {
	// CPUs are the only ones that the subject may use; a Go subject sets GOMAXPROCS
	// by them. Empty: it may use those that hone may use at the time of Start.
	CPUs []int
	// Box is what the subject and all that it starts may use of CPU time and memory: it runs in a control group of its
	// own. Zero: no box.
	Box cgroup.Limits
	// Isolate gives the subject a network namespace of its own, in which only the
	// loopback exists: two subjects can then listen on the same port, and neither
	// reaches a database on this machine. The namespace has the kernel's default
	// settings, not those that the machine's own was tuned to.
	Isolate bool
}

// Readiness says when a subject is ready.
type Readiness struct {
	// Target is where the plan will talk to: host:port, or the path of a Unix socket if Network is "unix", as seen
	// from Dir. Templates in it are replaced. Empty: hone finds out where the subject listens.
	Target string
	// Network is "tcp", "unix" or, with a Target, "udp"; empty means "tcp", and without a Target that or "unix".
	Network string
	// Ready is what the subject has to do before it is ready, besides listening on the target; nil: nothing.
	Ready *Ready
	// NoTarget says that the subject need not listen: Ready alone decides, if there is one.
	NoTarget bool
	// ReadyTimeout is how long the subject may take until it is ready; 0 means 10 s.
	ReadyTimeout time.Duration
}

// OutputOptions says what becomes of what a subject writes.
type OutputOptions struct {
	// Limit is how many bytes of stdout, and of stderr, are kept: half of them from the start, half from the end. 0
	// means 64 KiB.
	Limit int
	// Stdout and Stderr, if not nil, get what it writes as well, as it comes. A writer that does not keep up stops the
	// subject.
	Stdout, Stderr io.Writer
}

const (
	defaultReadyTimeout = 10 * time.Second
	defaultGrace        = 5 * time.Second
	defaultOutputLimit  = 64 << 10
)

func (o StartOptions) withDefaults() StartOptions {
	o.ReadyTimeout = cmp.Or(o.ReadyTimeout, defaultReadyTimeout)
	o.Grace = cmp.Or(o.Grace, defaultGrace)
	o.Output.Limit = cmp.Or(o.Output.Limit, defaultOutputLimit)
	return o
}

// Start starts a binary and returns when it is ready: when its processes listen on
// the target, and no other process does. Errors are *fail.Error: of kind Subject with the
// end of what the subject wrote, if it died, did not listen in time, serves from
// another executable, or if its port is taken; BadInput for a bad option;
// Environment where this machine refuses; Interrupted when ctx ended. Nothing of the
// subject is left then.
func Start(ctx context.Context, b *build.Binary, o StartOptions) (*Process, error) {
	return startOnPorts(ctx, b, o, templates.FreePort)
}

// startOnPorts is Start with what finds free ports.
func startOnPorts(ctx context.Context, b *build.Binary, o StartOptions, freePort func() (int, error)) (*Process,
	error) {
	for try := 1; ; try++ {
		plan := newPrepared(b, o, freePort)
		r, err := plan.begin(ctx, false)
		if err == nil {
			var p *Process
			if p, err = r.becomeReady(ctx); err == nil {
				return p, nil
			}
		}
		switch {
		case try < mostPorts && ctx.Err() == nil && plan.port != 0 && lostPort(r, err):
		case r == nil:
			return nil, err
		default:
			return nil, r.blameProbe(ctx, err)
		}
	}
}

// mostPorts is how many free ports a subject is started with: another program may take one
// before the subject does.
const mostPorts = 3

// lostPort says that err came of a port that another program took; r is nil if nothing was started.
func lostPort(r *running, err error) bool {
	var taken *listeners.TakenError
	return errors.As(err, &taken) || r != nil && r.saysTaken()
}

// saysTaken says that the subject has ended because an address was in use, by its own words.
func (p *running) saysTaken() bool {
	_, over := p.ended.known()
	return over && strings.Contains(p.Output().Text(), "address already in use")
}
