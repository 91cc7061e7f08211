package chains

import "github.com/gohone/hone/internal/store/series"

// NewsSchema is the version of News' JSON.
const NewsSchema = "hone.news/1"

// News is what nobody was told of yet: each step is in it once.
type News struct {
	Schema string `json:"schema"`
	Store  string `json:"store"`
	// Steps were not there before, Closed were, and are taken back or not found again now.
	Steps  []Step         `json:"steps"`
	Closed []Step         `json:"closed,omitempty"`
	Faults []series.Fault `json:"faults,omitempty"`
}

// NewsOf holds the steps of a store against those that it had when somebody was told last (Told), or, of a branch of
// which nobody was, before the newest tracked commit. Steps that an entry of the configuration names are no news.
func NewsOf(store string, c series.Content, q Query, o Options, steps StepOptions) (*News, error) {
	now, err := HistoryOf(store, c, q, o, steps)
	if err != nil {
		return nil, err
	}
	before, err := HistoryOf(store, series.Content{Points: knownBefore(c.Points)}, q, o, steps)
	if err != nil {
		return nil, err
	}
	was := map[string]State{}
	for _, s := range before.steps() {
		was[s.ID] = s.State
	}
	news := &News{Schema: NewsSchema, Store: store, Steps: []Step{}, Faults: c.Faults}
	is := map[string]bool{}
	for _, s := range now.steps() {
		is[s.ID] = true
		state, known := was[s.ID]
		switch {
		case !known && s.State != AcceptedState && s.Undoes == "":
			news.Steps = append(news.Steps, s)
		case known && s.State == TakenBack && state != TakenBack:
			news.Closed = append(news.Closed, s)
		}
	}
	for _, s := range before.steps() {
		if !is[s.ID] && s.State != AcceptedState && s.State != TakenBack {
			s.State = Refuted
			news.Closed = append(news.Closed, s)
		}
	}
	return news, nil
}

// kind is what the points of one line of commits have in common.
type kind struct{ branch, subject string }

// toldUpTo is how far somebody was told of the points of one kind.
type toldUpTo struct {
	// end is after the last point that he was told of, by its index; without a word on that the first point of the newest
	// commit.
	end int
	// marked says that a point says so.
	marked bool
	// newest is the last of the points.
	newest *series.Point
	commit string // the newest one
}

// toldOf is how far somebody was told of the points of each kind, in the order of their first points.
func toldOf(points []series.Point) (all map[kind]*toldUpTo, order []kind) {
	all = map[kind]*toldUpTo{}
	at := map[string]int{} // after each point, by its ID
	for i := range points {
		p := &points[i]
		at[p.ID] = i + 1
		if p.Imported != "" {
			continue
		}
		of := kind{p.Branch, p.Subject}
		t := all[of]
		if t == nil {
			t = &toldUpTo{}
			all[of], order = t, append(order, of)
		}
		switch {
		case p.Told != "":
			t.marked, t.end = true, i
			if known := at[p.Told]; known > 0 { // else it is gone, or was edited
				t.end = known
			}
			continue
		case p.Regular() && !t.marked && t.commit != p.Commit.Hash:
			t.commit, t.end = p.Commit.Hash, i
		}
		t.newest = p
	}
	return all, order
}

// Told are the points that say that somebody was told of all steps of a store; none where nothing is new since he was.
// branch is empty for all.
func Told(points []series.Point, branch string) (marks []series.Point) {
	all, order := toldOf(points)
	for _, of := range order {
		t := all[of]
		if t.newest == nil || branch != "" && branch != of.branch || t.marked && t.end > 0 && points[t.end-1].ID == t.newest.ID {
			continue
		}
		marks = append(marks, series.Point{Schema: series.Schema, Branch: of.branch, Subject: of.subject,
			Commit: t.newest.Commit, Told: t.newest.ID})
	}
	return marks
}

// knownBefore are the points that there were when somebody was told last.
func knownBefore(points []series.Point) (before []series.Point) {
	all, _ := toldOf(points)
	for i, p := range points {
		if p.Imported != "" || i < all[kind{p.Branch, p.Subject}].end {
			before = append(before, p)
		}
	}
	return before
}

// steps are those of all lines, the largest change for the worse first.
func (h *History) steps() (all []Step) {
	for _, l := range h.Lines {
		all = append(all, l.Steps...)
	}
	return all
}
