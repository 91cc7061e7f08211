package subject

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/program/listeners"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/fail"
)

// StartOptions says how a subject is started. Only Guard must be set.
type StartOptions struct {
	// Run is the command line that runs Guard: hone's own executable and its hidden
	// command. The guard is the subject's parent.
	Guard []string
	// Target is where the plan will talk to: host:port, or the path of a Unix socket if Network is "unix", as seen
	// from Dir. Templates in it are replaced. Empty: hone finds out where the subject listens.
	Target string
	// Network is "tcp", "unix" or, with a Target, "udp"; empty means "tcp", and without a Target that or "unix".
	Network string
	// CPUs are the only ones that the subject may use; a Go subject sets GOMAXPROCS
	// by them. Empty: it may use those that hone may use at the time of Start.
	CPUs []int
	// Box is what the subject and all that it starts may use of CPU time and memory: it runs in a control group of its own. Zero: no box.
	Box cgroup.Limits
	// Isolate gives the subject a network namespace of its own, in which only the
	// loopback exists: two subjects can then listen on the same port, and neither
	// reaches a database on this machine. The namespace has the kernel's default
	// settings, not those that the machine's own was tuned to.
	Isolate bool
	// Dir is the subject's working directory; empty means hone's.
	Dir string
	// Copy are files that the subject gets fresh, in a directory of its own that it runs in instead of Dir; nil: none.
	Copy *Copies
	// Args and Env are added after the variant's own. Templates are replaced. A later
	// KEY=VALUE wins over an earlier one.
	Args, Env []string
	// ProbeDir is a directory of mode 0700, in which each start has one of its own for the
	// Sockets of the probes; empty: no probe.
	ProbeDir string
	// DataDir is where the directories for Dir, Socket and the subject's TMPDIR are made; it must be there
	// if the templates are used. Empty: the subject has hone's TMPDIR.
	DataDir string
	// Unseen leaves out what tells a subject that hone started it: the mark in its environment, a TMPDIR of its own and the
	// guard's name. It goes without a probe.
	Unseen bool
	// Ready is what the subject has to do before it is ready, besides listening on the target; nil: nothing.
	Ready *Ready
	// NoTarget says that the subject need not listen: Ready alone decides, if there is one.
	NoTarget bool
	// Name is what messages call it; empty: program and its variant's name.
	Name string
	// Names are what templates of other programs stand for, such as {db.port}.
	Names map[string]string
	// ReadyTimeout is how long the subject may take until it is ready; 0 means 10 s.
	ReadyTimeout time.Duration
	// Grace is the time between TERM and KILL; 0 means 5 s.
	Grace time.Duration
	// OutputLimit is how many bytes of stdout, and of stderr, are kept: half of them
	// from the start, half from the end. 0 means 64 KiB.
	OutputLimit int
	// Stdout and Stderr, if not nil, get what it writes as well, as it comes. A writer
	// that does not keep up stops the subject.
	Stdout, Stderr io.Writer

	freePort func() (int, error) // nil: FreePort
}

const (
	defaultReadyTimeout = 10 * time.Second
	defaultGrace        = 5 * time.Second
	defaultOutputLimit  = 64 << 10
)

func (o StartOptions) withDefaults() StartOptions {
	o.ReadyTimeout = cmp.Or(o.ReadyTimeout, defaultReadyTimeout)
	o.Grace = cmp.Or(o.Grace, defaultGrace)
	o.OutputLimit = cmp.Or(o.OutputLimit, defaultOutputLimit)
	return o
}

