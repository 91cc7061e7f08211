package subject

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/program/listeners"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/sys/processes"
	"github.com/gohone/hone/internal/text/fail"
)

// prepared is a start before anything runs: what the options and the templates come to, and the files made for it.
type prepared struct {
	binary *build.Binary
	opts   StartOptions
	name   string // as messages call it
	fill   *templates.Filler
	port   int      // that stands for templates.Port; 0 if none was asked for
	env    []string // that was added, filled in
	target listeners.Target
	probe  string // the socket of the main process's probe; empty without a probe
	temp   string // its TMPDIR; empty for hone's
	mark   string // in the environment of all its processes; empty where marks mean nothing
	stale  bool   // the target's socket had a file before the start, on which no process listened
	files  socketFiles
	ready  *readiness   // nil unless the options have one
	box    cgroup.Group // without one it does not exist
}

func newPrepared(b *build.Binary, o StartOptions, freePort func() (int, error)) *prepared {
	p := &prepared{
		binary: b,
		opts:   o.withDefaults(),
		mark:   lifetime.NewMark(),
		fill:   templates.NewFiller(o.DataDir, o.Names),
		name:   cmp.Or(o.Name, "program "+cmp.Or(b.Variant.Name, filepath.Base(b.Path))),
	}
	p.fill.FreePort = freePort
	return p
}

// begin prepares and launches, or leaves nothing behind. once is as in guard.StartOrder.
func (p *prepared) begin(ctx context.Context, once bool) (r *running, err error) {
	order, err := p.prepare(ctx)
	if err == nil {
		order.Once = once
		r, err = p.launch(order)
	}
	if err != nil {
		p.removeFiles()
		return nil, err
	}
	return r, nil
}

// prepare fills in the templates and looks at the port before anything is started.
func (p *prepared) prepare(ctx context.Context) (guard.StartOrder, error) {
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
		HideHone:    p.opts.HideHone,
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
	if p.opts.HideHone {
		p.mark = ""
	}
	if p.opts.DataDir != "" && !p.opts.HideHone {
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
func (p *prepared) alsoTo(w io.Writer) io.Writer {
	switch {
	case p.ready == nil || p.ready.lines == nil:
		return w
	case w == nil:
		return p.ready.lines.stream()
	}
	return io.MultiWriter(w, p.ready.lines.stream())
}

// copyFiles makes the directory that the subject runs in.
func (p *prepared) copyFiles() error {
	p.opts.Dir = p.fill.One(templates.Dir)
	if p.fill.Err != nil {
		return p.fill.Err
	}
	return p.opts.Copy.make(p.opts.Dir)
}

// launch starts the guard and gives it its order. Afterwards watch owns what was started.
func (p *prepared) launch(order guard.StartOrder) (*running, error) {
	r := newRunning(p)
	var outEnd, errEnd *os.File
	var err error
	if r.stdout, outEnd, err = output.NewPump(p.opts.Output.Limit); err != nil {
		return nil, fail.New(fail.Environment, "start %s: %w", p.name, err)
	}
	defer outEnd.Close()
	if r.stderr, errEnd, err = output.NewPump(p.opts.Output.Limit); err != nil {
		r.stdout.Abandon()
		return nil, fail.New(fail.Environment, "start %s: %w", p.name, err)
	}
	defer errEnd.Close()
	r.stdout.Also, r.stderr.Also = p.alsoTo(p.opts.Output.Stdout), p.alsoTo(p.opts.Output.Stderr)
	if r.client, err = guard.Start(p.opts.Guard, p.opts.Isolate, p.box, outEnd, errEnd); err != nil {
		r.stdout.Abandon()
		r.stderr.Abandon()
		return nil, err
	}
	r.account = usage.NewAccount(r.processes, r.guardPID)
	go r.stdout.Run()
	go r.stderr.Run()
	go r.watch()
	r.client.Begin(order)
	return r, nil
}

// refuseSocketStranger fails if a process listens on the target's socket before the program is started. A file that
// no process listens on is left alone: most programs remove it themselves, and it is not hone's.
func (p *prepared) refuseSocketStranger(ctx context.Context) error {
	pid, err := listeners.DialUnix(ctx, p.target.Socket)
	if err == nil {
		return listeners.Taken(listeners.Listener{Socket: p.target.Socket, PID: pid}, p.target.Text)
	}
	if info, err := os.Lstat(p.target.Socket); err == nil && info.Mode().Type() == fs.ModeSocket {
		p.stale = true
	}
	return nil
}

// refuseStranger fails if another process has the target's port. It only looks: nothing is
// sent to the stranger.
func (p *prepared) refuseStranger() error {
	look := func(owners func() ([]int, error)) (*listeners.Listener, error) {
		all, err := listeners.Of(p.opts.Network, os.Getpid(), owners)
		if err != nil {
			return nil, fail.New(fail.Environment, "look for the owner of port %d: %w", p.target.Port, err)
		}
		_, _, stranger := p.target.Find(all, func(int) bool { return false })
		return stranger, nil
	}
	// Looking into every process takes a while: only when the port is taken.
	stranger, err := look(noProcess)
	if err == nil && stranger != nil {
		stranger, err = look(everyProcess)
	}
	if err != nil || stranger == nil {
		return err
	}
	return listeners.Taken(*stranger, p.target.Text)
}

func noProcess() ([]int, error) { return nil, nil }

func everyProcess() ([]int, error) { return processes.All(), nil }

// removeFiles removes what was made for this start, and says whether the probe had come to work: the subject leaves its
// sockets, and what it has put into the directory for templates.Dir.
func (p *prepared) removeFiles() (probed bool) {
	if p.probe != "" {
		probed = probeclient.RemoveSockets(p.probe)
	}
	templates.RemoveDir(p.fill.Values[templates.Dir])
	templates.RemoveDir(p.temp)
	templates.RemoveDir(p.fill.Sockets)
	p.files.remove()
	return probed
}

// prepareReady looks at what there is before the start, so that nothing of an earlier program counts.
func (p *prepared) prepareReady(ctx context.Context) error {
	if p.opts.Ready == nil {
		return nil
	}
	r := &readiness{Ready: p.opts.Ready, value: p.opts.Ready.value}
	if r.kind != readyLog { // {1} is for the expression
		r.value = p.fill.One(r.value)
	}
	p.ready = r
	if p.fill.Err != nil {
		return p.fill.Err
	}
	switch r.kind {
	case readyLog:
		r.lines = newLineWatch(r.line.MatchString)
	case readyFile:
		r.value = paths.Within(p.opts.Dir, r.value)
		r.before, _ = os.Stat(r.value)
	case readySocket:
		if !strings.HasPrefix(r.value, "@") {
			r.value = paths.Within(p.opts.Dir, r.value)
		}
		return r.refuseTaken(ctx, p)
	case readyPort:
		if _, err := strconv.ParseUint(r.value, 10, 16); err != nil {
			return fail.New(fail.BadInput, "ready %q: port %q is not a number from 1 to 65535", r.text, r.value)
		}
		return r.refuseTaken(ctx, p)
	}
	return nil
}
