package fleet

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gohone/hone/cmd/hone-agent/internal/cluster"
	"github.com/gohone/hone/cmd/hone-agent/internal/natslink"
	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/text/fail"
)

// Agent loads for coordinators that it trusts, for one at a time: one run, or those of one group.
type Agent struct {
	// Version is hone's.
	Version string
	// Name is how reports call the agent; Labels are for choosing agents.
	Name   string
	Labels map[string]string
	// Allow is what it may load, Trust whose orders it takes (public nkeys).
	Allow []Allow
	Trust []string
	// MaxRateHz and MaxConnections are its limits; 0: none.
	MaxRateHz      float64
	MaxConnections int
	// CapacityHz is its share of a load, in proportion to that of others.
	CapacityHz float64
	// Runs is after how many load tests Serve ends; 0: never.
	Runs int
	// Dir is where recordings are kept until their coordinator has them.
	Dir string
	// Log is told what happens, a line each, and no more lines than a disk bears.
	Log func(line string)

	serving
	runsUnderWay
}

// serving is what an agent has from the start of Serve on.
type serving struct {
	id      string
	machine string
	began   time.Time
	talk    talk // the loop's
	events  chan func()
	over    chan struct{} // closed when Serve ends
}

// runsUnderWay are the runs that an agent has begun.
type runsUnderWay struct {
	busyMu sync.Mutex
	busy   string // the run

	connected atomic.Int64 // of runs by turns
	working   []*working
	did       []string // the latest runs, which are not begun again
}

// working is a run under way.
type working struct {
	worker *cluster.Worker
	engine *engine
	group  string // of the coordinator's runs that may be under way together; empty: this one alone
}

// remembered is how many runs an agent remembers.
const remembered = 1000

// Serve takes orders from link until ctx ends.
func (a *Agent) Serve(ctx context.Context, link *natslink.Link) error {
	if len(a.Trust) == 0 {
		return fail.New(fail.BadInput,
			"the agent trusts no coordinator").WithHint("name its key: --trust KEY, which hone agent key prints")
	}
	if err := os.MkdirAll(a.Dir, 0o700); err != nil {
		return fail.New(fail.Storage, "make the directory of the agent: %w", err).WithHint("--dir names another one")
	}
	a.serving = serving{id: rand.Text(), machine: thisMachine(), began: time.Now(), talk: talk{say: a.Log},
		events: make(chan func(), 1024), over: make(chan struct{})}
	defer close(a.over)
	if err := link.Answer(a.hello); err != nil {
		return err
	}
	refused := ""
	err := link.Orders(a.id, func(message []byte) {
		o, err := cluster.Open(message, a.Trust)
		a.post(func() {
			if err == nil {
				a.take(o, link)
			} else if err.Error() != refused { // each message would say the same
				refused = err.Error()
				a.log("an order was refused: " + refused)
			}
		})
	})
	if err != nil {
		return err
	}
	defer loadtest.Processors(workers())()
	// The loop has a thread to itself, so that the load does not keep it from saying that the agent lives.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	tick := time.NewTicker(cluster.Every / 5)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return a.end()
		case do := <-a.events:
			do()
		case <-tick.C:
			a.tick()
		}
		if a.Runs > 0 && len(a.working) == 0 && len(a.did) >= a.Runs {
			return nil
		}
	}
}

// Clock is the agent's clock: since it began to serve, and never 0.
func (a *Agent) Clock() time.Duration { return time.Since(a.began) + 1 }

// post has something done in the loop.
func (a *Agent) post(do func()) {
	select {
	case a.events <- do:
	case <-a.over:
	}
}

// hello introduces the agent. It may be called from any goroutine.
func (a *Agent) hello() cluster.Hello {
	h := cluster.Hello{
		ID: a.id, Version: a.Version, Name: a.Name, Labels: a.Labels, CPUs: runtime.NumCPU(), Machine: a.machine,
		CapacityHz: a.CapacityHz,
		MaxRateHz:  a.MaxRateHz, MaxConnections: a.MaxConnections, Clock: a.Clock(),
	}
	for _, r := range a.Allow {
		h.Allow = append(h.Allow, r.String())
	}
	a.busyMu.Lock()
	defer a.busyMu.Unlock()
	h.Busy = a.busy
	return h
}

func (a *Agent) setBusy(run string) {
	a.busyMu.Lock()
	defer a.busyMu.Unlock()
	a.busy = run
}

// take takes an order that is signed.
func (a *Agent) take(o cluster.Order, link *natslink.Link) {
	now := a.Clock()
	if o.Agent != a.id || !cluster.IsName(o.Run) {
		return
	}
	for _, w := range a.working {
		if w.worker.State().Run == o.Run {
			w.worker.Hear(o, now)
			return
		}
	}
	switch {
	case len(o.Job) == 0 || slices.Contains(a.did, o.Run):
	case len(a.working) > 0 && (o.Group == "" || o.Group != a.working[0].group):
		busy := cluster.State{
			Run: o.Run, Agent: a.id, Seq: 1, Phase: cluster.Failed, Kind: int(fail.Environment), Clock: now,
			Reason: "it works for another run",
		}
		_ = link.Send(busy) // as lost as any message may be
	default:
		a.begin(o, link, now)
	}
}

// begin begins a run.
func (a *Agent) begin(o cluster.Order, link *natslink.Link, now time.Duration) {
	a.did = append(a.did, o.Run)
	a.did = a.did[max(0, len(a.did)-remembered):]
	a.setBusy(o.Run)
	a.log(fmt.Sprintf("run %s: preparing", o.Run))
	w := &working{engine: a.newEngine(o.Run), group: o.Group}
	w.engine.worker = func() *cluster.Worker { return w.worker }
	a.working = append(a.working, w)
	// what is lost is said again
	w.worker = cluster.NewWorker(o, w.engine, func(message any) { _ = link.Send(message) }, now)
}

// log says a line from the loop.
func (a *Agent) log(line string) { a.talk.line(line, a.Clock()) }

// tick lets time pass for the runs.
func (a *Agent) tick() {
	a.talk.tick(a.Clock())
	for _, w := range slices.Clone(a.working) {
		w.engine.grown()
		w.worker.Tick(a.Clock())
		if w.worker.Over() {
			a.finish(w)
		}
	}
}

// finish ends a run.
func (a *Agent) finish(w *working) {
	s, e := w.worker.State(), w.engine
	e.kill()
	select {
	case <-e.done:
	default:
		return // the next tick looks again
	}
	a.working = slices.DeleteFunc(a.working, func(o *working) bool { return o == w })
	if len(a.working) == 0 {
		a.setBusy("")
	}
	kept, err := e.close(w.worker.Delivered())
	line := fmt.Sprintf("run %s: %s", s.Run, s.Phase)
	if s.Reason != "" {
		line += ": " + s.Reason
	}
	if kept != "" {
		line += "; the coordinator did not take the recording, which is kept in " + kept
	}
	if err != nil {
		line += "; " + err.Error()
	}
	a.log(line)
}

// end gives up the runs under way.
func (a *Agent) end() error {
	var errs []error
	for _, w := range a.working {
		w.worker.Leave(a.Clock())
		_, err := w.engine.close(false)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// thisMachine tells machines apart: the random number that Linux draws when it starts, else the host's name.
func thisMachine() string {
	if id, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		return strings.TrimSpace(string(id))
	}
	name, _ := os.Hostname()
	return name
}
