package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/vitals"
)

// Sample is a block: it starts the variants afresh, measures slices of each in turn, and takes a short CPU profile of each
// in the first blocks of a comparison. The last ones stay up.
func (u *underLoad) Sample(ctx context.Context, b int) (perBlock time.Duration, err error) {
	began := time.Now()
	profiling, loading := time.Duration(0), time.Duration(0)
	rounds := 0
	u.order = u.groups()
	for i, group := range u.order {
		if err := u.stop(); err != nil { // the next one needs its port
			return 0, err
		}
		if err = u.start(ctx, group, b == 0); err != nil {
			return 0, err
		}
		if i == 0 {
			if b == 0 {
				if err := u.planBlocks(ctx, u.up); err != nil {
					return 0, err
				}
			}
			rounds = u.sizes.rounds()
		}
		u.recordMetrics(ctx, u.up)
		loaded := time.Now()
		if err := u.slices(ctx, u.up, b, rounds); err != nil {
			u.endMetrics()
			return 0, err
		}
		loading += time.Since(loaded)
		spent, err := u.capturePass(ctx, u.up)
		if err != nil {
			return 0, err
		}
		profiling += spent
	}
	u.sizes.took(time.Since(began)-profiling, loading, rounds)
	if u.referee != nil {
		u.sizes.learn(u.blocksWith(1))
	}
	return u.sizes.perBlock(), nil
}

// Look has the referee look at the blocks of every variant with A.
func (u *underLoad) Look(perBlock time.Duration) (over bool, err error) {
	return u.look(u.blocksWith, perBlock)
}

// Finish stops the variants of a block and stores what they showed. After the last block, while they are still up, it
// takes the other profiles.
func (u *underLoad) Finish(ctx context.Context, last bool) error {
	if last {
		u.endMetrics()
		if u.request.ProfileTime > 0 {
			if err := u.captureAll(ctx); err != nil {
				return err
			}
		}
	}
	if err := u.stop(); err != nil {
		return err
	}
	for _, v := range u.sides {
		if err := v.save(u.started); err != nil {
			return err
		}
	}
	if err := u.checkAnswers(); err != nil {
		return err
	}
	if last {
		u.checkGains(ctx)
	}
	return nil
}

// groups are the variants that are up at the same time, in the order of their starts: all
// at once, or one after the other. Which one goes first is drawn.
func (u *underLoad) groups() [][]*loaded {
	var all []*loaded
	for _, i := range u.rand.Perm(len(u.sides)) {
		all = append(all, u.sides[i])
	}
	if u.arrangement.together() {
		return [][]*loaded{all}
	}
	return slices.Collect(slices.Chunk(all, 1))
}

// captureAll takes the profiles of every group. The last one is still up; the others, if
// there are any, are started once more for it.
func (u *underLoad) captureAll(ctx context.Context) error {
	for i := len(u.order) - 1; i >= 0; i-- {
		if i < len(u.order)-1 {
			if err := u.stop(); err != nil {
				return err
			}
			if err := u.start(ctx, u.order[i], false); err != nil {
				return err
			}
		}
		if err := u.capture(ctx, u.up); err != nil {
			return err
		}
	}
	return nil
}

// slices loads a group: a run without a gap, variants of a comparison in turn, in an order
// drawn again each time. A round is what makes a pair of two variants.
func (u *underLoad) slices(ctx context.Context, group []*start, b, rounds int) error {
	if b == 0 {
		u.Progress.Phase(u.measurePhase(group[0]), u.planned())
	}
	usage, err := beginUsage(ctx, group, u.referee != nil)
	if err != nil {
		return err
	}
	if u.referee == nil {
		return errors.Join(u.stretch(ctx, group[0], b, rounds), usage.end(ctx))
	}
	pending := make([][]sample, len(group))
	window, begun := newConditionsWindow(u.gauge), time.Now()
	neighbours := machine.WatchNeighbours(os.Getpid())
	perRound := max(1, u.request.slicesPerPair)
	turns := rounds * perRound
	for n := range turns {
		for turn, i := range u.rand.Perm(len(group)) {
			one, err := group[i].measure(ctx, window)
			if err != nil {
				return err
			}
			one.Block, one.Round, one.Turn = b, n/perRound, turn
			one.neighbours = neighboursOf(neighbours)
			pending[i] = append(pending[i], one)
		}
		if n < turns-1 && time.Since(begun) < pauseEvery {
			continue
		}
		if err := u.pause(group, pending); err != nil {
			return err
		}
		neighbours.Rest()
		window, begun = newConditionsWindow(u.gauge), time.Now()
	}
	return usage.end(ctx)
}

// pauseEvery is how long slices follow each other without a pause, in which hone keeps what they
// showed. Their histograms, of a quarter of a megabyte each, stay in memory until then.
const pauseEvery = 200 * time.Millisecond

// pause keeps the slices that are pending, and looks for processes that the programs have
// started.
func (u *underLoad) pause(group []*start, pending [][]sample) error {
	for i, s := range group {
		for _, one := range pending[i] {
			s.keep(one)
		}
		u.tick(s)
		if err := s.draft.HoldSlices(len(pending[i]), 0); err != nil {
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
func (u *underLoad) measurePhase(s *start) string {
	if u.arrangement == Single {
		return "measure " + redact.URL(s.target)
	}
	return "measure " + string(u.arrangement)
}

// start brings the variants of a group up and warms them. announce says what is started.
func (u *underLoad) start(ctx context.Context, group []*loaded, announce bool) error {
	for _, v := range group {
		if announce {
			u.Progress.Phase(fmt.Sprintf("start %s: %s", v.binary.Variant.Name, v.commandLine(u.request.Args)), 0)
		}
		s, err := startUp(ctx, v, &u.request, *u.around)
		u.up = append(u.up, s)
		if err != nil {
			return err
		}
		if u.referee != nil {
			if v.told, err = u.referee.TellApart(v.targets); err != nil {
				return err
			}
		}
	}
	for _, s := range u.up {
		if err := s.warm(ctx); err != nil {
			return err
		}
		if err := s.askForAnswers(ctx); err != nil {
			return err
		}
	}
	return nil
}

// planned is how long the timed part may take.
func (u *underLoad) planned() time.Duration {
	if u.referee != nil {
		return u.request.Budget
	}
	return u.request.Duration
}

func (u *underLoad) tick(s *start) {
	last := s.samples[len(s.samples)-1]
	u.timed += last.slice.Duration
	done, note := u.timed, ""
	if u.referee != nil {
		done, note = u.referee.Elapsed(), strings.Join(u.referee.Notes(), ", ")
	}
	var errs uint64
	for _, v := range u.sides {
		errs += v.tally.Failed
	}
	u.Progress.Tick(progress.Tick{
		Variant: s.binary.Variant.Name, Done: done, Total: u.planned(),
		RatePerSec: s.lately().rate(),
		P99:        last.p99, Errors: errs, Note: note, Vitals: func() vitals.Reading { return s.vitals(last) }, Lately: s.runtimeVitals,
	})
}

// stop settles and stops what is up; it goes on after an error and returns them all.
func (u *underLoad) stop() error {
	var errs []error
	for _, s := range u.up {
		errs = append(errs, s.disconnect(u.Hard), s.stop(u.Hard))
	}
	u.up = nil
	return errors.Join(errs...)
}
