package service

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/conclusion"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/internal/wire/vary"
	"github.com/gohone/hone/load"
)

const (
	// gainShare is the part of the budget that a check may take, longestCheck what is enough for it, mostRounds the
	// most rounds.
	gainShare, longestCheck, mostRounds = 0.1, 3 * time.Second, 20
	// shortestGain and longestGain bound the slices of a check.
	shortestGain, longestGain = 20 * time.Millisecond, 100 * time.Millisecond
)

// checkGains looks again at variants that are faster than A: see GainCheck. What goes wrong leaves the question open.
func (m *services) checkGains(ctx context.Context) {
	if m.Referee == nil || m.Task.Calibrate || !m.Task.OwnEngine() {
		return
	}
	sides := m.sides[:1:1]
	for i, v := range m.sides[1:] {
		if m.Referee.Gains(i, m.blocksWith(i+1)) && !m.sides[0].Binary.RunsLike(*v.Binary) {
			sides = append(sides, v)
		}
	}
	if len(sides) == 1 {
		return
	}
	limit := timesOf(m.Task).check
	m.Progress.Phase("confirm without hone's instrumentation", limit)
	all, err := m.askAgain(ctx, sides, limit)
	err = errors.Join(err, m.stop())
	m.gains = map[*service]*record.GainCheck{}
	for i, v := range sides[1:] {
		if err != nil {
			m.gains[v] = &record.GainCheck{Open: redact.Text(err.Error())}
			continue
		}
		m.gains[v] = conclusion.JudgeGain(&all[0].GainSide, &all[i+1].GainSide)
		m.gains[v].Answers = m.otherAnswers(all[0].service, all[i+1].service)
	}
}

// checkedStart is a variant in a check.
type checkedStart struct {
	*start
	conclusion.GainSide
	// varied loads the same process with varied requests; nil where A does not answer any as it answers the same one
	varied *start
}

