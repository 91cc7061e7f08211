package recorder

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

// Options say how metrics are recorded.
type Options struct {
	// Argv runs Main in a child process.
	Argv []string
	// Dir is the ledger's directory, whose lock the caller holds.
	Dir string
	// Interval is the time between two scrapes; 0 is metrics.DefaultInterval.
	Interval time.Duration
	// CPUs are what the child may use; empty: those of the thread that calls Start.
	CPUs []int
	// Version is hone's, for the series hone_info.
	Version string
	// Hard ends all waiting for the child, which is killed then.
	Hard context.Context
}

// RunOptions say what to record of a run.
type RunOptions struct {
	ID string
	// Variant is its letter in a comparison, else empty.
	Variant string
	// RateHz is what an open loop asks for, 0 for a closed one.
	RateHz float64
	// Probed says that there will be readings of the program's runtime.
	Probed bool
}

// Program is one start of a run's program.
type Program struct {
	Tree usage.Tree
	// Page is the URL of its metrics; empty if it has none.
	Page string
	// OnlyEnds scrapes the page when the program comes up and before it goes down, and not
	// in between: a scrape would be in a slice of one variant and not in that of the other.
	OnlyEnds bool
}

// How long hone waits for the child: for what takes no more than a scrape, and for a
// record to be made whole.
const (
	shortPatience = 10 * time.Second
	longPatience  = time.Minute
)

// mostChildren bounds how often a child is started: one that dies again and again has a
// reason that stays.
const mostChildren = 4

// Recorder is hone's end of the child. Its methods are for one goroutine.
type Recorder struct {
	options  Options
	patience struct{ short, long time.Duration }
	child    *child
	started  int
	runs     map[string]*recorded

	mu     sync.Mutex // of what the child's reader writes
	faults map[string][]string
}

// recorded is what hone knows of a run that is recorded.
type recorded struct {
	run     RunOptions
	program *Program // while it is up
	next    update
	sent    time.Time
}

// mostLatencies bounds what waits for a child that does not take it: the histograms of a
// minute and more, some kilobytes each.
const mostLatencies = 1000

// Start starts the child. The error is of kind fail.Environment.
func Start(o Options) (*Recorder, error) {
	if o.Interval <= 0 {
		o.Interval = metrics.DefaultInterval
	}
	r := &Recorder{options: o, runs: map[string]*recorded{}, faults: map[string][]string{}}
	r.patience.short, r.patience.long = shortPatience, longPatience
	return r, r.spawn()
}

// Begin begins the record of a run, which must have no series yet. The errors of Begin, Up
// and End are those of metrics.Store.Record, or of kind fail.Environment where the child
// does not follow its orders; then the record has a gap, or ends.
func (r *Recorder) Begin(run RunOptions) error {
	if _, err := r.ask(order{Kind: orderBegin, Run: run.ID, Begin: run}, r.patience.short); err != nil {
		return err
	}
	r.runs[run.ID] = &recorded{run: run}
	return nil
}

// Up says that the program of a run has been started. Its page has been scraped when Up
// returns if it is scraped at both ends only.
func (r *Recorder) Up(id string, p Program) error {
	run := r.runs[id]
	if run == nil {
		return nil
	}
	run.program = &p
	_, err := r.ask(order{Kind: orderUp, Run: id, Up: p}, r.patience.short)
	return err
}

// Load adds a slice of load. latency is what its EncodeLatency returned.
func (r *Recorder) Load(id string, s load.Slice, latency []byte) {
	run := r.runs[id]
	if run == nil {
		return
	}
	run.next.State.Add(s)
	if latency != nil && len(run.next.Latencies) < mostLatencies {
		run.next.Latencies = append(run.next.Latencies, latency)
	}
	if time.Since(run.sent) >= r.options.Interval/2 {
		r.update(id, run)
	}
}

// Runtime passes a reading of the program's runtime on. It must not be changed afterwards.
func (r *Recorder) Runtime(id string, m probeclient.Metrics) {
	if run := r.runs[id]; run != nil {
		run.next.Runtime = m
	}
}

// update sends what has come together. A child that does not listen gets it later.
func (r *Recorder) update(id string, run *recorded) {
	c, err := r.liveChild()
	if err != nil || !c.post(order{Kind: orderLoad, Run: id, Load: run.next}) {
		return
	}
	run.next.Latencies, run.next.Runtime, run.sent = nil, nil, time.Now()
}

// Down says that the program is about to be stopped, and returns when its page has been
// scraped a last time.
func (r *Recorder) Down(id string) error {
	run := r.runs[id]
	if run == nil || run.program == nil {
		return nil
	}
	r.update(id, run)
	_, err := r.ask(order{Kind: orderDown, Run: id}, r.patience.short)
	run.program = nil
	return err
}

// Faults returns what is wrong with the record of a run, where that is new.
func (r *Recorder) Faults(id string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	faults := r.faults[id]
	delete(r.faults, id)
	return faults
}

// End makes the record of a run whole, and returns how many series it has. The program
// must be up still, for its last word.
func (r *Recorder) End(id string) (series int, err error) {
	run := r.runs[id]
	if run == nil {
		return 0, nil
	}
	r.update(id, run)
	got, err := r.ask(order{Kind: orderEnd, Run: id}, r.patience.long)
	delete(r.runs, id)
	return got.Series, err
}

// Stop ends the child. Of runs that were not ended their part stays, as if hone had died.
func (r *Recorder) Stop() {
	clear(r.runs) // nothing is missed from here on
	r.child.stop(r.patience.short)
}

// ask gives an order and waits for the answer. If the child dies meanwhile, the next one
// is asked.
func (r *Recorder) ask(o order, patience time.Duration) (report, error) {
	for {
		c, err := r.liveChild()
		if err != nil {
			return report{}, err
		}
		got, err := c.ask(r.options.Hard, o, patience)
		if errors.Is(err, errGone) {
			continue
		}
		if err != nil {
			return got, fail.New(fail.Environment, "record metrics of run %s: %w", o.Run, err)
		}
		return got, got.Error.err()
	}
}

// liveChild returns the child. One that has died is replaced, and gets the orders again.
func (r *Recorder) liveChild() (*child, error) {
	select {
	case <-r.child.gone:
	default:
		return r.child, nil
	}
	if r.started >= mostChildren {
		return nil, fail.New(fail.Environment,
			"the process that records metrics ended %d times, the last time by %s; what it wrote is kept", r.started,
			r.child.how).
			WithHint("hone run --metrics none records none")
	}
	how := r.child.how
	if err := r.spawn(); err != nil {
		return nil, err
	}
	for id, run := range r.runs {
		r.note(id, fmt.Sprintf("the process that records metrics ended (%s): there is a gap in the record", how))
		r.child.post(order{Kind: orderBegin, Run: id, Begin: run.run, Resume: true})
		if run.program != nil {
			r.child.post(order{Kind: orderUp, Run: id, Up: *run.program})
		}
	}
	return r.child, nil
}

// spawn starts a child.
func (r *Recorder) spawn() error {
	r.started++
	c, err := startChild(r.options)
	if err != nil {
		if r.child == nil {
			return fail.New(fail.Environment, "start the process that records metrics: %w", err)
		}
		r.started = mostChildren // what could be started before cannot be started now
		return err
	}
	r.child = c
	go c.read(r.note) // ends with the child
	go c.write()      // ends with the child
	return nil
}

// note keeps faults of a run until it is asked for them.
func (r *Recorder) note(run string, faults ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults[run] = append(r.faults[run], faults...)
}
