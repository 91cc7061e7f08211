package chains

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/chain"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// State is what became of a step.
type State string

// The states of steps, each before those that replace it.
const (
	// New steps were shown once.
	New State = "new"
	// Confirmed steps were shown by two stages of a comparison, or by two measurements. Those whose two ends were measured
	// again are confirmed if that showed them, too.
	Confirmed State = "confirmed"
	// TakenBack steps were undone by a later step.
	TakenBack State = "taken back"
	// Refuted steps are none any more: a further measurement of the two ends does not show them.
	Refuted State = "not found again"
	// AcceptedState steps are known: an entry of the repository's configuration names them.
	AcceptedState State = "accepted"
)

// Accepted is an entry that mutes a step.
type Accepted struct {
	// Commit is the beginning of the hash of the commit that made the step, of 7 digits at least.
	Commit string `json:"commit"`
	// Benchmark is what the name of the benchmark, or of the service, has to match; nil: all do.
	Benchmark *regexp.Regexp `json:"-"`
	Reason    string         `json:"reason"`
	// Until is the moment from which on the entry mutes nothing; the zero time: it always does.
	Until time.Time `json:"until,omitzero"`
}

// fewestDigits of a hash name a commit: git shows 7.
const fewestDigits = 7

// Step is a change of a measure for good.
type Step struct {
	// ID is the same each time the step is found, whatever became of it: who tells of steps remembers it.
	ID string `json:"id"`
	Key
	Unit string `json:"unit,omitempty"`
	// After is the last commit before the step, and Commit the first tracked one with it. Between counts the commits
	// between them, any of which may have made it; untracked ones count where the points say how many there are.
	After   series.Commit `json:"after"`
	Commit  series.Commit `json:"commit"`
	Between int           `json:"between,omitempty"`
	// Again is the measurement of After and Commit that was made to confirm the step; nil: none was.
	Again *chain.Interval `json:"again,omitempty"`
	// Tried says that there was such a measurement, also where it had no result.
	Tried bool `json:"tried,omitempty"`
	// Found is the commit that made the step, one of those after After up to Commit; nil where there was no search
	// (Searched), or it found none.
	Found    *series.Commit `json:"found,omitempty"`
	Searched bool           `json:"searched,omitempty"`
	// Place is the index of Commit in Chain.Places.
	Place int `json:"place"`
	// Interval is Commit against After.
	chain.Interval
	// Worse and Better say which way it went.
	Worse  bool `json:"worse,omitempty"`
	Better bool `json:"better,omitempty"`

	State State `json:"state"`
	// Confirmed stays true when a step is taken back or accepted.
	Confirmed bool `json:"confirmed,omitempty"`
	// By is the ID of the step that took this one back, and Undoes of the one that this one took back.
	By     string `json:"by,omitempty"`
	Undoes string `json:"undoes,omitempty"`
	// Accepted is the entry that mutes the step, or did until Expired.
	Accepted *Accepted `json:"accepted,omitempty"`
	Expired  bool      `json:"expired,omitempty"`
	// Report is the report of the point of Commit.
	Report string `json:"report,omitempty"`
}

// StepOptions say what counts as a step.
type StepOptions struct {
	// Least is the smallest change that is a step, as a fraction; 0 means 1 %, which is what "the same" means.
	Least float64
	// Accepted are the known steps, Now the moment at which their entries hold.
	Accepted []Accepted
	Now      time.Time
}

