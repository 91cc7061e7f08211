package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"io"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/prof"
)

// The trace that wait profiles are made of takes as long as so many requests do, within bounds. Of 2,000 requests 20
// are those from p99 on, and 200 those around the median. A slow service is traced for 2 s, or for a third of the timed
// slices up to 10 s.
const (
	tracedRequests = 2000
	// tracedPerConnection are enough to see which goroutine serves a connection.
	tracedPerConnection = 8
	LeastTraced         = 250 * time.Millisecond
	mostTraced          = 2 * time.Second
	mostTracedSlow      = 10 * time.Second
	tracedShare         = 3
)

const tailFile = "tail.json"

// slowestKept is how many single requests the digest keeps as time lines.
const slowestKept = 10

// WaitProfile makes the wait profile, and the digest of slow requests, from a short execution trace under the load of
// the timed slices. Without them the run is kept, with a warning.
func (c *Program) WaitProfile(ctx context.Context) error {
	if c.Spec.NoTrace {
		return nil
	}
	err := traceable(c.Binary.GoVersion)
	if err == nil {
		err = c.traceWaits(ctx)
	}
	if err != nil && ctx.Err() == nil && c.Load.Died() == nil {
		c.Warn("no wait profile: %v", err)
		return nil
	}
	return err
}

// firstTraceable is the release whose traces have times on the clock of the system (go.dev/blog/execution-traces-2024).
const firstTraceable = "go1.22"

// traceable refuses programs of releases whose traces cannot be laid beside the requests. A version that is none of a
// release may be.
func traceable(goVersion string) error {
	if version.IsValid(goVersion) && version.Compare(goVersion, firstTraceable) < 0 {
		return fmt.Errorf("execution traces of %s are on a clock of their own; it takes %s or later (--set no-trace "+
			"leaves it out)", goVersion, firstTraceable)
	}
	return nil
}

// TracedTime is how long a trace has to be after slices that saw a rate of requests per second over so many
// connections.
func TracedTime(timed timed.Batch, connections int) time.Duration {
	rate := timed.Rate()
	if rate <= 0 {
		return mostTraced
	}
	requests := float64(max(tracedRequests, tracedPerConnection*connections))
	longest := min(max(mostTraced, timed.Took/tracedShare), mostTracedSlow)
	return time.Duration(min(max(requests/rate, LeastTraced.Seconds()), longest.Seconds()) * float64(time.Second))
}

// traceWaits takes a trace and keeps it; of two, that which says more of the program.
func (c *Program) traceWaits(ctx context.Context) error {
	one, err := c.traced(ctx)
	if err != nil {
		return err
	}
	if one.Digest.OutsideShare() > walltime.MuchOutside {
		again, err := c.traced(ctx)
		if err != nil {
			return err
		}
		if again.Digest.OutsideShare() < one.Digest.OutsideShare() {
			one = again
		}
	}
	return c.keepWaits(one)
}

// traced takes one trace and reads it.
func (c *Program) traced(ctx context.Context) (w waits, err error) {
	d := TracedTime(timed.BatchOf(c.Timed.Samples), c.Spec.Plan.Connections)
	pid := c.busiestPID()
	probe := c.Probes.Of(pid)
	var stamps *load.Stamps
	if runtime.GOOS == "linux" && !c.Spec.LoadCommand.Given() &&
		!c.Load.FromAgents() { // elsewhere the clocks of trace and generator cannot be compared
		stamps = new(load.Stamps)
	}
	var trace io.ReadCloser
	before, err := c.Process.KnownCounters()
	if err != nil {
		return w, err
	}
	quota := machine.Quotas(pid)
	var delays []machine.Delay
	quiet, own, needs := c.Machine.Read(), machine.OwnCPU(), c.Load.NeedsCPU()
	seen, err := c.steady(ctx, d, stamps, func() (err error) {
		watch := machine.WatchDelays(pid, len(c.CPUs))
		trace, err = probe.StreamTrace(ctx, d)
		delays = watch.End()
		return err
	})
	if trace != nil {
		defer trace.Close()
	}
	conditions := c.Machine.Read().Since(quiet)
	if err != nil {
		return w, err
	}
	after, err := c.Process.KnownCounters()
	if err != nil {
		return w, err
	}
	conditions = conditions.WithOwn(machine.OwnCPU() - own + after.Since(before).AllCPU() + needs())
	kernel := kernelCounts{quota: machine.Quotas(pid).Since(quota), delays: delays}
	took := record.Tracing{Duration: d, Latency: record.LatencyOf(seen.Latency()), Conditions: conditions}
	return c.readTrace(&counted{from: trace}, requestsOf(stamps), kernel, took)
}

