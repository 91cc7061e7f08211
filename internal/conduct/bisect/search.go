package bisect

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench"
	"github.com/gohone/hone/internal/judge/search"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// line is the search along one line of commits: the whole history, or what a merge brought.
type line struct {
	*run
	target  Target
	whole   float64      // logarithm of the last place relative to place 0
	commits []git.Commit // after place 0
	quiet   []bool       // of them
	places  []place
	history *search.History
	err     float64        // standard error of whole
	entries []Entry        // that the history was made of
	skipped map[int]string // by place
	built   map[int]bool   // places whose programs are in the build cache
	wider   int            // how often the shortest probe was doubled, since there was no interval
	probes  []time.Duration
	builds  []time.Duration
}

// newLine begins a search among commits after a good one. The last of them differs from it by a logarithm with a standard error. quiet
// says which commits change nothing that matters.
func (r *run) newLine(t Target, good git.Commit, commits []git.Commit, quiet []bool, log, err float64) (*line, error) {
	l := &line{run: r, target: t, whole: log, err: err, commits: commits, quiet: quiet, places: places(good, commits, quiet)}
	return l, l.begin()
}

// begin makes the history of what is known.
func (l *line) begin() error {
	last := len(l.places) - 1
	l.history, l.skipped, l.built = search.New(last), map[int]string{}, map[int]bool{0: true, last: true}
	if err := l.history.Observe(search.Observation{Place: last, Log: l.whole, Err: l.err}); err != nil {
		return err
	}
	entries := l.entries
	l.entries = nil
	return l.recall(entries)
}

// reopen makes places of the commits that were taken to change nothing, in a gap whose ends differ although its last commit and the one
// before do not: so one of them changes something. It is not ok where there is none.
func (l *line) reopen(g search.Gap) (ok bool, err error) {
	within := slices.Concat(l.places[g.From].commits, l.places[g.To].commits)
	if g.To > g.From+1 {
		for _, p := range l.places[g.From+1 : g.To] {
			within = append(within, p.commits...)
		}
	}
	for i, c := range l.commits {
		if l.quiet[i] && slices.ContainsFunc(within, func(o git.Commit) bool { return o.Hash == c.Hash }) {
			l.quiet[i], ok = false, true
		}
	}
	if !ok {
		return false, nil
	}
	l.places = places(l.places[0].first(), l.commits, l.quiet)
	return true, l.begin()
}

// recall takes over what an earlier search found out about these places.
func (l *line) recall(entries []Entry) error {
	for _, e := range entries {
		at := placeOf(l.places, e.Commit)
		if at <= 0 || e.Whole != nil || e.From != "" && placeOf(l.places, e.From) != 0 {
			continue
		}
		if err := l.take(at, e); err != nil {
			return err
		}
	}
	return nil
}

// take adds what is known of a place to the history.
func (l *line) take(at int, e Entry) error {
	last := l.history.Last()
	l.entries = append(l.entries, e)
	switch {
	case e.Skipped != "":
		l.skipped[at], l.history.Closed[at] = e.Skipped, true
		return nil
	case at == last && e.Err == 0:
		return nil // an end is like itself
	case e.Same == sameAsGood || e.Word == sameAsGood:
		if l.request.All { // what lies between may have been taken back
			return l.history.Observe(search.Observation{Place: at})
		}
		l.history.Equal = append(l.history.Equal, [2]int{0, at})
		return nil
	case e.Same == sameAsBad || e.Word == sameAsBad:
		if l.request.All {
			return l.history.Observe(search.Observation{Place: at, Log: l.whole, Err: l.history.Observations[0].Err})
		}
		l.history.Equal = append(l.history.Equal, [2]int{at, last})
		return nil
	}
	return l.history.Observe(search.Observation{Place: at, Log: e.Log, Err: e.Err})
}

// The ends whose code a commit can have.
const (
	sameAsGood = "good"
	sameAsBad  = "bad"
)

