package lab

import (
	"context"
	"errors"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/program/pprofhttp"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/fail"
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

// Capture takes the profiles of a service under whatever load it has, and stores them as
// a run, whose id it returns with warnings of profiles that could not be had. How many
// requests were served meanwhile is not known. If none could be had, the run is invalid
// and the error says why.
func (l *Lab) Capture(ctx context.Context, r Remote) (id string, warnings []string, err error) {
	address := redact.URL(r.Service.Address())
	kept, err := l.beginCaptured(ledger.Run{Label: address, Target: address, Machine: ledger.MachineKey(machine.Describe())})
	if err != nil {
		return "", nil, err
	}
	id = kept.doc.ID
	c := &remote{client: r.Service, profiledRun: kept}
	l.Progress.Phase("profile "+id, r.CPUTime)
	c.all(ctx, r.CPUTime)
	switch {
	case ctx.Err() != nil:
		err = fail.New(fail.Interrupted, "interrupted").WithHint("the profiles taken so far are kept: hone show %s", id)
		return id, c.warnings, errors.Join(err, c.finish(ledger.Interrupted, "interrupted", c.warnings))
	case len(kept.doc.Captures) == 0:
		return id, nil, errors.Join(c.first, c.finish(ledger.Invalid, c.warnings[0], c.warnings[1:]))
	}
	return id, c.warnings, c.finish(ledger.Complete, "", c.warnings)
}

type remote struct {
	*profiledRun
	client   *pprofhttp.Client
	first    error // of those that became warnings
	warnings []string
}

func (c *remote) warn(err error) {
	if c.first == nil {
		c.first = err
	}
	c.warnings = append(c.warnings, redact.Text(err.Error()))
}

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
		if err == nil {
			err = c.keep(prof.Capture{Kind: "cpu", Profile: cpu, Duration: time.Duration(cpu.DurationNanos)})
		}
		if err != nil {
			c.warn(err)
			break
		}
		if allocs == nil {
			continue
		}
		after, err := c.client.Profile(ctx, "allocs", 0)
		if err == nil {
			var delta *profile.Profile
			if delta, _, err = prof.Delta(allocs, after); err == nil {
				err = c.keep(prof.Capture{Kind: "allocs", Profile: delta, Duration: time.Since(began)})
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
		if err == nil {
			err = c.keep(prof.Capture{Kind: kind, Profile: p, Duration: time.Duration(p.DurationNanos)})
		}
		if err != nil {
			c.warn(err)
		}
	}
}
