package service

import (
	"cmp"
	"context"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gohone/hone/internal/conduct/finder"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/program/needs"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/wire/tap"
	"github.com/gohone/hone/load"
)

// start is one process of a variant, from its start to its end: the connections to it, and
// what has been learned about it.
type start struct {
	*service
	host         host
	task         *lab.Task
	build        int // which of the variant's builds it runs
	process      *subject.Process
	needs        *needs.Set    // that this start has for itself; nil without
	seed         func() error  // runs the command after this start, once
	values       finder.Values // that it answered
	target       finder.Target
	session      lab.Loader
	warmed       warmUp
	drain        time.Duration // how long a drain between slices waits for a silent connection
	tap          *tap.Tap      // nil outside a comparison
	runtimeGauge *runtimeGauge // nil where the runtime cannot be read
	idle         idleClock
	coverage     timed.Coverage // of the readings so far
	counts       load.Counts    // of all of its load, once it is disconnected
	effects      *timed.Effects // nil before the end of its slices
	profiled     bool           // more than CPU profiles were taken of it
}

// host is what every start of a measurement has in common.
type host struct {
	guard   []string // argv
	workDir string   // of hone
	spans   *spanReceiver
	tmp     string // for the sockets of the probes, and the program's own directory
	cpus    []int
	isolate bool // in a network namespace of its own
	grace   time.Duration
	needs   *needs.Set       // that serve all starts; nil without
	watch   func(*needs.Set) // ends the measurement when one of them ends
	hard    context.Context  // without grace
	plan    load.Plan        // with the generator's CPUs
	slicing *slicing         // of the load; the first start decides
	build   int              // which of the builds of each variant
	// counters is where programs with coverage counters write them at their end; "" for others.
	counters string
	// startTrace is the variable that has the runtime say what each package allocates before main; "" for none.
	startTrace string
}

// environment is what programs get besides that of their variants.
func (in host) environment() []string {
	env := in.spans.environment()
	if in.counters != "" {
		env = append(env, "GOCOVERDIR="+in.counters)
	}
	if in.startTrace != "" {
		env = append(env, in.startTrace)
	}
	return env
}

// startUp starts a variant and opens the connections. What there is of the start is returned
// beside an error, too, and has to be stopped.
func startUp(ctx context.Context, v *service, r *lab.Task, in host) (*start, error) {
	s := &start{service: v, host: in, task: r, build: in.build}
	network, address, err := s.program().PlannedAddress()
	if err != nil {
		return s, err
	}
	probeDir := in.tmp
	if !v.Binary.Probed || v.hidesHone {
		probeDir = ""
	}
	copies, err := s.copies()
	if err != nil {
		return s, err
	}
	v.runs++
	defer v.watchShared()()
	if err := s.startOwnNeeds(ctx); err != nil {
		return s, err
	}
	s.process, err = subject.Start(ctx, v.Builds[s.build], subject.StartOptions{
		Guard: in.guard, Dir: v.home.Dir, Args: r.Args, Env: in.environment(), ProbeDir: probeDir,
		DataDir: in.tmp, Grace: r.Grace, Names: s.needNames(), Copy: copies, HideHone: v.hidesHone,
		Resources: subject.Resources{CPUs: in.cpus, Isolate: in.isolate, Box: r.Box},
		Readiness: subject.Readiness{Network: network, Target: address, ReadyTimeout: readyIn(*r), Ready: readyOf(*r)},
	})
	if err != nil {
		return s, v.notStarted(err)
	}
	s.seed = sync.OnceValue(func() error {
		stdout, err := s.process.AfterStart(ctx, in.workDir, r.AfterStartLimit)
		if err == nil && v.Binary.Variant.AfterStart != nil {
			s.values, err = finder.ReadValues(stdout, r.Target+r.Path, r.Protocol, v.Binary.Variant.Name)
		}
		v.secrets = append(v.secrets, s.values.Secrets()...)
		return err
	})
	if r.LoadCommand.Given() {
		if err := s.seed(); err != nil {
			return s, s.or(err)
		}
		return s, s.or(s.openLoadCommand())
	}
	target, err := s.program().Find(ctx)
	if target.Place != nil {
		v.found, v.assumption = target.Place, cmp.Or(target.Assumption, v.assumption)
	}
	if err != nil {
		return s, s.or(err)
	}
	s.target = target
	v.latest.target, v.latest.notes, v.targets = target.Shown, target.Notes, target.Targets()
	if r.Agents != nil {
		return s, s.or(s.connectAgents(ctx, target.URL, target.Options))
	}
	return s, s.connect(ctx)
}

// program is the start for what finds its target.
func (s *start) program() *finder.Program {
	return &finder.Program{
		Spec: &s.task.Parts, Command: s.task.Command, Binary: s.Binary, Process: s.process, Dir: s.home.Dir,
		AfterStart: func() (finder.Values, error) {
			err := s.seed()
			return s.values, err
		},
		Compared: s.timed.Compared, LikeOthers: s.hidesHone, Found: s.found,
	}
}