// find searches until the main step is found, with All until all steps are, and returns their gaps, the largest first.
func (l *line) find(ctx context.Context) (found []search.Gap, stopped Stopped, err error) {
	if err := l.grid(ctx); err != nil {
		return nil, "", err
	}
	for {
		c := l.history.Curve()
		if !l.request.All {
			if i, ok := c.Found(l.whole); ok {
				return c.Gaps[i : i+1], Found, nil
			}
		} else if c.Settled(l.least()) {
			for _, i := range c.Steps(l.least()) {
				found = append(found, c.Gaps[i])
			}
			slices.SortStableFunc(found, func(a, b search.Gap) int { return -int(math.Copysign(1, math.Abs(a.Size)-math.Abs(b.Size))) })
			return found, Found, nil
		}
		if len(l.result.Probes) >= l.request.Most {
			return nil, TooMany, nil
		}
		at, ok := l.history.Next(c, l.expectedErr(), l.cost)
		if !ok {
			return l.likely(c), Found, nil
		}
		l.tell(c)
		if err := l.probe(ctx, c, at); err != nil {
			return nil, "", err
		}
	}
}

// likely is the gap that is left where nothing can be observed any more.
func (l *line) likely(c search.Curve) []search.Gap {
	if len(c.Gaps) == 0 {
		return nil
	}
	i := c.Main(l.whole)
	return c.Gaps[i : i+1]
}

// least is the smallest step that a search for all steps looks for: a quarter of the whole difference, at least half of a per cent.
func (l *line) least() float64 { return max(math.Abs(l.whole)/4, 0.005) }

// grid compares each n-th commit, if that was asked for.
func (l *line) grid(ctx context.Context) error {
	if l.request.Every == 0 {
		return nil
	}
	for at := l.request.Every; at < l.history.Last(); at += l.request.Every {
		if l.history.Closed[at] || slices.ContainsFunc(l.history.Observations, func(o search.Observation) bool { return o.Place == at }) {
			continue
		}
		if err := l.probe(ctx, l.history.Curve(), at); err != nil {
			return err
		}
	}
	return nil
}

// expectedErr is the standard error that the next probe is going to have.
func (l *line) expectedErr() float64 {
	var errs []float64
	for _, o := range l.history.Observations[1:] {
		errs = append(errs, o.Err)
	}
	if len(errs) == 0 {
		return math.Abs(l.whole) / apart
	}
	slices.Sort(errs)
	return max(errs[len(errs)/2], math.Abs(l.whole)/100)
}

// Bounds of the time of a probe.
const (
	leastProbe = 6 * time.Second
	mostProbe  = 48 * time.Second
)

// budget is the time in which a probe tells both levels apart: by the comparison of the ends, whose error shrinks with the square root of
// its time.
func (l *line) budget() time.Duration {
	need := l.err / (math.Abs(l.whole) / apart)
	return min(mostProbe, max(leastProbe<<l.wider, time.Duration(float64(l.result.Whole.Took)*need*need).Round(time.Second)))
}

// apart is how many standard errors of a probe lie between both levels. Half of them is the distance to the limit.
const apart = 6

// cost is the time that a probe of a place is expected to take, in seconds: a build counts once.
func (l *line) cost(at int) float64 {
	probe, build := max(mean(l.probes, l.budget()), time.Second), mean(l.builds, 5*time.Second)
	if l.built[at] {
		return probe.Seconds()
	}
	return (probe + build).Seconds()
}

func mean(all []time.Duration, otherwise time.Duration) time.Duration {
	if len(all) == 0 {
		return otherwise
	}
	sum := time.Duration(0)
	for _, d := range all {
		sum += d
	}
	return sum / time.Duration(len(all))
}