// Process is a started subject: its main process and all processes below it. Its
// methods may be called from several goroutines. Stop must be called in the end,
// Also when the subject has died.
type Process struct {
	binary *build.Binary
	opts   StartOptions
	name   string // as messages call it
	port   int    // in the place of Port; 0 if none was asked for
	fill   *templates.Filler
	env    []string // that was added, filled in
	target listeners.Target
	dial   string // IP:port behind target.text, or the path of a Unix socket
	unix   bool   // Dial is one
	probe  string // Socket of the main process's probe
	stale  bool   // the target's socket had a file before the start, on which no process listened
	files  socketFiles
	mark   string // in the environment of all its processes; empty where marks mean nothing

	ready *readiness // nil unless the options have one

	leash          *guard.Client
	stdout, stderr *output.Pump
	account        *usage.Account
	box            cgroup.Group // without one it does not exist

	boxMu sync.Mutex
	boxed cgroup.Counters // as the guard read them

	pid       int              // of the main process; set before started is closed
	guard     int              // PID of its parent; set before started is closed
	fault     *guard.Fault     // why there is none
	started   chan struct{}    // the guard has answered
	done      chan struct{}    // the main process has ended
	exit      guard.ExitStatus // set before done is closed
	spent     usage.Spent      // set before done is closed
	lost      bool             // done because the guard died; set before done is closed
	expected  bool             // done after Stop was called; set before done is closed
	gone      chan struct{}    // nothing is left: guard reaped, pipes closed
	probed    bool             // the probe had come to work; set before gone is closed
	life      usage.Life       // set before gone is closed
	temp      string           // its TMPDIR; empty for hone's
	killed    []guard.KilledProcess
	born      time.Time
	stopAsked atomic.Int64 // of the first Stop, nanoseconds since born; 0 before
	stopTook  time.Duration
	hurried   atomic.Bool   // its grace was cut short
	parting   time.Duration // partedPatience

	executed   time.Time     // when the main process began; set before started is closed
	readyAfter time.Duration // from then until it was seen to be ready
}

// ReadyAfter is how long the subject took from its beginning until it was ready: until it listened, and met the condition if it has
// one. It is known to some 6 %, and to a millisecond; 0 where nothing was waited for.
func (p *Process) ReadyAfter() time.Duration { return p.readyAfter }

// Start starts a binary and returns when it is ready: when its processes listen on
// the target, and no other process does. Errors are *fail.Error: of kind Subject with the
// end of what the subject wrote, if it died, did not listen in time, serves from
// another executable, or if its port is taken; BadInput for a bad option;
// Environment where this machine refuses; Interrupted when ctx ended. Nothing of the
// subject is left then.
func Start(ctx context.Context, b *build.Binary, o StartOptions) (*Process, error) {
	for try := 1; ; try++ {
		p := newProcess(b, o)
		err := p.start(ctx)
		if err == nil {
			return p, nil
		}
		if try == mostPorts || !p.lostPort(err) || ctx.Err() != nil {
			return nil, p.blameProbe(ctx, err)
		}
	}
}

// mostPorts is how many free ports a subject is started with: another program may take one
// before the subject does.
const mostPorts = 3

func (p *Process) start(ctx context.Context) error {
	if err := p.begin(ctx, false); err != nil {
		return err
	}
	err := p.awaitReady(ctx)
	if err != nil {
		// A caller who gave up gets no grace either: Stop kills when ctx has ended.
		if _, stopErr := p.Stop(ctx); stopErr != nil {
			err = errors.Join(err, stopErr)
		}
	}
	return err
}

// lostPort says that err came of a free port, chosen by hone, that another program then took.
func (p *Process) lostPort(err error) bool {
	var taken *listeners.TakenError
	return p.port != 0 && (errors.As(err, &taken) || p.saysTaken())
}

// saysTaken says that the subject has ended because an address was in use, by its own words.
func (p *Process) saysTaken() bool {
	return closed(p.done) && strings.Contains(p.Output().Text(), "address already in use")
}

func newProcess(b *build.Binary, o StartOptions) *Process {
	p := &Process{
		binary:  b,
		born:    time.Now(),
		opts:    o.withDefaults(),
		mark:    lifetime.NewMark(),
		fill:    templates.NewFiller(o.DataDir, o.Names),
		name:    cmp.Or(o.Name, "program "+cmp.Or(b.Variant.Name, filepath.Base(b.Path))),
		started: make(chan struct{}),
		done:    make(chan struct{}),
		gone:    make(chan struct{}),
		parting: partedPatience,
	}
	if o.freePort != nil {
		p.fill.FreePort = o.freePort
	}
	return p
}

// begin prepares and launches, or leaves nothing behind. once is as in StartOrder.
func (p *Process) begin(ctx context.Context, once bool) error {
	first, err := p.prepare(ctx)
	if err == nil {
		first.Once = once
		err = p.launch(first)
	}
	if err != nil {
		p.removeFiles()
	}
	return err
}