// askAgain starts the variants afresh, in a directory that is not called hone's, and loads them in turn.
func (m *services) askAgain(ctx context.Context, sides []*service, limit time.Duration) ([]*checkedStart, error) {
	dir, err := tempdir.MakePlain()
	if err != nil {
		return nil, err
	}
	defer dir.Remove()
	around := *m.host
	around.tmp, around.guard, around.build = dir.Path, slices.Clone(m.host.guard), 0
	around.guard[0] = linked(around.guard[0], filepath.Join(dir.Path, "sh"))
	groups := [][]*service{sides}
	if !m.arrangement.Together() {
		groups = slices.Collect(slices.Chunk(sides, 1))
	}
	var all []*checkedStart
	slice := min(max(shortestGain, m.slicing.pair()), longestGain)
	for _, group := range groups {
		deadline := time.Now().Add(limit / time.Duration(len(groups)))
		var up []*checkedStart
		for _, v := range group {
			s, err := m.startChecked(ctx, v, around, filepath.Join(dir.Path, v.Letter, filepath.Base(v.Binary.Path)))
			if err != nil {
				return nil, err
			}
			if all = append(all, s); s.Same {
				if err := s.vary(ctx, all[0], slice); err != nil {
					return nil, err
				}
			}
			up = append(up, s)
		}
		if err := m.gainRounds(ctx, up, slice, deadline); err != nil {
			return nil, err
		}
		for _, s := range up {
			if err := s.closeVaried(); err != nil {
				return nil, err
			}
		}
		if err := m.stop(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// linked is an executable under another name; the file itself where that fails.
func linked(file, name string) string {
	if os.MkdirAll(filepath.Dir(name), 0o700) != nil {
		return file
	}
	if os.Link(file, name) == nil {
		return name
	}
	if build.CopyProgram(file, name) != nil { // on another disk
		return file
	}
	return name
}

// startChecked starts a variant so that what it shows stays out of the measurement: in a record of its own.
func (m *services) startChecked(ctx context.Context, v *service, around host, file string) (*checkedStart, error) {
	binary := *v.Binary
	if strings.HasPrefix(binary.Path, m.Tmp+string(filepath.Separator)) {
		binary.Path = linked(binary.Path, file)
	}
	own := &service{Side: &lab.Side{Built: lab.Built{Binary: &binary, Digest: v.Digest},
		Builds: []*build.Binary{&binary},
		Letter: v.Letter,
		Draft:  v.Draft}, home: v.home, hidesHone: true, timed: timed.Load{Compared: true}} // its answers are sampled
	if v.found != nil {
		found := *v.found
		own.found = &found
	}
	s, err := startUp(ctx, own, &m.Task, around)
	m.up = append(m.up, s)
	v.secrets = append(v.secrets, own.secrets...)
	if err != nil {
		return nil, err
	}
	if err := s.warm(ctx); err != nil {
		return nil, err
	}
	same := vary.OneRequest(s.target.URL, s.target.Options)
	return &checkedStart{start: s, GainSide: conclusion.GainSide{Same: same}}, nil
}

// vary opens the load with varied requests. A says by its answers which variation is the same work, and the others
// follow it.
func (s *checkedStart) vary(ctx context.Context, a *checkedStart, slice time.Duration) error {
	var all []vary.Variation
	all, s.HasValues = vary.All(s.target.URL, s.target.Options)
	for _, v := range all {
		if s != a && (a.Chosen == nil || a.Chosen.By != v.By) {
			continue
		}
		other := &start{service: s.service, task: s.task, host: s.host, process: s.process}
		other.target.Shown = s.latest.target
		var err error
		if other.target.Target, err = schemes.Parse(v.Target, v.Options); err != nil {
			continue // a value that cannot vary where it stands
		}
		if err := other.connect(ctx); err != nil {
			return err
		}
		s.varied, s.Chosen = other, &v
		if s != a {
			return nil
		}
		if like, err := s.alike(ctx, slice); err != nil || like {
			return err
		}
		if err := s.closeVaried(); err != nil {
			return err
		}
		s.varied, s.Chosen, s.Refuses = nil, nil, v.By
	}
	return nil
}

// alike says that varied requests are the same work as the others. The first slice of each warms what they need.
func (s *checkedStart) alike(ctx context.Context, slice time.Duration) (bool, error) {
	var round conclusion.GainRound
	for range 2 {
		var err error
		if round.Same, err = s.cost(ctx, slice); err != nil {
			return false, err
		}
		if round.Varied, err = s.varied.cost(ctx, slice); err != nil {
			return false, err
		}
	}
	return round.Varied.LikeWork(round.Same) && round.Varied.LikeCPU(round.Same), nil
}

// closeVaried ends the load with varied requests.
func (s *checkedStart) closeVaried() error {
	if s.varied == nil || s.varied.session == nil {
		return nil
	}
	_, err := s.varied.session.Close()
	s.varied.session = nil
	return err
}

// gainRounds loads the variants in turn, a slice each, until the deadline. The first round is not counted: it warms
// what the varied requests need.
func (m *services) gainRounds(ctx context.Context, up []*checkedStart, slice time.Duration, deadline time.Time) error {
	for n := 0; n <= mostRounds && (n <= conclusion.LeastGainRounds || time.Now().Before(deadline)); n++ {
		for _, i := range m.Rand.Perm(len(up)) {
			s := up[i]
			var round conclusion.GainRound
			var err error
			if round.Same, err = s.cost(ctx, slice); err != nil {
				return err
			}
			if s.varied != nil {
				if round.Varied, err = s.varied.cost(ctx, slice); err != nil {
					return err
				}
			}
			if n > 0 {
				s.Rounds = append(s.Rounds, round)
			}
		}
	}
	return nil
}

// cost is what one slice takes. It ends when all is answered: what comes later would count for the next one.
func (s *start) cost(ctx context.Context, d time.Duration) (c conclusion.Cost, err error) {
	before, err := s.process.Counters()
	if err != nil {
		return c, s.or(err)
	}
	err = s.session.Run(ctx, load.Stretch{Schedule: scheduleOf(*s.task, d), Drain: s.task.Plan.Timeout},
		func(got load.Slice) {
			c = conclusion.Cost{Answered: got.Answered, Failed: got.Failed, Received: got.BytesReceived}
			got.Release()
		})
	if err != nil || s.died() != nil {
		return c, s.or(err)
	}
	after, err := s.process.Counters()
	if err != nil {
		return c, s.or(err)
	}
	c.CPU = after.Since(before).AllCPU()
	return c, nil
}
