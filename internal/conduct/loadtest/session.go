package loadtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"runtime"
	"time"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/sys/preflight"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/vitals"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// test is one load test under way.
type test struct {
	*Tester
	task    Task
	target  schemes.Target
	session *load.Session
	warmUp  *recording.WarmUp      // nil before it, and without one
	errors  uint64                 // failed requests so far
	causes  [load.NumCauses]uint64 // of requests so far
	waiting uint64                 // requests without an answer at the end of the last slice
	restore func()                 // undoes what the session did to the runtime
	kept    *keeping               // nil: nowhere
}

// open checks the request, the machine and the target, and connects.
func (t *Tester) open(ctx context.Context, r Task) (*test, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	target, err := schemes.Parse(r.Target, r.Protocol)
	if err != nil {
		return nil, err
	}
	target.Guard = t.Guard
	if err := CheckTargets(r.FailIf, load.TargetNames(target.Protocol)); err != nil {
		return nil, err
	}
	if r.Plan, err = target.Allow(r.Plan); err != nil {
		return nil, err
	}
	need := preflight.Need{Connections: r.Plan.Connections, OtherFiles: ownFiles, Sources: r.Sources,
		MemoryBytes: target.MemoryOf(r.Plan.Connections) + ownMemory}
	if target.Network == "tcp" {
		need.Target = target.Address
	}
	if err := preflight.Check(need); err != nil {
		return nil, err
	}
	t.Progress.Phase("connect to "+redact.URL(r.Target), r.Plan.ConnectOver)
	dial := target.Dialer(r.Sources)
	var session *load.Session
	if err = target.Prepare(ctx, dial); err == nil {
		session, err = load.Open(ctx, r.Plan, target.Protocol, dial)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, fail.New(fail.Interrupted, "interrupted while connecting; nothing was sent")
		}
		return nil, connectError(err, r)
	}
	return &test{Tester: t, task: r, target: target, session: session, restore: Processors(r.Plan.Workers)}, nil
}

// Processors gives every event loop a processor of the runtime to itself, also where there are fewer CPUs: else it
// waits for whatever else this process does, up to milliseconds. restore undoes it.
func Processors(workers int) (restore func()) {
	before := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(max(before, workers+1))
	return func() { runtime.GOMAXPROCS(before) }
}

// ownFiles is what hone opens besides the connections: epoll, results, the runtime's.
const ownFiles = 64

// ownMemory is what hone takes besides the connections: histograms are 720 kB for each worker and slice under way.
const ownMemory = 64 << 20

// connectError says whose fault it is that the connections did not come about.
func connectError(err error, r Task) error {
	var known *fail.Error
	if errors.As(err, &known) {
		return err
	}
	out := fail.New(fail.Or(fail.Subject, err), "connect to %s: %w", r.Target, err)
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		return fail.New(fail.BadInput, "connect to %s: %w", r.Target, err).WithHint("check the host name")
	case out.Kind != fail.Subject:
		return out.WithHint("%s", fail.HintOf(err))
	default:
		return out.WithHint("check that the service listens there; hone load needs a service that runs, hone run starts one")
	}
}

// close ends the session. An unbalanced account is hone's fault, not the user's.
func (t *test) close() error {
	defer t.restore()
	if _, err := t.session.Close(); err != nil {
		return fail.New(fail.Invalid, "close session: %w", err).
			WithHint("this is a bug in hone's load engine; please report it")
	}
	return nil
}

