package main

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/inputs"
	"github.com/gohone/hone/internal/limit"
	"github.com/gohone/hone/internal/loadtest"
	"github.com/gohone/hone/internal/preflight"
	"github.com/gohone/hone/internal/wire"
)

// loadFlags are the flags of hone load.
type loadFlags struct {
	request  loadtest.Request
	protocol protocolFlags
	output   loadOutput
	shape    loadtest.Shape
	weights  []int
	rate     string
	arrivals string
	replay   string
	speed    float64
	findMax  []string
	failIf   []string
	sources  string
	cpus     string
	ledger   string
	noLedger bool
	noReport bool
	quiet    bool
	agents   string // empty: this process loads
	going    bool
	link     linkFlags
}

// defaultLoadTime is how long hone load sends unless told otherwise.
const defaultLoadTime = 10 * time.Second

// streamTime is how long a stream of events may go on unless --timeout says how long any answer
// may take: most have no end, and that is said at once.
const streamTime = 2 * time.Second

func (f *loadFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	p, r := &f.request.Plan, &f.request
	fl.IntVarP(&p.Connections, "connections", "c", 10, "connections held open")
	fl.IntVar(&p.Depth, "depth", 1, "requests outstanding on each connection at most; over 1 they are pipelined")
	fl.Uint64VarP(&f.shape.Requests, "requests", "n", 0, "number of requests (default: as many as -d takes)")
	fl.DurationVarP(&f.shape.Duration, "duration", "d", defaultLoadTime, "how long to send; without -d, -n alone ends the test")
	fl.DurationVarP(&f.shape.Duration, "z", "z", defaultLoadTime, "the same as -d")
	fl.Lookup("z").Hidden = true
	fl.StringVarP(&f.rate, "rate", "q", "", "open loop: `RATE` in requests per second over all connections (1000, 1k, 50/1s),\nor a ramp 100..5000; latency then counts from the moment a request was due")
	fl.IntVar(&f.shape.Steps, "steps", 0, "climb a ramp in this many steps of constant rate")
	fl.StringVar(&f.arrivals, "arrivals", "uniform", "how an open loop spreads requests: `KIND` uniform or poisson")
	fl.Uint64Var(&f.shape.Seed, "seed", 0, "seed of poisson arrivals; 0 draws one")
	fl.StringVar(&f.replay, "replay", "", "open loop with the moments in `FILE`: seconds or time stamps, one on each line")
	fl.Float64Var(&f.speed, "replay-speed", 1, "speed of the replay: 2 is twice as fast")
	fl.StringArrayVar(&f.findMax, "find-max", nil, "search for the highest rate that keeps a `LIMIT`, such as 'p99<10ms' (repeatable)")
	fl.StringArrayVar(&f.failIf, "fail-if", nil, "exit with 1 if a `CONDITION` holds, such as 'p99>300ms' or 'errors>0.1%' (repeatable)")
	fl.DurationVar(&r.WarmUp, "warmup", 500*time.Millisecond, "load before the test, not counted (default with -n: none)")
	fl.DurationVar(&p.ConnectOver, "connect-over", 0, "spread the connects over this time")
	fl.DurationVar(&p.RequestTimeout, "timeout", 10*time.Second, "how long an answer or a connect may take")
	fl.DurationVar(&r.Drain, "drain", 2*time.Second, "how long to wait at the end for silent connections")
	fl.Uint64Var(&p.PerConnection, "per-connection", 0, "requests after which a connection is closed and replaced (default no bound)")
	fl.IntVar(&p.Workers, "workers", 0, "event loops (default: one for each two CPUs)")
	fl.StringVar(&f.cpus, "cpus", "", "`CPUS` to bind the event loops to, such as 1,3 or 4-7 (default none)")
	fl.StringVar(&f.sources, "source", "", "local `ADDRESSES` to connect from, in turn: 127.0.0.2-127.0.0.9,10.0.0.1")
	fl.IntSliceVar(&f.weights, "weight", nil, "`WEIGHTS` of several targets, in their order: 9,1")
	fl.DurationVar(&r.Interval, "interval", 0, "length of the slices of the time line (default 1s, in a test of over 2 minutes a 120th)")
	fl.BoolVar(&r.Calibrate, "calibrate", false, "measure the generator itself first, against a server that only answers")
	fl.StringVarP(&r.Output, "output", "o", "", "keep the raw result in `FILE`, for hone load report, merge and plot")
	fl.StringVar(&f.ledger, "ledger", ".hone", "`DIRECTORY` of the ledger that keeps the result as a run")
	fl.BoolVar(&f.noLedger, "no-ledger", false, "keep the result in no ledger")
	fl.BoolVar(&f.noReport, "no-report", false, "write no report at the end (see hone report)")
	fl.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
	fl.StringVar(&f.agents, "agents", "", "load from agents (hone agent), in proportion to their capacity: `CHOICE` all, n=4, or labels and a number such as zone=a,n=2")
	fl.BoolVar(&f.going, "keep-going", false, "go on without agents that are lost, with the results of the others")
	f.link.add(fl)
	f.link.addListen(fl)
	f.protocol.add(fl)
	f.output.add(fl)
}

