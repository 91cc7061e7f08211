package watch

import (
	"context"
	"fmt"
	"time"

	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof"
)

// Captures takes profiles of the program through its probe: its CPU over d, what it
// allocated meanwhile, its heap and its goroutines. It is an error without the probe, and
// where none could be had; others that could not are warnings.
func (s *Started) Captures(ctx context.Context, d time.Duration) (all []prof.Capture, warnings []string, err error) {
	if s.probes == nil {
		return nil, nil, fail.New(fail.BadInput, "the program was built without the probe: it has no profiles")
	}
	no := func(kind probeclient.ProfileKind, err error) {
		warnings = append(warnings, fmt.Sprintf("no %s profile: %v", kind, err))
	}
	take := func(kind probeclient.ProfileKind) prof.ByProcess {
		p, err := s.probes.Profiles(ctx, func(ctx context.Context, probe *probeclient.Probe) ([]byte, error) {
			return probe.Profile(ctx, kind, d)
		})
		if err != nil {
			no(kind, err)
		}
		return p
	}
	keep := func(c prof.Capture, p prof.ByProcess, err error) {
		if err == nil {
			c.Profile, err = p.Join()
		}
		if err != nil {
			no(probeclient.ProfileKind(c.Kind), err)
			return
		}
		if c.Kind == string(probeclient.ProfileCPU) {
			c.Duration = time.Duration(c.Profile.DurationNanos)
		}
		all = append(all, c)
	}
	before, began := take(probeclient.ProfileAllocs), time.Now()
	counters, _ := s.process.Counters()
	if p := take(probeclient.ProfileCPU); p != nil {
		after, _ := s.process.Counters()
		keep(prof.Capture{Kind: "cpu", Clock: after.Since(counters).CPU}, p, nil)
	}
	if after := take(probeclient.ProfileAllocs); before != nil && after != nil {
		delta, err := after.Since(before)
		keep(prof.Capture{Kind: "allocs", Duration: time.Since(began)}, delta, err)
	}
	for _, kind := range []probeclient.ProfileKind{probeclient.ProfileHeap, probeclient.ProfileGoroutine} {
		if p := take(kind); p != nil {
			keep(prof.Capture{Kind: string(kind)}, p, nil)
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, nil, fail.New(fail.Interrupted, "interrupted")
	case len(all) == 0:
		return nil, nil, fail.New(fail.Subject, "take profiles: %s", warnings[0])
	}
	return all, warnings, nil
}
