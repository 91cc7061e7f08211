package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/vitals"
)

// Sample is a block: it starts the variants afresh, measures slices of each in turn, and takes a short CPU profile of
// each in the first blocks of a comparison. The last ones stay up.
func (m *services) Sample(ctx context.Context, b int) (perBlock time.Duration, err error) {
	m.awaitCalm(ctx)
	if err := m.nextOrder(ctx); err != nil {
		return 0, err
	}
	began := time.Now()
	once, loading := time.Duration(0), time.Duration(0) // once: profiles, and what is found out at the first start
	rounds := 0
	m.order = m.groups()
	for i, group := range m.order {
		if err := m.stop(); err != nil { // the next one needs its port
			return 0, err
		}
		if err = m.start(ctx, group, b == 0); err != nil {
			return 0, err
		}
		if i == 0 {
			if b == 0 {
				planning := time.Now()
				if err := m.planBlocks(ctx, m.up); err != nil {
					return 0, err
				}
				once += time.Since(planning)
			}
			rounds = m.sizes.rounds()
		}
		m.recordMetrics(ctx, m.up)
		loaded := time.Now()
		if err := m.slices(ctx, m.up, b, rounds); err != nil {
			m.endMetrics()
			return 0, err
		}
		loading += time.Since(loaded)
		if m.tight(time.Since(began) - once) {
			continue // the profiles come after the last block
		}
		spent, err := m.capturePass(ctx, m.up)
		if err != nil {
			return 0, err
		}
		once += spent
	}
	m.sizes.took(time.Since(began)-once, loading, rounds)
	if m.Referee != nil {
		m.sizes.learn(m.blocksWith(1))
	}
	return m.sizes.perBlock(), nil
}

// Look has the referee look at the blocks of every variant with A.
func (m *services) Look(perBlock time.Duration) (over bool, err error) {
	return m.LookAt(m.blocksWith, perBlock)
}

// Finish stops the variants of a block and stores what they showed. After the last block, while they are still up, it
// takes the other profiles.
func (m *services) Finish(ctx context.Context, last bool) error {
	if last {
		m.endMetrics()
		if m.Task.ProfileTime > 0 {
			if err := m.captureAll(ctx); err != nil {
				return err
			}
		}
	}
	if err := m.stop(); err != nil {
		return err
	}
	for _, v := range m.sides {
		if err := v.save(m.Started); err != nil {
			return err
		}
	}
	if err := m.checkAnswers(); err != nil {
		return err
	}
	if last {
		m.checkGains(ctx)
	}
	return nil
}

// groups are the variants that are up at the same time, in the order of their starts: all
// at once, or one after the other. Which one goes first is drawn.
func (m *services) groups() [][]*service {
	var all []*service
	for _, i := range m.Rand.Perm(len(m.sides)) {
		all = append(all, m.sides[i])
	}
	if m.arrangement.Together() {
		return [][]*service{all}
	}
	return slices.Collect(slices.Chunk(all, 1))
}

// captureAll takes the profiles of every group. The last one is still up; the others, if
// there are any, are started once more for it.
func (m *services) captureAll(ctx context.Context) error {
	for i := len(m.order) - 1; i >= 0; i-- {
		if i < len(m.order)-1 {
			if err := m.stop(); err != nil {
				return err
			}
			if err := m.start(ctx, m.order[i], false); err != nil {
				return err
			}
		}
		if err := m.capture(ctx, m.up); err != nil {
			return err
		}
	}
	return nil
}

// slices loads a group: a run without a gap, variants of a comparison in turn, in an order
// drawn again each time. A round is what makes a pair of two variants.
func (m *services) slices(ctx context.Context, group []*start, b, rounds int) error {
	if b == 0 {
		m.Progress.Phase(m.measurePhase(group[0]), m.planned())
	}
	usage, err := beginUsage(ctx, group, m.Referee != nil)
	if err != nil {
		return err
	}
	if m.Referee == nil {
		return errors.Join(m.stretch(ctx, group[0], b, rounds), usage.end(ctx))
	}
	pending := make([][]timed.Sample, len(group))
	window, begun := newConditionsWindow(m.Gauge), time.Now()
	neighbours := machine.WatchNeighbours(os.Getpid())
	perRound := m.slicing.perPair
	turns := rounds * perRound
	for n := range turns {
		for turn, i := range m.Rand.Perm(len(group)) {
			one, err := group[i].measure(ctx, window)
			if err != nil {
				return err
			}
			one.Block, one.Round, one.Turn = b, n/perRound, turn
			one.Neighbours = timed.NeighboursOf(neighbours)
			pending[i] = append(pending[i], one)
		}
		if n < turns-1 && time.Since(begun) < pauseEvery {
			continue
		}
		if err := m.pause(group, pending); err != nil {
			return err
		}
		neighbours.Rest()
		window, begun = newConditionsWindow(m.Gauge), time.Now()
	}
	return usage.end(ctx)
}

