package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/progress"
	"github.com/gohone/hone/internal/redact"
	"github.com/gohone/hone/internal/vitals"
)

// run takes blocks, one after the other, until what was asked is answered: a run has
// one; a comparison goes on until its referee has seen enough.
func (m *measurement) run(ctx context.Context) error {
	m.sizes = newBlockSizes(m.request)
	if len(m.trials) > 1 {
		m.referee = compare.NewReferee(m.request.question())
	}
	for b := 0; ; b++ {
		over, err := m.block(ctx, b)
		if over || err != nil {
			return err
		}
	}
}

// block starts the variants afresh, measures slices of each in turn, takes a short CPU profile
// of each in the first blocks of a comparison, and stops them. After the last one, while they
// are still up, it takes the other profiles.
func (m *measurement) block(ctx context.Context, b int) (over bool, err error) {
	began := time.Now()
	profiling := time.Duration(0)
	rounds, groups := 0, m.groups()
	for i, group := range groups {
		if err := m.start(ctx, group, b == 0); err != nil {
			return false, err
		}
		if i == 0 {
			m.fitSlices(group)
			rounds = m.sizes.rounds()
		}
		m.recordMetrics(ctx, group)
		if err := m.measureGroup(ctx, group, b, rounds); err != nil {
			m.endMetrics()
			return false, err
		}
		if m.referee != nil {
			pass := time.Now()
			if err := m.capturePass(ctx, group); err != nil {
				return false, err
			}
			spent := time.Since(pass)
			profiling += spent
			m.referee.Exclude(spent)
		}
		if i < len(groups)-1 { // the next one needs its port
			if err := m.stop(group); err != nil {
				return false, err
			}
		}
	}
	m.sizes.took(time.Since(began)-profiling, rounds)
	if over, err = m.over(); err != nil {
		return false, err
	}
	if over {
		m.endMetrics()
	}
	if over && m.request.ProfileTime > 0 {
		if err := m.captureAll(ctx, groups); err != nil {
			return false, err
		}
	}
	if err := m.stopAll(); err != nil {
		return false, err
	}
	for _, t := range m.trials { // a crash loses at most the block it hits
		if err := t.save(m.started); err != nil {
			return false, err
		}
	}
	return over, nil
}

// groups are the trials that are up at the same time, in the order of their starts: all
// at once, or one after the other. Which one goes first is drawn.
func (m *measurement) groups() [][]*trial {
	var all []*trial
	for _, i := range m.rand.Perm(len(m.trials)) {
		all = append(all, m.trials[i])
	}
	if m.arrangement.together() {
		return [][]*trial{all}
	}
	var groups [][]*trial
	for i := range all {
		groups = append(groups, all[i:i+1])
	}
	return groups
}

// over asks the referee whether the measurement has come to its end.
func (m *measurement) over() (bool, error) {
	if m.referee == nil {
		return true, nil
	}
	blocks := m.compareBlocks(0, 1)
	m.sizes.learn(blocks)
	if !m.referee.Due(len(blocks), m.sizes.perBlock()) {
		return false, nil
	}
	all := [][]compare.Block{blocks}
	for i := 2; i < len(m.trials); i++ {
		all = append(all, m.compareBlocks(0, i))
	}
	return m.referee.Look(all, m.sizes.perBlock())
}

// captureAll takes the profiles of every group. The last one is still up; the others, if
// there are any, are started once more for it.
func (m *measurement) captureAll(ctx context.Context, groups [][]*trial) error {
	for i := len(groups) - 1; i >= 0; i-- {
		if i < len(groups)-1 {
			if err := m.stop(groups[i+1]); err != nil {
				return err
			}
			if err := m.start(ctx, groups[i], false); err != nil {
				return err
			}
		}
		if err := m.capture(ctx, groups[i]); err != nil {
			return err
		}
	}
	return nil
}

// measureGroup loads the trials of a group in turn, in an order drawn anew for each round.
func (m *measurement) measureGroup(ctx context.Context, group []*trial, b, rounds int) error {
	if b == 0 {
		m.Progress.Phase(m.measurePhase(group[0]), m.planned())
	}
	usage, err := beginUsage(ctx, group, m.referee != nil)
	if err != nil {
		return err
	}
	if m.referee == nil {
		return errors.Join(m.stretch(ctx, group[0], b, rounds), usage.end(ctx))
	}
	for round := range rounds {
		for i, v := range m.rand.Perm(len(group)) {
			t := group[v]
			if err := t.measure(ctx, m.gauge, b, round, i); err != nil {
				return err
			}
			m.tick(t)
		}
		if err := holdSlice(group); err != nil {
			return err
		}
		if round%boilEvery == boilEvery-1 {
			if err := boil(group); err != nil {
				return err
			}
		}
	}
	return errors.Join(usage.end(ctx), boil(group))
}

// measurePhase says what is loaded: a run by its target, variants by how they stand beside
// each other.
func (m *measurement) measurePhase(t *trial) string {
	if m.arrangement == Single {
		return "measure " + redact.URL(t.target)
	}
	return "measure " + string(m.arrangement)
}

// holdSlice keeps room on the disk for the slice that each trial has just got. It writes to the
// disk, and so it waits until no slice of the round follows.
func holdSlice(group []*trial) error {
	for _, t := range group {
		if err := t.draft.HoldSlices(1, 0); err != nil {
			return err
		}
	}
	return nil
}

// boilEvery is how many rounds of slices keep their histograms, of a quarter of a megabyte
// each, until they are reduced between two rounds.
const boilEvery = 50

func boil(group []*trial) error {
	var first error
	for _, t := range group {
		first = cmp.Or(first, t.boilAndHold())
	}
	return first
}

// start brings the trials of a group up and warms them. announce says what is started.
func (m *measurement) start(ctx context.Context, group []*trial, announce bool) error {
	for _, t := range group {
		if announce {
			m.Progress.Phase(fmt.Sprintf("start %s: %s", t.binary.Variant.Name, t.commandLine()), 0)
		}
		if err := t.up(ctx, m.Lab, m.arrangement, m.env.SubjectCPUs, m.tmp); err != nil {
			return err
		}
	}
	for _, t := range group {
		if err := t.warm(ctx); err != nil {
			return err
		}
	}
	return nil
}

// planned is how long the timed part may take.
func (m *measurement) planned() time.Duration {
	if m.referee != nil {
		return m.request.Budget
	}
	return m.request.Duration
}

func (m *measurement) tick(t *trial) {
	last := t.samples[len(t.samples)-1]
	s := last.slice
	m.timed += s.Duration
	done, note := m.timed, ""
	if m.referee != nil {
		done, note = m.referee.Elapsed(), strings.Join(m.referee.Notes(), ", ")
	}
	var errs uint64
	for _, t := range m.trials {
		errs += t.tally.Failed
	}
	m.Progress.Tick(progress.Tick{
		Variant: t.binary.Variant.Name, Done: done, Total: m.planned(),
		RatePerSec: t.lately().rate(),
		P99:        last.p99, Errors: errs, Note: note, Vitals: func() vitals.Reading { return t.vitals(last) }, Lately: t.runtimeVitals,
	})
}

// stop settles and stops a group; it goes on after an error and returns them all.
func (m *measurement) stop(group []*trial) error {
	var errs []error
	for _, t := range group {
		errs = append(errs, t.closeSession(m.Hard), t.down(m.Hard))
	}
	return errors.Join(errs...)
}