// Steps are the steps of a chain, the oldest first.
//
// In a chain of comparisons they are those of chain.Steps. In one of imported values, which are of single runs and
// independent of each other, they are change points at 1 % (history.ChangePoints, which looks at the newest 200 values,
// and takes up to a second for them); their interval is that of the shift
// between the values on both sides, and all that was seen where they are too few for one.
func (c *Chain) Steps(o StepOptions) ([]Step, error) {
	least := math.Log1p(cmp.Or(o.Least, judge.DefaultDelta))
	var all []Step
	if !c.Paired() {
		var err error
		if all, err = c.importedSteps(least); err != nil {
			return nil, fmt.Errorf("find steps of %s %s: %w", c.Of(), c.Measure, err)
		}
	}
	for _, line := range c.lines {
		all = append(all, c.stepsOf(line, least)...)
	}
	// Where a commit ends a segment and goes on in another, one step may be seen in both: the narrower one is it.
	slices.SortStableFunc(all, func(x, y Step) int {
		return cmp.Or(cmp.Compare(x.Place, y.Place), cmp.Compare(x.Between, y.Between))
	})
	all = slices.CompactFunc(all, func(x, y Step) bool { return x.Place == y.Place && (x.Ratio > 1) == (y.Ratio > 1) })
	better := directionOf(c.Measure)
	for i := range all {
		s := &all[i]
		s.Better = (s.Ratio > 1) == (better == judge.Higher)
		s.Worse = !s.Better
		s.ID = c.identity(s)
		s.State = New
		if s.Confirmed {
			s.State = Confirmed
		}
	}
	c.takeBack(all)
	for i := range all {
		c.accept(&all[i], o)
	}
	return all, nil
}

// stepsOf are the steps of one segment.
func (c *Chain) stepsOf(line []stop, least float64) []Step {
	stops := make([]chain.Stop, len(line))
	for i, s := range line {
		stops[i] = s.stop()
	}
	var all []Step
	for _, s := range c.net.Steps(stops, least) {
		to := line[s.To]
		all = append(all, Step{Key: c.Key, Unit: c.Unit, After: *line[s.From].commit, Commit: *to.commit,
			Between: c.between(line[s.From], to), Place: int(to.place), Interval: c.errors.Interval(s.Link), Confirmed: s.Shown,
			Report: c.Places[to.place].Report})
		c.lookAgain(&all[len(all)-1])
	}
	return all
}

// lookAgain adds what was found out of a step when its two ends were measured again.
func (c *Chain) lookAgain(s *Step) {
	more := c.again[s.Commit.Hash]
	s.Tried, s.Searched, s.Found = more.tried, more.searched, more.found
	if len(more.measured) == 0 {
		return
	}
	i := c.errors.Interval(chain.Pool(more.measured))
	s.Again = &i
	s.Confirmed = s.Ratio > 1 && i.Low > 1 || s.Ratio < 1 && i.High < 1
}

// Exact says that the size of the step is known exactly, as that of counts is: nothing can confirm it further.
func (s *Step) Exact() bool { return s.Low == s.High }

// Made is the commit that made the step: the one that a search found, else the first tracked one with it.
func (s *Step) Made() *series.Commit {
	if s.Found != nil {
		return s.Found
	}
	return &s.Commit
}

// between counts the commits between two stops: of all, also those of another segment.
func (c *Chain) between(from, to stop) (n int) {
	for i := int(from.place) + 1; i < int(to.place); i++ {
		if from.place >= 0 && !c.Places[i].Gone {
			n += max(1, c.Places[i].Commits)
		}
	}
	return n + max(1, c.Places[to.place].Commits) - 1
}

// importedSteps are the change points of absolute values.
func (c *Chain) importedSteps(least float64) ([]Step, error) {
	var places []int
	var values, logs []float64
	for i, p := range c.Places {
		if p.Value != nil && !p.Gone {
			places, values, logs = append(places, i), append(values, p.Value.Ratio), append(logs, math.Log(p.Value.Ratio))
		}
	}
	seed := fnv.New64a()
	fmt.Fprintf(seed, "%q", c.Key)
	points, err := history.ChangePoints(values, 0, importedAlpha, rand.New(rand.NewPCG(seed.Sum64(), 1)))
	if err != nil {
		return nil, err
	}
	var all []Step
	for i, p := range points {
		from, to := max(0, len(values)-history.ChangeWindow), len(values)
		if i > 0 {
			from = points[i-1].Index
		}
		if i+1 < len(points) {
			to = points[i+1].Index
		}
		shift, err := stats.Shift(logs[from:p.Index], logs[p.Index:to], 1-judge.DefaultAlpha)
		if err != nil {
			return nil, err
		}
		if math.Abs(shift.Value) < least {
			continue
		}
		if math.IsInf(shift.High, 0) { // too few for the level: all that was seen
			shift.Low = slices.Min(logs[p.Index:to]) - slices.Max(logs[from:p.Index])
			shift.High = slices.Max(logs[p.Index:to]) - slices.Min(logs[from:p.Index])
		}
		after, commit := c.Places[places[p.Index-1]], c.Places[places[p.Index]]
		all = append(all, Step{Key: c.Key, Unit: c.Unit, After: *after.Commit, Commit: *commit.Commit, Place: places[p.Index],
			Between:  places[p.Index] - places[p.Index-1] - 1,
			Interval: chain.Interval{Ratio: math.Exp(shift.Value), Low: math.Exp(shift.Low), High: math.Exp(shift.High)}})
	}
	return all, nil
}