// copies are the files that this start gets fresh; nil without any.
func (s *start) copies() (*subject.Copies, error) {
	r := s.task
	if len(r.Copy) == 0 {
		return nil, nil
	}
	from := cmp.Or(r.Dir, r.CopyFrom, s.host.workDir)
	if s.home.Root != "" { // the same place in the copy of its checkout
		below, err := filepath.Rel(s.host.workDir, from)
		if err == nil {
			from = filepath.Join(s.home.Dir, below)
			below, err = filepath.Rel(s.home.Root, from)
		}
		if err != nil || !filepath.IsLocal(below) {
			return nil, fail.New(fail.BadInput,
				"variant %s runs in a checkout of its git ref, which has nothing to copy from %s",
				s.Binary.Variant.Name, cmp.Or(r.Dir, r.CopyFrom)).
				WithHint("name a directory of the repository")
		}
	}
	return &subject.Copies{From: from, Paths: r.Copy}, nil
}

// connect opens the connections of the plan.
func (s *start) connect(ctx context.Context) error {
	session, err := s.open(ctx, s.host.plan)
	if err != nil {
		return err
	}
	s.session = session
	return nil
}

// open opens a session of hone's own engine. In a comparison its answers are sampled.
func (s *start) open(ctx context.Context, plan load.Plan) (*load.Session, error) {
	dial := func(ctx context.Context) (net.Conn, error) {
		conn, err := s.process.Dial(ctx)
		if err != nil {
			return nil, err
		}
		return s.target.Wrap(ctx, conn)
	}
	if s.target.Network == "udp" { // never from a namespace of the program's own, see arrange
		dial = s.target.Dialer(nil)
	}
	if err := s.target.Prepare(ctx, dial); err != nil {
		return nil, s.or(err)
	}
	plan, err := s.target.Allow(plan)
	if err != nil {
		return nil, err
	}
	session, err := load.Open(ctx, plan, s.tapped(), dial)
	if err == nil {
		return session, nil
	}
	if died := s.died(); died != nil {
		return nil, died
	}
	if why := s.program().Mismatch(ctx, s.target); why != nil {
		return nil, why
	}
	var known *fail.Error
	if errors.As(err, &known) { // it says what to do
		return nil, err
	}
	return nil, fail.New(fail.Or(fail.Subject, err), "open %d connections to %s: %w", plan.Connections, s.latest.target,
		err)
}

// commandLine is what is executed, apart from the directory and the filled-in port.
func (v *service) commandLine(args []string) string {
	words := append([]string{filepath.Base(v.Binary.Path)}, v.Binary.Variant.Args...)
	return strings.Join(redact.Args(append(words, args...)), " ")
}

// measure loads the subject for one timed slice of a comparison. The slice ends when nothing
// is outstanding any more, so that one variant's requests are not served on the other's time.
//
// What the program used since its slice before counts as well if the request says so: a collection goes on after the
// last answer.
//
// Nothing else is done here: the programs are idle between two slices, and the longer they
// are, the more the machine has changed. The conditions of the machine are those since the end
// of the slice before, which window holds.
func (s *start) measure(ctx context.Context, window *conditionsWindow) (timed.Sample, error) {
	before, err := s.process.KnownCounters()
	if err != nil {
		return timed.Sample{}, s.or(err)
	}
	idle, needsBefore, shared := s.idle.begins(before), s.needsCPU(true), s.watchShared()
	slice, err := s.load(ctx, scheduleOf(*s.task, s.host.slicing.slice), s.drain)
	if err != nil {
		return timed.Sample{}, err
	}
	after, err := s.process.KnownCounters()
	if err != nil {
		return timed.Sample{}, s.or(err)
	}
	s.idle.ends(after)
	shared()
	used := after.Since(before)
	if s.host.slicing.late {
		used.CPU, idle = used.CPU+idle, 0
	}
	beside := s.usedByNeeds(needsBefore, s.needsCPU(true))
	lag := lagOf(slice)
	return timed.Sample{
		Lag: lag, Late: lag > max(s.host.slicing.lag, load.LagAllowed(0)),
		Loaded: slice, Build: s.build, Counters: used, Idle: idle,
		Conditions: window.next().WithOwn(s.ownCPU(slice) + used.AllCPU() + beside),
	}, nil
}

// lagOf is how late the generator was with the requests of a slice, at p99; 0 without a rate.
func lagOf(slice load.Slice) time.Duration {
	if slice.Lag == nil || slice.Lag.TotalCount() == 0 {
		return 0
	}
	return time.Duration(slice.Lag.ValueAtQuantile(99))
}

// load runs one slice and says when the subject died under it.
func (s *start) load(ctx context.Context, schedule load.Schedule, drain time.Duration) (load.Slice, error) {
	var slice load.Slice
	err := s.session.Run(ctx, load.Stretch{Schedule: schedule, Drain: drain}, func(got load.Slice) { slice = got })
	if died := s.diedUnder(slice.Causes[load.Refused]); died != nil {
		return slice, died
	}
	return slice, err
}
