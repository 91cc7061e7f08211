package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/needs"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/load"
)

// DoubtNeed is the doubt that a need has ended while the program was measured.
const DoubtNeed = "need-ended"

// endSeen is how long it may take on a busy machine until the end of a need is seen.
const endSeen = 300 * time.Millisecond

// withNeeds measures while the needs run that serve all starts. A need that ends by itself ends the measurement, which
// is then invalid.
func (m *services) withNeeds(ctx context.Context) error {
	in := m.newHost()
	m.host = &in
	if len(m.Task.Needs) == 0 {
		return m.measure(ctx)
	}
	watched, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	in.watch = func(s *needs.Set) { watchNeeds(watched, s, cancel) }
	var err error
	if in.needs, err = in.startNeeds(ctx, needs.Of(m.Task.Needs, false), m.announceNeed); err != nil {
		return err
	}
	in.watch(in.needs)
	if err = m.measure(watched); err != nil {
		select { // an answer may be wrong before the end of the need that it came from is seen
		case <-watched.Done():
		case <-time.After(endSeen):
		}
	}
	var ended *lab.InvalidError
	if cause := context.Cause(watched); errors.As(cause, &ended) {
		return cause // all other errors are its consequences
	}
	return errors.Join(needEnded(in.needs.Died()), err)
}

// watchNeeds calls cancel when one of them ends by itself. Its goroutine ends with ctx, or when they are stopped.
func watchNeeds(ctx context.Context, s *needs.Set, cancel context.CancelCauseFunc) {
	go func() {
		select {
		case <-ctx.Done():
		case <-s.Ended():
			if err := needEnded(s.Died()); err != nil {
				cancel(err)
			}
		}
	}()
}

// needEnded makes the end of a need the reason why a measurement is invalid; nil for nil.
func needEnded(err error) error {
	if err == nil {
		return nil
	}
	return &lab.InvalidError{Doubt: load.Doubt{Name: DoubtNeed, Text: err.Error(), Fatal: true}}
}

func (m *services) announceNeed(n needs.Need) {
	m.Progress.Phase(fmt.Sprintf("start need %s: %s", n.Name, shellwords.Join(redact.Args(n.Command))), 0)
}

// stopNeeds ends those that serve all starts, and keeps what is to be said of them.
func (m *services) stopNeeds() error {
	if m.host == nil || m.host.needs == nil {
		return nil
	}
	set := m.host.needs
	for _, v := range m.sides {
		v.needFacts = append(set.Facts(), v.needFacts...)
	}
	warnings, err := set.Stop(m.Hard)
	for _, w := range warnings {
		m.sides[0].Warn("%s", w)
	}
	return err
}

// startNeeds starts some needs besides those that run already. They run on the program's CPUs: a generator that is late
// makes every latency wrong, and what a program waits for is part of its own.
func (in host) startNeeds(ctx context.Context, some []needs.Need, say func(needs.Need)) (*needs.Set, error) {
	return needs.Start(ctx, some, needs.Options{
		Guard: in.guard, CPUs: in.cpus, Grace: in.grace, Dir: in.workDir, TempDir: in.tmp, Names: in.needs.Names(),
		Say: say,
	})
}

// startOwnNeeds starts those that each start has for itself.
func (s *start) startOwnNeeds(ctx context.Context) error {
	own := needs.Of(s.task.Needs, true)
	if len(own) == 0 {
		return nil
	}
	var err error
	if s.needs, err = s.host.startNeeds(ctx, own, nil); err != nil {
		return err
	}
	s.host.watch(s.needs)
	return nil
}

// needNames are what the templates of all its needs stand for.
func (s *start) needNames() map[string]string {
	if s.needs != nil {
		return s.needs.Names()
	}
	return s.host.needs.Names()
}

// needsCPU is what each of its needs has used so far: those that serve all starts, then its own.
func (s *start) needsCPU(known bool) []time.Duration {
	return append(s.host.needs.CPU(known), s.needs.CPU(known)...)
}

// stopNeeds ends its own needs, and adds what they took to those of earlier starts.
func (s *start) stopNeeds(hard context.Context) error {
	if s.needs == nil {
		return nil
	}
	ended := needEnded(s.needs.Died())
	facts := s.needs.Facts()
	if s.needFacts == nil {
		s.needFacts = make([]needs.Facts, len(facts))
	}
	for i, f := range facts {
		f.Starts += s.needFacts[i].Starts
		f.PeakRSS = max(f.PeakRSS, s.needFacts[i].PeakRSS)
		s.needFacts[i] = f
	}
	warnings, err := s.needs.Stop(hard)
	s.needs = nil
	for _, w := range warnings {
		s.Warn("%s", w)
	}
	return errors.Join(ended, err)
}

// usedByNeeds is the sum of what was used between two readings of needsCPU, and adds it to the slices' account.
func (v *service) usedByNeeds(before, after []time.Duration) (sum time.Duration) {
	for len(v.needsUsed) < len(after) {
		v.needsUsed = append(v.needsUsed, 0)
	}
	for i := range min(len(before), len(after)) {
		v.needsUsed[i] += after[i] - before[i]
		sum += after[i] - before[i]
	}
	return sum
}

// needsRecord is what the document of a run says of them: the CPU time is that of the timed slices.
func (m *services) needsRecord(v *service) []needs.Facts {
	all := slices.Clone(v.needFacts)
	for i := range all {
		all[i].Need, all[i].CPU = all[i].Redacted(m.Hide), 0
		if i < len(v.needsUsed) {
			all[i].CPU = v.needsUsed[i]
		}
	}
	return all
}

// otherEnv are the entries of the needs' environments, otherSecrets what the commands after starts answered.
func (m *services) otherEnv() (env []string) {
	for _, n := range m.Task.Needs {
		env = append(env, n.Env...)
	}
	return env
}

func (m *services) otherSecrets() (all []string) {
	for _, v := range m.sides {
		all = append(all, v.secrets...)
	}
	return all
}