// pauseEvery is how long slices follow each other without a pause, in which hone keeps what they
// showed. Their histograms, of a quarter of a megabyte each, stay in memory until then.
const pauseEvery = 200 * time.Millisecond

// pause keeps the slices that are pending, and looks for processes that the programs have
// started.
func (m *services) pause(group []*start, pending [][]timed.Sample) error {
	for i, s := range group {
		for _, one := range pending[i] {
			s.timed.Keep(one)
		}
		m.tick(s)
		if err := s.Draft.HoldSlices(len(pending[i]), 0); err != nil {
			return err
		}
		if err := s.compactAndHold(); err != nil {
			return err
		}
		pending[i] = pending[i][:0]
		if _, err := s.process.Counters(); err != nil {
			return s.or(err)
		}
		s.needsCPU(false)
	}
	return nil
}

// measurePhase says what is loaded: a run by its target, variants by how they stand beside
// each other.
func (m *services) measurePhase(s *start) string {
	if m.arrangement == record.Single {
		return strings.TrimSpace("measure " + redact.URL(s.latest.target)) // a load command has a target of its own
	}
	if m.arrangement == record.Alternating {
		return "measure in turns " + string(record.Alternating) + ", with profiles and checks"
	}
	return "measure in turns, with profiles and checks"
}

// start brings the variants of a group up and warms them. announce says what is started.
func (m *services) start(ctx context.Context, group []*service, announce bool) error {
	for _, v := range group {
		if announce {
			m.Progress.Phase(fmt.Sprintf("start %s: %s", v.Binary.Variant.Name, v.commandLine(m.Task.Args)), 0)
		}
		s, err := startUp(ctx, v, &m.Task, *m.host)
		m.up = append(m.up, s)
		if err != nil {
			return &lab.VariantError{Letter: v.Binary.Variant.Name, Err: err}
		}
		if m.Referee != nil {
			if v.judged, err = m.Referee.TellApart(v.targets); err != nil {
				return err
			}
		}
	}
	for _, s := range m.up {
		if err := s.warm(ctx); err != nil {
			return &lab.VariantError{Letter: s.Binary.Variant.Name, Err: err}
		}
		if err := s.askForAnswers(ctx); err != nil {
			return err
		}
	}
	return nil
}

// planned is how long the timed part may take.
func (m *services) planned() time.Duration {
	if m.Referee != nil {
		return m.Task.Budget
	}
	return m.Task.Duration
}

func (m *services) tick(s *start) {
	last := s.timed.Samples[len(s.timed.Samples)-1]
	m.timed += last.Loaded.Duration
	done, note := m.timed, ""
	if m.Referee != nil {
		done, note = m.Referee.Elapsed(), strings.Join(m.Referee.Notes(), ", ")
	}
	var errs uint64
	for _, v := range m.sides {
		errs += v.timed.Tally.Failed
	}
	m.Progress.Tick(progress.Tick{
		Variant: s.Binary.Variant.Name, Done: done, Total: m.planned(),
		RatePerSec: s.timed.Lately().Rate(),
		P99:        last.P99, Errors: errs, Note: note, Vitals: func() vitals.Reading {
			return s.timed.Vitals(last,
				s.task.RateHz)
		},
		Lately: s.timed.RuntimeVitals,
	})
}

// stop settles and stops what is up; it goes on after an error and returns them all.
func (m *services) stop() error {
	var errs []error
	for _, s := range m.up {
		errs = append(errs, s.disconnect(m.Hard), s.stop(m.Hard))
	}
	m.up = nil
	return errors.Join(errs...)
}
