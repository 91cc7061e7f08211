package chains

import (
	"slices"

	"github.com/gohone/hone/internal/store/series"
)

// NewsSchema is the version of News' JSON.
const NewsSchema = "hone.news/1"

// News is what the newest tracked commit of each branch has shown: who asks after each commit hears of each step once.
type News struct {
	Schema string `json:"schema"`
	Store  string `json:"store"`
	// Steps were not there before, Closed were, and are taken back now.
	Steps  []Step         `json:"steps"`
	Closed []Step         `json:"closed,omitempty"`
	Faults []series.Fault `json:"faults,omitempty"`
}

// NewsOf holds the steps of a store against those that it had before the newest tracked commit of each branch. Steps
// that an entry of the configuration names are no news.
func NewsOf(store string, c series.Content, q Query, o Options, steps StepOptions) (*News, error) {
	now, err := HistoryOf(store, c, q, o, steps)
	if err != nil {
		return nil, err
	}
	before, err := HistoryOf(store, series.Content{Points: withoutNewest(c.Points)}, q, o, steps)
	if err != nil {
		return nil, err
	}
	was := map[string]State{}
	for _, s := range before.steps() {
		was[s.ID] = s.State
	}
	news := &News{Schema: NewsSchema, Store: store, Steps: []Step{}, Faults: c.Faults}
	for _, s := range now.steps() {
		state, known := was[s.ID]
		switch {
		case !known && s.State != AcceptedState && s.Undoes == "":
			news.Steps = append(news.Steps, s)
		case known && s.State == TakenBack && state != TakenBack:
			news.Closed = append(news.Closed, s)
		}
	}
	return news, nil
}

// withoutNewest leaves out the points of the commit that was tracked last on each branch.
func withoutNewest(points []series.Point) []series.Point {
	newest := map[string]string{} // by branch and subject
	of := func(p series.Point) string { return p.Branch + "\x00" + p.Subject }
	for _, p := range points {
		if p.Imported == "" {
			newest[of(p)] = p.Commit.Hash
		}
	}
	return slices.DeleteFunc(slices.Clone(points), func(p series.Point) bool {
		return p.Imported == "" && newest[of(p)] == p.Commit.Hash
	})
}

// steps are those of all lines, the largest change for the worse first.
func (h *History) steps() (all []Step) {
	for _, l := range h.Lines {
		all = append(all, l.Steps...)
	}
	return all
}