// finish completes the request from the flags that need work.
func (f *loadFlags) finish(cmd *cobra.Command, targets []string) error {
	r := &f.request
	r.Target = targets[0]
	r.Plan.Timeout = r.Plan.RequestTimeout
	if !cmd.Flags().Changed("timeout") {
		r.Plan.StreamTimeout = min(streamTime, r.Plan.RequestTimeout)
	}
	if r.Plan.Workers == 0 && f.agents == "" {
		r.Plan.Workers = max(1, usableCPUs()/2)
	}
	if f.shape.Requests > 0 {
		if !cmd.Flags().Changed("duration") && !cmd.Flags().Changed("z") {
			f.shape.Duration = 0
		}
		if !cmd.Flags().Changed("warmup") {
			r.WarmUp = 0
		}
	}
	var faults []error
	note := func(err error) { faults = append(faults, err) }
	note(f.finishSchedule())
	var err error
	r.FailIf, err = thresholds(f.failIf)
	note(err)
	for _, text := range slices.Concat(f.failIf, f.findMax) { // what is limited has to be measured
		if c, err := limit.ParseThreshold(text); err == nil && c.Metric.OfStreams() {
			f.protocol.options.Streams.All = true
		}
	}
	note(f.finishTargets(targets))
	if f.sources != "" {
		r.Sources, err = preflight.ParseSources(f.sources)
		note(err)
	}
	r.Plan.CPUs, err = parseCPUs(f.cpus)
	note(err)
	return cmp.Or(faults...)
}

func (f *loadFlags) finishSchedule() error {
	s := &f.shape
	var err error
	switch {
	case strings.Contains(f.rate, ".."):
		s.FromHz, s.ToHz, err = limit.ParseRange(f.rate)
	case f.rate != "":
		s.FromHz, err = limit.ParseRate(f.rate)
		s.ToHz = s.FromHz
	}
	if err != nil {
		return err
	}
	if len(f.findMax) > 0 && (f.rate != "" || f.replay != "" || s.Requests > 0) {
		return fail.New(fail.BadInput, "--find-max searches for the rate: leave out --rate, --replay and -n")
	}
	switch f.arrivals {
	case "uniform":
	case "poisson":
		s.Poisson = true
	default:
		return fail.New(fail.BadInput, "--arrivals %q: want uniform or poisson", f.arrivals)
	}
	s.Seed = cmp.Or(s.Seed, newSeed())
	if err := f.replayTaken(); err != nil {
		return err
	}
	if f.replay != "" {
		file, err := inputs.Replay.Open(f.replay)
		if err != nil {
			return fail.New(fail.Or(fail.BadInput, err), "read replay: %w", err)
		}
		defer file.Close()
		if s.Replay, err = loadtest.ReadReplay(f.replay, file, f.speed); err != nil {
			return err
		}
	}
	f.request.Schedule, err = s.Schedule()
	return err
}

// finishTargets reads the protocol's options and deals the targets' weights out.
func (f *loadFlags) finishTargets(targets []string) error {
	o, err := f.protocol.resolve(targets[0])
	if err != nil {
		return err
	}
	if f.weights != nil && len(f.weights) != len(targets) {
		return fail.New(fail.BadInput, "--weight has %d weights for %d targets", len(f.weights), len(targets))
	}
	for i, target := range targets {
		weight := 1
		if f.weights != nil {
			weight = f.weights[i]
		}
		if i == 0 {
			if len(targets) > 1 {
				o.Weight = weight
			}
			continue
		}
		o.Mix = append(o.Mix, wire.Weighted{URL: target, Weight: weight})
	}
	f.request.Options = o
	return nil
}

func thresholds(texts []string) ([]limit.Threshold, error) {
	var all []limit.Threshold
	var faults []error
	for _, text := range texts {
		t, err := limit.ParseThreshold(text)
		all, faults = append(all, t), append(faults, err)
	}
	return all, errors.Join(faults...)
}

// parseCPUs reads a list such as 1,3 or 4-7.
func parseCPUs(text string) (cpus []int, err error) {
	if text == "" {
		return nil, nil
	}
	for _, part := range strings.Split(text, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			last = first
		}
		from, err1 := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err1 != nil || err2 != nil || from < 0 || to < from || to > 1<<12 {
			return nil, fail.New(fail.BadInput, "--cpus %q: %q is not the number of a CPU", text, part).
				WithHint("write numbers and ranges, such as 1,3 or 4-7")
		}
		for cpu := from; cpu <= to; cpu++ {
			cpus = append(cpus, cpu)
		}
	}
	return cpus, nil
}