// warm loads before the window, and counts what it sends for itself. What happens to go
// wrong is seen again in the window.
func (t *test) warm(soft, hard context.Context) error {
	if t.task.WarmUp <= 0 {
		return nil
	}
	t.Progress.Phase("warm up", t.task.WarmUp)
	s := load.ClosedLoop(t.task.WarmUp)
	if stages := t.task.Schedule.Own().Stages; len(stages) > 0 {
		s = load.OpenLoop(max(stages[0].From, 1), t.task.WarmUp)
	}
	var tally load.Tally
	err := t.run(soft, hard, s, 0, func(got load.Slice) error {
		tally.Add(got)
		if !streaming(got) {
			return nil
		}
		d := load.Invalid(load.Evidence{Plan: t.task.Plan, Tally: tally}.Judge())
		if d == nil {
			return nil
		}
		return fail.New(fail.Invalid, "measurement invalid: %s", d.Text).WithHint("%s", HintFor(*d))
	})
	t.warmUp = &recording.WarmUp{For: t.task.WarmUp, Account: recording.AccountOf(tally.Counts)}
	return err
}

// streaming says that a slice had answers without end, and no others: nothing else will come.
func streaming(got load.Slice) bool {
	return got.Answered == 0 && got.Causes[load.Endless]+got.Causes[load.EventStream] > 0
}

// run takes one stretch. The end of soft ends the sending, that of hard everything; an error of each ends the sending
// too, and is returned. Requests that the stretch before it left without an answer count as its own, since what becomes
// of them is counted here.
func (t *test) run(soft, hard context.Context, s load.Schedule, interval time.Duration,
	each func(load.Slice) error) error {
	stop := context.AfterFunc(soft, t.session.EndSending)
	defer stop()
	var first error
	before := t.waiting
	err := t.session.Run(hard, load.Stretch{Schedule: s, Drain: t.task.Drain, Interval: interval},
		func(got load.Slice) {
			t.waiting = got.Unanswered
			if first != nil {
				return
			}
			got.Scheduled, got.Sent, before = got.Scheduled+before, got.Sent+before, 0
			if streaming(got) {
				t.session.EndSending()
			}
			if first = each(got); first != nil {
				t.session.EndSending()
			}
		})
	if hard.Err() != nil {
		err = nil // the caller knows
	}
	return errors.Join(first, err)
}

// tick tells of a slice's progress.
func (t *test) tick(s load.Schedule, got load.Slice) {
	t.errors += got.Failed + got.Stray
	for i, n := range got.Causes {
		t.causes[i] += n
	}
	p99 := time.Duration(0)
	if h := answerTimes(got); h != nil {
		p99 = time.Duration(h.ValueAtQuantile(99))
	}
	tick := progress.Tick{
		Done: got.Offset + got.Duration, Total: s.Length(), P99: p99, Errors: t.errors,
		Vitals: func() vitals.Reading { return t.vitals(got) },
	}
	if seconds := (got.Duration - got.Draining).Seconds(); seconds > 0 {
		tick.RatePerSec = float64(got.Answered) / seconds
		if s.Open() {
			tick.AskedPerSec = float64(got.Scheduled) / seconds
		}
	}
	t.Progress.Tick(tick)
}

// recordedOptions are the options of a protocol as they may be written down, and what they leave out.
type recordedOptions struct {
	wire.Options
	spec.LeftOut
}

// header is what is known of the test before its first request.
func (t *test) header(s load.Schedule) (recording.Header, error) {
	s = s.Own() // recordings of shares add up
	var shown recordedOptions
	shown.Options, shown.LeftOut = spec.StoredOptions(t.task.Protocol)
	raw, err := json.Marshal(shown)
	if err != nil {
		return recording.Header{}, fmt.Errorf("encode options: %w", err)
	}
	m := machine.Describe()
	return recording.Header{
		Setup: recording.Setup{
			Hone: t.Version, Go: m.GoVersion,
			Machine: recording.Machine{CPU: m.CPUModel, CPUs: fmt.Sprintf("%d CPUs", m.CPUs),
				OS: fmt.Sprintf("%s/%s %s", m.OS, m.Arch, m.Kernel)},
			Start: time.Now(), Plan: t.task.Plan, Schedule: s,
		},
		Target: t.task.Target, Targets: load.TargetNames(t.target.Protocol), Protocol: t.target.Scheme, Options: raw,
		Drain: t.task.Drain, Interval: paceOf(s, t.task.Interval).every, WarmUp: t.warmUp,
	}, nil
}
