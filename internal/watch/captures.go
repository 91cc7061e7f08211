package watch

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/subject"
	"github.com/gohone/hone/prof"
)

// Captures takes profiles of the program through its probe: its CPU over d, what it
// allocated meanwhile, its heap and its goroutines. It is an error without the probe, and
// where none could be had; others that could not are warnings.
func (s *Started) Captures(ctx context.Context, d time.Duration) (all []prof.Capture, warnings []string, err error) {
	if s.probe == nil {
		return nil, nil, fail.New(fail.BadInput, "the program was built without the probe: it has no profiles")
	}
	take := func(kind subject.ProfileKind) *profile.Profile {
		data, err := s.probe.Profile(ctx, kind, d)
		var p *profile.Profile
		if err == nil {
			p, err = prof.Parse(bytes.NewReader(data), prof.Limits{})
		}
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("no %s profile: %v", kind, err))
			return nil
		}
		return p
	}
	before, began := take(subject.ProfileAllocs), time.Now()
	counters, _ := s.process.Counters()
	if p := take(subject.ProfileCPU); p != nil {
		after, _ := s.process.Counters()
		all = append(all, prof.Capture{Kind: "cpu", Profile: p, Duration: time.Duration(p.DurationNanos), Clock: after.Since(counters).CPU})
	}
	if after := take(subject.ProfileAllocs); before != nil && after != nil {
		delta, _, err := prof.Delta(before, after)
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("no allocs profile: %v", err))
		} else {
			all = append(all, prof.Capture{Kind: "allocs", Profile: delta, Duration: time.Since(began)})
		}
	}
	for _, kind := range []subject.ProfileKind{subject.ProfileHeap, subject.ProfileGoroutine} {
		if p := take(kind); p != nil {
			all = append(all, prof.Capture{Kind: string(kind), Profile: p})
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
