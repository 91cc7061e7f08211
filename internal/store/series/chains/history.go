package chains

import (
	"cmp"
	"math"
	"regexp"
	"slices"

	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/judge"
)

// HistorySchema is the version of History's JSON.
const HistorySchema = "hone.series/1"

// History is what the points of a store say.
type History struct {
	Schema string `json:"schema"`
	Store  string `json:"store"`
	// Commits is how many commits are tracked. Those of which nothing was measured yet have no line.
	Commits int `json:"commits"`
	// Lines are the chains that were chosen, those that got worse most first.
	Lines  []Line         `json:"lines"`
	Notes  []Note         `json:"notes,omitempty"`
	Faults []series.Fault `json:"faults,omitempty"`
}

// Line is a chain with its steps.
type Line struct {
	*Chain
	Steps []Step `json:"steps"`
}

// Query chooses chains.
type Query struct {
	// Name matches the names of benchmarks and services; nil matches all. Measure and Branch are empty for all.
	Name            *regexp.Regexp
	Measure, Branch string
}

// HistoryOf reads what a store has.
func HistoryOf(store string, c series.Content, q Query, o Options, steps StepOptions) (*History, error) {
	all, notes, err := Read(c.Points, o)
	if err != nil {
		return nil, err
	}
	commits := map[string]bool{}
	for _, p := range c.Points {
		if q.Branch == "" || q.Branch == p.Branch {
			commits[p.Commit.Hash] = true
		}
	}
	h := &History{Schema: HistorySchema, Store: store, Commits: len(commits), Lines: []Line{}, Notes: notes, Faults: c.Faults}
	for _, one := range all {
		if q.Name != nil && !q.Name.MatchString(one.Of()) || q.Measure != "" && q.Measure != one.Measure ||
			q.Branch != "" && q.Branch != one.Branch {
			continue
		}
		found, err := one.Steps(steps)
		if err != nil {
			return nil, err
		}
		h.Lines = append(h.Lines, Line{one, found})
	}
	slices.SortStableFunc(h.Lines, func(a, b Line) int { return cmp.Compare(b.worse(), a.worse()) })
	return h, nil
}

// Latest is the newest place with a value; nil if there is none.
func (c *Chain) Latest() *Place {
	for i := len(c.Places) - 1; i >= 0; i-- {
		if c.Places[i].Value != nil {
			return &c.Places[i]
		}
	}
	return nil
}

// worse is by how much the newest value is worse than the first one, as a log ratio.
func (l Line) worse() float64 {
	latest := l.Latest()
	if latest == nil || latest.Value.Ratio <= 0 {
		return 0
	}
	log := math.Log(latest.Value.Ratio)
	if directionOf(l.Measure) == judge.Higher {
		return -log
	}
	return log
}
