package bisect

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/internal/judge/search"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/units"
)

// line is the search along one line of commits: the whole history, or what a merge brought.
type line struct {
	*run
	target  commitsearch.Target
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

// newLine begins a search among commits after a good one. The last of them differs from it by a logarithm with a
// standard error. quiet says which commits change nothing that matters.
func (r *run) newLine(t commitsearch.Target, good git.Commit, commits []git.Commit, quiet []bool, log,
	err float64) (*line, error) {
	l := &line{run: r, target: t, whole: log, err: err, commits: commits, quiet: quiet,
		places: places(good, commits, quiet)}
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

// reopen makes places of the commits that were taken to change nothing, in a gap whose ends differ although its last
// commit and the one before do not: so one of them changes something. It is not ok where there is none.
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
		if l.task.All { // what lies between may have been taken back
			return l.history.Observe(search.Observation{Place: at})
		}
		l.history.Equal = append(l.history.Equal, [2]int{0, at})
		return nil
	case e.Same == sameAsBad || e.Word == sameAsBad:
		if l.task.All {
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
func (l *line) find(ctx context.Context) (found []search.Gap, stopped commitsearch.Stopped, err error) {
	if err := l.grid(ctx); err != nil {
		return nil, "", err
	}
	for {
		c := l.history.Curve()
		if !l.task.All {
			if i, ok := c.Found(l.whole); ok {
				return c.Gaps[i : i+1], commitsearch.Found, nil
			}
		} else if c.Settled(l.least()) {
			for _, i := range c.Steps(l.least()) {
				found = append(found, c.Gaps[i])
			}
			slices.SortStableFunc(found, func(a, b search.Gap) int {
				return -int(math.Copysign(1, math.Abs(a.Size)-math.Abs(b.Size)))
			})
			return found, commitsearch.Found, nil
		}
		if len(l.result.Probes) >= l.task.Most {
			return nil, commitsearch.TooMany, nil
		}
		at, ok := l.history.Next(c, l.expectedErr(), l.cost)
		if !ok {
			return l.likely(c), commitsearch.Found, nil
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

// least is the smallest step that a search for all steps looks for: a quarter of the whole difference, at least half of
// a per cent.
func (l *line) least() float64 { return max(math.Abs(l.whole)/4, 0.005) }

// grid compares each n-th commit, if that was asked for.
func (l *line) grid(ctx context.Context) error {
	if l.task.Every == 0 {
		return nil
	}
	for at := l.task.Every; at < l.history.Last(); at += l.task.Every {
		if l.history.Closed[at] || slices.ContainsFunc(l.history.Observations,
			func(o search.Observation) bool { return o.Place == at }) {
			continue
		}
		if err := l.probe(ctx, l.history.Curve(), at); err != nil {
			return err
		}
	}
	return nil
}

// tell says what is known so far.
func (l *line) tell(c search.Curve) {
	left := 0
	for _, g := range c.Gaps {
		if g.Step > 0.1 && (l.task.All || g == c.Gaps[c.Main(l.whole)]) {
			left += g.To - g.From
		}
	}
	l.task.Progress.Phase(fmt.Sprintf("bisect: %s left, probe %d", units.Plural(left, "commit"),
		len(l.result.Probes)+1), 0)
}

// commitsOf are the commits that a gap holds.
func (l *line) commitsOf(g search.Gap) (all []git.Commit) {
	for at := g.From + 1; at <= g.To; at++ {
		all = append(all, l.places[at].first())
	}
	return all
}
