package recorder

import (
	"context"
	"encoding/gob"
	"errors"
	"io"
	"net/url"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/text/fail"
)

// Parts are what the child is made of that stands on higher floors.
type Parts struct {
	// Host returns a collector of the host.
	Host func() (prometheus.Collector, error)
	// Processes returns a collector of a program's processes.
	Processes func(usage func() (usage.Reading, error), main func() int) prometheus.Collector
	// Runtime returns a collector of a program's runtime.
	Runtime func(read func(context.Context) (probeclient.Metrics, error)) prometheus.Collector
}

// Main is what the hidden command "hone recorder" runs; it returns the exit code. It returns
// when hone ends or has no more to record, whatever goes on then: what was recorded is on
// the disk. It returns 2 at once if its descriptors are none of hone's, which is what a user
// sees who runs it by hand.
func Main(p Parts) int {
	_ = os.WriteFile("/proc/self/comm", []byte(childName), 0) // for ps; without it there is argv[0]
	// It ends with hone, which on these signals wants the record whole.
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	in := gob.NewDecoder(os.NewFile(ordersFD, "orders"))
	w := &worker{parts: p, runs: map[string]*job{}, out: gob.NewEncoder(os.NewFile(reportsFD, "reports"))}
	if err := in.Decode(&w.setup); err != nil {
		return int(fail.BadInput)
	}
	go w.work(in)     // ends with the process
	go w.tellFaults() // ends with the process
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

// worker carries out orders, one after the other.
type worker struct {
	parts Parts
	setup setup

	say sync.Mutex
	out *gob.Encoder

	doing sync.Mutex // held while an order is carried out
	runs  map[string]*job
}

// job is a run that is recorded.
type job struct {
	run      RunOptions
	recorder *metrics.Recorder
	load     *metrics.Load

	now     sync.Mutex // of what follows: collectors read it
	usage   func() (usage.Reading, error)
	main    int
	runtime probeclient.Metrics
}

func (w *worker) work(in *gob.Decoder) {
	for {
		var o order
		if in.Decode(&o) != nil {
			return // hone is gone, and so is this process in a moment
		}
		series, err := w.do(o)
		answer := report{Number: o.Number, Run: o.Run, Series: series}
		if o.Number > 0 {
			answer.Error = failureOf(err)
		} else if err != nil {
			answer.Faults = []string{err.Error()}
		}
		if o.Number > 0 || err != nil {
			w.tell(answer)
		}
	}
}

// tell reports to hone. An error means that it is gone.
func (w *worker) tell(r report) {
	w.say.Lock()
	defer w.say.Unlock()
	_ = w.out.Encode(r)
}

// tellFaults reports what is new of the pages, every interval.
func (w *worker) tellFaults() {
	for range time.Tick(w.setup.Interval) {
		w.doing.Lock()
		for _, j := range w.runs {
			w.faultsOf(j)
		}
		w.doing.Unlock()
	}
}

func (w *worker) faultsOf(j *job) {
	if faults := j.recorder.Faults(); len(faults) > 0 {
		w.tell(report{Run: j.run.ID, Faults: faults})
	}
}

func (w *worker) do(o order) (series int, err error) {
	w.doing.Lock()
	defer w.doing.Unlock()
	if o.Kind == orderBegin {
		return 0, w.begin(o.Begin, o.Resume)
	}
	j := w.runs[o.Run]
	if j == nil {
		return 0, nil // it could not be begun, which was said
	}
	switch o.Kind {
	case orderUp:
		return 0, j.up(o.Up)
	case orderLoad:
		return 0, j.update(o.Load)
	case orderDown:
		w.faultsOf(j)
		j.down()
		return 0, nil
	case orderEnd:
		w.faultsOf(j)
		return w.end(j)
	}
	return 0, fail.New(fail.BadInput, "record metrics: unknown order %d", o.Kind)
}

func (w *worker) begin(run RunOptions, again bool) error {
	j := &job{run: run, load: metrics.NewLoad(run.RateHz)}
	sources, err := w.sources(j)
	if err != nil {
		return err
	}
	j.recorder, err = metrics.In(w.setup.Dir).Record(metrics.RunOptions{
		Run: run.ID, Variant: run.Variant, Interval: w.setup.Interval, Sources: sources, Resume: again,
	})
	if err == nil {
		w.runs[run.ID] = j
	}
	return err
}

// sources are the metrics that hone knows by itself.
func (w *worker) sources(j *job) (map[string]prometheus.Gatherer, error) {
	host, err := w.parts.Host()
	if err != nil {
		return nil, err
	}
	about := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "hone_info", Help: "The hone that measures.", ConstLabels: prometheus.Labels{"version": w.setup.Version},
	}, func() float64 { return 1 })
	program := []prometheus.Collector{w.parts.Processes(j.readUsage, j.mainProcess)}
	if j.run.Probed {
		program = append(program, w.parts.Runtime(j.lastRuntime))
	}
	sources := map[string]prometheus.Gatherer{}
	for name, collectors := range map[string][]prometheus.Collector{
		metrics.JobLoad: {j.load, about},
		metrics.JobGo:   program,
		metrics.JobNode: {host},
	} {
		registry := prometheus.NewRegistry()
		for _, c := range collectors {
			if err := registry.Register(c); err != nil {
				return nil, err
			}
		}
		sources[name] = registry
	}
	return sources, nil
}

// end makes the record whole. Where that fails the part stays, unless the disk is full.
func (w *worker) end(j *job) (series int, err error) {
	delete(w.runs, j.run.ID)
	err = j.recorder.Stop()
	return j.recorder.Series(), err
}

func (j *job) up(p Program) error {
	j.now.Lock()
	j.usage, j.main = p.Tree.Usage(), p.Tree.Main
	j.now.Unlock()
	if p.Page == "" {
		return nil
	}
	page, err := url.Parse(p.Page)
	if err != nil {
		return fail.New(fail.BadInput, "page of metrics %q: %w", p.Page, err)
	}
	j.recorder.Visit(*page, p.OnlyEnds)
	return nil
}

func (j *job) down() {
	j.recorder.Leave()
	j.now.Lock()
	defer j.now.Unlock()
	j.usage, j.main, j.runtime = nil, 0, nil
}

func (j *job) update(u update) error {
	if u.Runtime != nil {
		j.now.Lock()
		j.runtime = u.Runtime
		j.now.Unlock()
	}
	return j.load.Show(u.State, u.Latencies...)
}

var errNotUp = errors.New("the program is not up")

// errNoReading is why the runtime's metrics are absent for a moment.
var errNoReading = errors.New("the runtime has not been read yet")

func (j *job) readUsage() (usage.Reading, error) {
	j.now.Lock()
	defer j.now.Unlock()
	if j.usage == nil {
		return usage.Reading{}, errNotUp
	}
	return j.usage()
}

func (j *job) mainProcess() int {
	j.now.Lock()
	defer j.now.Unlock()
	return j.main
}

// lastRuntime is the latest reading that the measurement took by itself: scrapes add
// nothing to what the program allocates.
func (j *job) lastRuntime(context.Context) (probeclient.Metrics, error) {
	j.now.Lock()
	defer j.now.Unlock()
	if j.runtime == nil {
		return nil, errNoReading
	}
	return j.runtime, nil
}
