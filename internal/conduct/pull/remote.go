package pull

import (
	"context"
	"errors"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/program/pprofhttp"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/prof"
)

// Remote is what is captured of a service that hone did not start, by its own pages.
type Remote struct {
	// Service is where its profiles are.
	Service *pprofhttp.Client
	// CPUTime is how long its CPU profiles take together.
	CPUTime time.Duration
}

// remotePass is the shortest CPU profile that net/http/pprof takes.
const remotePass = time.Second

// remoteKinds are captured once each, after the CPU profiles. Mutex and block have
// content if the service switched them on. Toolchains before Go 1.27 have no profile of leaked
// goroutines, so that it is missing is not reported.
var remoteKinds = []string{"heap", "goroutine", "mutex", "block", rareKind}

const rareKind = "goroutineleak"

// mostPasses is how many short CPU profiles are taken: their scatter is the noise that differences are held against.
const mostPasses = 5

// Taken are the profiles that were taken of a service.
type Taken struct {
	address  string
	started  time.Time
	elapsed  time.Duration
	captures []prof.Capture
	// warnings are of profiles that could not be had, first is the first of them.
	warnings    []string
	first       error
	interrupted bool
}

// Take takes the profiles of a service under whatever load it has. How many requests were served meanwhile is
// not known. It needs no ledger: that may be another hone's, which loads the service.
func Take(ctx context.Context, shown progress.Sink, r Remote) *Taken {
	c := &remote{client: r.Service, Taken: &Taken{address: redact.URL(r.Service.Address()), started: time.Now()}}
	shown.Phase("profile "+c.address, r.CPUTime)
	c.all(ctx, r.CPUTime)
	c.elapsed, c.interrupted = time.Since(c.started), ctx.Err() != nil
	return c.Taken
}

// Keep stores profiles as a run, whose id it returns with the warnings. If none could be had, the run is
// invalid and the error says why.
func (l Store) Keep(t *Taken) (id string, warnings []string, err error) {
	row := ledger.Run{
		Label: t.address, Target: t.address, Machine: ledger.MachineKey(machine.Describe()), Started: t.started,
	}
	kept, err := l.begin(row)
	if err != nil {
		return "", nil, err
	}
	id, kept.doc.Elapsed = kept.doc.ID, t.elapsed
	for _, one := range t.captures {
		if err := kept.keep(one); err != nil {
			t.warn(err)
		}
	}
	switch {
	case t.interrupted:
		err = fail.New(fail.Interrupted, "interrupted").WithHint("the profiles taken so far are kept: hone show %s", id)
		return id, t.warnings, errors.Join(err, kept.finish(ledger.Interrupted, "interrupted", t.warnings))
	case len(kept.doc.Captures) == 0:
		return id, nil, errors.Join(t.first, kept.finish(ledger.Invalid, t.warnings[0], t.warnings[1:]))
	}
	return id, t.warnings, kept.finish(ledger.Complete, "", t.warnings)
}

func (t *Taken) warn(err error) {
	if t.first == nil {
		t.first = err
	}
	t.warnings = append(t.warnings, redact.Text(err.Error()))
}

// remote takes the profiles.
type remote struct {
	*Taken
	client *pprofhttp.Client
}

func (c *remote) keep(one prof.Capture) { c.captures = append(c.captures, one) }

// all goes on to the next kind where one cannot be had.
func (c *remote) all(ctx context.Context, cpuTime time.Duration) {
	passes := max(1, min(mostPasses, int(cpuTime/remotePass)))
	allocs, err := c.client.Profile(ctx, "allocs", 0)
	if err != nil {
		c.warn(err)
	}
	for range passes {
		began := time.Now()
		cpu, err := c.client.Profile(ctx, "cpu", cpuTime/time.Duration(passes))
		if err != nil {
			c.warn(err)
			break
		}
		c.keep(prof.Capture{Kind: "cpu", Profile: cpu, Duration: time.Duration(cpu.DurationNanos)})
		if allocs == nil {
			continue
		}
		after, err := c.client.Profile(ctx, "allocs", 0)
		if err == nil {
			var delta *profile.Profile
			if delta, _, err = prof.Delta(allocs, after); err == nil {
				c.keep(prof.Capture{Kind: "allocs", Profile: delta, Duration: time.Since(began)})
			}
		}
		if err != nil {
			c.warn(err)
			allocs = nil
			continue
		}
		allocs = after
	}
	for _, kind := range remoteKinds {
		p, err := c.client.Profile(ctx, kind, 0)
		if kind == rareKind && errors.Is(err, pprofhttp.ErrNoPage) {
			continue
		}
		if err != nil {
			c.warn(err)
			continue
		}
		c.keep(prof.Capture{Kind: kind, Profile: p, Duration: time.Duration(p.DurationNanos)})
	}
}