// importedAlpha is the level of change points in imported values.
const importedAlpha = 0.01

// identity is a hash of what a step is, without what is known of its size: a further measurement of the same commits
// does not make another step.
func (c *Chain) identity(s *Step) string {
	direction := "up"
	if s.Ratio < 1 {
		direction = "down"
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{"hone.step/1", c.Branch, c.Subject, c.Name, c.Measure, c.Imported,
		c.Machine, s.Commit.Hash, direction}))
	return hex.EncodeToString(sum[:8])
}

// takeBack marks steps that a later one undid: in the other direction, half as large at least, and so that both together
// may be none. Each step undoes the last one that is open and that it fits, in its segment.
func (c *Chain) takeBack(all []Step) {
	for i := range all {
		for j := i - 1; j >= 0; j-- {
			if all[j].By == "" && c.segment(all[i]) == c.segment(all[j]) && c.undoes(all[i], all[j]) {
				all[j].By, all[i].Undoes = all[i].ID, all[j].ID
				all[j].State = TakenBack
				break
			}
		}
	}
}

func (c *Chain) segment(s Step) int { return c.Places[s.Place].Segment }

// undoes says that the intervals of both steps hold the same size, with the opposite sign.
func (c *Chain) undoes(later, earlier Step) bool {
	x, y := math.Log(earlier.Ratio), math.Log(later.Ratio)
	if x*y >= 0 || math.Abs(y) < math.Abs(x)/2 {
		return false
	}
	confidence := c.errors.Confidence()
	a, errA := c.errors.Link(earlier.Ratio, earlier.Low, earlier.High, confidence)
	b, errB := c.errors.Link(later.Ratio, later.Low, later.High, confidence)
	if errA != nil || errB != nil {
		return false
	}
	rest := c.errors.Interval(chain.Link{Log: x + y, Variance: a.Variance + b.Variance})
	return rest.Low <= 1 && rest.High >= 1 || math.Abs(x+y) <= leftOver*math.Abs(x)
}

// leftOver is the part of a step that may stay when it is taken back, where its size is known exactly: that of counts.
const leftOver = 0.1

// accept mutes a step that an entry names. One that was taken back needs none.
func (c *Chain) accept(s *Step, o StepOptions) {
	for i := range o.Accepted {
		a := &o.Accepted[i]
		if !c.names(a, s) {
			continue
		}
		expired := !a.Until.IsZero() && !o.Now.Before(a.Until)
		if s.Accepted == nil || s.Expired && !expired {
			s.Accepted, s.Expired = a, expired
		}
	}
	if s.Accepted != nil && !s.Expired && s.State != TakenBack {
		s.State = AcceptedState
	}
}

// names says that an entry is of a step: of its commit, or of a tracked one that may have made it.
func (c *Chain) names(a *Accepted, s *Step) bool {
	if len(a.Commit) < fewestDigits || a.Benchmark != nil && !a.Benchmark.MatchString(s.Of()) {
		return false
	}
	for i := s.Place; i >= 0 && c.Places[i].Commit.Hash != s.After.Hash && s.Place-i <= s.Between; i-- { // up to After
		if strings.HasPrefix(c.Places[i].Commit.Hash, strings.ToLower(a.Commit)) {
			return true
		}
	}
	return s.Found != nil && strings.HasPrefix(s.Found.Hash, strings.ToLower(a.Commit))
}

// directionOf is the better side of a measure.
func directionOf(key string) judge.Direction {
	for _, all := range [][]judge.Measure{measure.OfBenchmarks, measure.OfInstructions, measure.All} {
		for _, m := range all {
			if m.Key == key {
				return m.Better
			}
		}
	}
	return measure.BetterOf(key)
}