// prepare fills in the templates and looks at the port before anything is started.
func (p *Process) prepare(ctx context.Context) (guard.StartOrder, error) {
	path, err := filepath.Abs(p.binary.Path)
	if err != nil {
		return guard.StartOrder{}, fail.New(fail.Environment, "start %s: %w", p.name, err)
	}
	if p.opts.Copy != nil {
		if err := p.copyFiles(); err != nil {
			return guard.StartOrder{}, err
		}
	}
	fill, v := p.fill, p.binary.Variant
	begin := guard.StartOrder{
		Path:        path,
		Argv:        append([]string{path}, fill.All(v.Args, p.opts.Args)...),
		Dir:         p.opts.Dir,
		CPUs:        p.opts.CPUs,
		Isolated:    p.opts.Isolate,
		Unseen:      p.opts.Unseen,
		OrphanGrace: min(p.opts.Grace, guard.OrphanGrace),
	}
	if p.opts.Box != (cgroup.Limits{}) {
		if p.box, err = cgroup.Place(p.opts.Box); err != nil {
			return guard.StartOrder{}, err
		}
		begin.Box = p.box
	}
	added := fill.All(v.Env, v.RunEnv, p.opts.Env)
	text := fill.One(p.opts.Target)
	if fill.Err != nil {
		return guard.StartOrder{}, fill.Err
	}
	p.port = fill.Port()
	if p.opts.Network == "unix" && text != "" {
		p.target, err = listeners.UnixTarget(text, p.opts.Dir)
	} else {
		p.target, err = listeners.ParseTarget(ctx, text, p.opts.Isolate)
	}
	if err != nil {
		return guard.StartOrder{}, err
	}
	if p.opts.ProbeDir != "" {
		if p.probe, err = probeclient.MakeSocketDir(p.opts.ProbeDir); err != nil {
			return guard.StartOrder{}, err
		}
	}
	if p.opts.Unseen {
		p.mark = ""
	}
	if p.opts.DataDir != "" && !p.opts.Unseen {
		if p.temp, err = templates.MakeDir(p.opts.DataDir); err != nil {
			return guard.StartOrder{}, err
		}
		added = append([]string{"TMPDIR=" + p.temp}, added...) // a value of the user's comes later, and counts
	}
	p.env = added
	begin.Env = guard.Environment(os.Environ(), added, p.opts.Dir, p.probe, p.mark)
	if err := p.prepareReady(ctx); err != nil {
		return guard.StartOrder{}, err
	}
	switch {
	case p.target.Socket != "":
		err = p.refuseSocketStranger(ctx)
	case p.target.Port != 0 && !p.opts.Isolate:
		err = p.refuseStranger()
	}
	return begin, err
}

// alsoTo is where a stream goes besides: to the writer of the options, and to what looks for a line; nil for nowhere.
func (p *Process) alsoTo(w io.Writer) io.Writer {
	switch {
	case p.ready == nil || p.ready.lines == nil:
		return w
	case w == nil:
		return p.ready.lines.stream()
	}
	return io.MultiWriter(w, p.ready.lines.stream())
}

// copyFiles makes the directory that the subject runs in.
func (p *Process) copyFiles() error {
	p.opts.Dir = p.fill.One(templates.Dir)
	if p.fill.Err != nil {
		return p.fill.Err
	}
	return p.opts.Copy.make(p.opts.Dir)
}

// launch starts the guard and gives it its order. Afterwards watch owns what was
// started.
func (p *Process) launch(begin guard.StartOrder) error {
	var outEnd, errEnd *os.File
	var err error
	if p.stdout, outEnd, err = output.NewPump(p.opts.OutputLimit); err != nil {
		return fail.New(fail.Environment, "start %s: %w", p.name, err)
	}
	defer outEnd.Close()
	if p.stderr, errEnd, err = output.NewPump(p.opts.OutputLimit); err != nil {
		p.stdout.Pipe.Close()
		return fail.New(fail.Environment, "start %s: %w", p.name, err)
	}
	defer errEnd.Close()
	p.stdout.Also, p.stderr.Also = p.alsoTo(p.opts.Stdout), p.alsoTo(p.opts.Stderr)
	if p.leash, err = guard.Start(p.opts.Guard, p.opts.Isolate, p.box, outEnd, errEnd); err != nil {
		p.stdout.Pipe.Close()
		p.stderr.Pipe.Close()
		return err
	}
	p.account = usage.NewAccount(p.processes, p.guardPID)
	go p.stdout.Run()
	go p.stderr.Run()
	go p.watch()
	_ = p.leash.Send(guard.Order{Kind: guard.OrderStart, Start: begin}) // an error shows as a lost guard
	return nil
}