// steady keeps the load of the timed slices up while do runs, which takes about d, stamps it, and says what it saw. It
// is one stretch: its rate is that of the slices, and no request is cut off. The goroutine that runs do has ended when
// it returns.
func (c *Program) steady(ctx context.Context, d time.Duration, stamps *load.Stamps, do func() error) (seen load.Tally,
	err error) {
	var failed error
	done := make(chan struct{})
	loaded, over := make(chan struct{}), make(chan struct{})
	loading := sync.OnceFunc(func() { close(loaded) })
	if !c.Load.FromAgents() { // agents begin a while after they are told to
		loading()
	}
	go func() {
		defer close(done)
		select {
		case <-loaded:
			failed = do()
		case <-over:
			failed = errors.New("the load ended before it was seen")
		}
	}()
	g := load.Stretch{
		// It ends when do has ended; this is for a program that does not answer.
		Schedule: c.Load.Schedule(d + steadyPatience), Interval: captureSlice, Drain: c.Load.Drain(), Stamps: stamps,
	}
	err = c.Load.Run(ctx, g, func(slice load.Slice) {
		loading()
		seen.Add(slice)
		select {
		case <-done:
			c.Load.EndSending()
		default:
		}
	})
	close(over)
	<-done
	return seen, errors.Join(failed, err)
}

// steadyPatience is how much longer than asked for a program may take for a trace while the load goes on.
const steadyPatience = 5 * time.Second

// requestsOf are stamps as package walltime takes them; nil for none.
func requestsOf(stamps *load.Stamps) []walltime.Request {
	if stamps == nil {
		return nil
	}
	all := make([]walltime.Request, 0, stamps.Len())
	for s := range stamps.All() {
		all = append(all, walltime.Request{
			Conn: s.Conn, Target: int(s.Target), Due: s.Due, Sent: s.Sent, Answered: s.Answered,
		})
	}
	return all
}

// kernelCounts is what the kernel counted of the program while a trace was taken.
type kernelCounts struct {
	quota  cgroup.Counters
	delays []machine.Delay
}

// readTrace says what a trace shows; kernel is what was counted meanwhile, took what it took so far.
func (c *Program) readTrace(
	trace *counted, requests []walltime.Request, kernel kernelCounts, took record.Tracing,
) (waits, error) {
	began, before := time.Now(), allocated()
	digest, err := walltime.Read(trace, walltime.Options{
		Requests: requests, Endpoints: c.Targets, Slowest: slowestKept, Module: c.Binary.Module,
		Box: kernel.quota, Delays: kernel.delays,
	})
	if err != nil {
		return waits{}, fmt.Errorf("read execution trace: %w", err)
	}
	took.Bytes, took.Requests, took.Reading, took.ReadAllocBytes = trace.bytes, len(requests), time.Since(began),
		allocated()-before
	return waits{Tracing: &took, Digest: digest}, nil
}

// keepWaits keeps what a trace shows, and the profile that is made of it.
func (c *Program) keepWaits(w waits) error {
	c.Into.Waits = w
	doc, err := json.Marshal(w.Digest)
	if err != nil {
		return fmt.Errorf("encode digest of the trace: %w", err)
	}
	if _, err := c.Draft.AddArtefact(record.TailArtefact, tailFile, bytes.NewReader(doc)); err != nil {
		return err
	}
	p := w.Digest.Profile()
	prof.WithoutObserver(p)
	if len(p.Sample) == 0 {
		return errors.New("the execution trace shows no request")
	}
	// The values are those of one request of each cohort.
	one := prof.Capture{Kind: prof.WaitKind, Profile: p, Operations: 1, Duration: w.Tracing.Duration,
		Start: len(c.Timed.Starts)}
	c.Into.Captures[prof.WaitKind] = one
	return record.AddCapture(c.Draft, 0, one)
}

// allocated is how many bytes hone has allocated so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// counted counts what is read.
type counted struct {
	from  io.Reader
	bytes int64
}

func (r *counted) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.bytes += int64(n)
	return n, err
}
