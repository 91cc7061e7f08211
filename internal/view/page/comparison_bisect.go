package page

import (
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/model/bench"
	"github.com/gohone/hone/internal/view/model/commits"
	"github.com/gohone/hone/internal/view/stored"
)

// Bisection is what a page has of the search for a commit.
type Bisection struct {
	commits.Bisect
	// Measure is what was followed.
	Measure string `json:"measure"`
	// Places are the commits from the good end on, each that was compared with its level.
	Places []BisectPlace `json:"places"`
	// Whole is the comparison of both ends, Comparisons are those of each step with the commit before: their names in
	// the ledger, empty for one that is not there.
	Whole       string   `json:"whole,omitempty"`
	Comparisons []string `json:"comparisons"`
}

// BisectPlace is one commit, with those after it that change nothing.
type BisectPlace struct {
	Commit  string `json:"commit"`
	Subject string `json:"subject"`
	Date    string `json:"date"`
	Commits int    `json:"commits"`
	// Probability is that of a step here, 0 to 1. Found says that it is the answer, or a part of it.
	Probability float64 `json:"probability"`
	Found       bool    `json:"found,omitempty"`
	Skipped     string  `json:"skipped,omitempty"`
	// Ratio is the measure relative to the good end, with its interval of 95 %; 0 where it was not compared. Text is
	// the change in words.
	Ratio float64 `json:"ratio,omitempty"`
	Low   float64 `json:"low,omitempty"`
	High  float64 `json:"high,omitempty"`
	Text  string  `json:"text,omitempty"`
}

// bisection makes the page of a search.
func bisection(s *stored.Comparison) *Comparison {
	row, r := s.Row, s.Bisect
	h := Head{Schema: Schema, Kind: KindBisect, ID: row.ID, Started: row.Started, Status: string(row.Status),
		Title: "bisect: " + r.GoodRef + " to " + r.BadRef}
	if r.Elapsed > 0 {
		h.Elapsed = units.Seconds(r.Elapsed)
	}
	if row.Origin != nil {
		h.Host = row.Origin.Host
	}
	b := &Bisection{Places: places(r), Comparisons: []string{}}
	m := &model.Comparison{Commands: []model.Command{{Line: "hone show " + row.ID, What: "this again, as text"}}}
	if r.Stopped == "" {
		m.Verdicts = []model.Statement{{Text: bench.NoResult(row.Status, row.Reason), Tone: model.Bad}}
	} else {
		b.Bisect = commits.BisectOf(r)
		m.Verdicts, m.Under = []model.Statement{{Text: b.Sentence, Tone: b.Tone}}, b.Under
		if row.Status != ledger.Complete && r.Stopped != commitsearch.Interrupted { // whose sentence says it
			m.Verdicts = append([]model.Statement{{Text: bench.NoResult(row.Status, row.Reason), Tone: model.Bad}},
				m.Verdicts...)
		}
	}
	b.Under = filled(b.Under)
	for _, step := range r.Steps {
		b.Comparisons = append(b.Comparisons, step.Comparison)
	}
	if r.Whole != nil {
		b.Whole = r.Whole.Comparison
	}
	if r.Target != nil {
		b.Measure = r.Target.String()
	}
	p := comparisonPage(h, m)
	p.Bisect = b
	return p
}

// places are the points of the curve.
func places(r *commitsearch.Result) []BisectPlace {
	found := map[string]bool{}
	for _, s := range r.Steps {
		for _, c := range s.Commits {
			found[c.Hash] = true
		}
		if s.Merged != nil { // the commit lies in the merge, which has the place
			found[s.Merged.Hash] = true
		}
	}
	all := []BisectPlace{}
	for i, p := range r.Curve {
		one := BisectPlace{Commit: p.Commit.Short(), Subject: p.Commit.Subject,
			Date: p.Commit.Date.Format("2006-01-02"), Commits: p.Commits,
			Probability: p.Probability, Found: found[p.Commit.Hash], Skipped: p.Skipped, Ratio: p.Ratio, Low: p.Low,
			High: p.High}
		switch {
		case i == 0:
			one.Text = "the good end"
		case p.Ratio > 0:
			one.Text = units.Percent(p.Ratio-1) + " (" + units.Span(p.Low-1, p.High-1) + ")"
		}
		all = append(all, one)
	}
	return all
}