// tell says what is known so far.
func (l *line) tell(c search.Curve) {
	left := 0
	for _, g := range c.Gaps {
		if g.Step > 0.1 && (l.request.All || g == c.Gaps[c.Main(l.whole)]) {
			left += g.To - g.From
		}
	}
	l.request.Progress.Phase(fmt.Sprintf("bisect: %s left, probe %d", units.Plural(left, "commit"), len(l.result.Probes)+1), 0)
}

// probe compares a place with place 0, and notes what that shows. A place that cannot be measured is skipped.
func (l *line) probe(ctx context.Context, c search.Curve, at int) error {
	commit, began := l.places[at].first(), l.now()
	got, err := l.ask(ctx, commit, math.Exp(l.limit(c, at))-1)
	if err != nil {
		return err
	}
	took := l.now().Sub(began)
	p := Trial{Commit: commit, Took: took, Go: got.Go[1]}
	e := Entry{Commit: commit.Hash, From: l.places[0].first().Hash, Go: got.Go[1]}
	word := ""
	v, has := got.of(l.target)
	log, sd, ok := observed(v)
	switch {
	case got.Refused != "":
		p.Skipped, e.Skipped, word = got.Refused, got.Refused, "skip"
	case got.Same:
		p.Same, e.Same, word = sameAsGood, sameAsGood, "good"
	case got.SameAsBad:
		p.Same, e.Same, word = sameAsBad, sameAsBad, "bad"
	case has && v.Method == gobench.Exact:
		log, sd, ok = math.Log(max(v.Ratio, math.SmallestNonzeroFloat64)), 0, v.Ratio > 0
		fallthrough
	default:
		if !ok {
			p.Skipped = "there is no interval of " + l.target.String()
			e.Skipped, word = p.Skipped, "skip"
			break
		}
		e.Log, e.Err = log, math.Hypot(sd, drift(l.target.Measure))
		p.Ratio, p.Low, p.High = v.Ratio, v.Low, v.High
		word = l.side(log)
	}
	if got.SameAsBad || got.Same {
		l.builds = append(l.builds, took)
	} else {
		l.probes = append(l.probes, took)
	}
	l.built[at] = true
	l.result.Probes = append(l.result.Probes, p)
	if err := l.take(at, e); err != nil {
		return err
	}
	return l.request.Log.add(e, word, commit)
}

// ask compares a commit with place 0. Where the time of a probe is too short for an interval it is doubled, for all that follow.
func (l *line) ask(ctx context.Context, commit git.Commit, limit float64) (*Reply, error) {
	for {
		budget := l.budget()
		got, err := l.request.Measurer.Compare(ctx, l.places[0].first(), commit, Question{Target: &l.target, Probe: true, Limit: limit, Budget: budget})
		if err != nil || got.Refused != "" || got.Same || got.SameAsBad || budget >= mostProbe {
			return got, err
		}
		v, has := got.of(l.target)
		if _, _, ok := observed(v); ok || !has || v.Method == gobench.Exact {
			return got, nil
		}
		l.wider++
	}
}

// limit is the level that a probe is to tell apart: the middle between the levels on both sides of the place, as far as they differ.
func (l *line) limit(c search.Curve, at int) float64 {
	for i, g := range c.Gaps {
		if g.From < at && at <= g.To && math.Abs(c.Level[i+1]-c.Level[i]) > math.Abs(l.whole)/4 {
			return (c.Level[i] + c.Level[i+1]) / 2
		}
	}
	return l.whole / 2
}

// side is the word of git bisect for a level.
func (l *line) side(log float64) string {
	if math.Abs(log) < math.Abs(log-l.whole) {
		return "good"
	}
	return "bad"
}

// drift is a standard error that no repetition within a comparison shows: of link orders and of the hour.
func drift(m judge.Measure) float64 {
	if m.Level == judge.Pooled {
		return 0.02
	}
	return 0.002
}

// commitsOf are the commits that a gap holds.
func (l *line) commitsOf(g search.Gap) (all []git.Commit) {
	for at := g.From + 1; at <= g.To; at++ {
		all = append(all, l.places[at].first())
	}
	return all
}
