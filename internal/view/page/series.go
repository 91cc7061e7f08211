package page

import (
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model/lists"
)

// SeriesSchema is the version of Series' JSON.
const SeriesSchema = "hone.page-series/1"

// SeriesOf is the page of what a store has. The addresses of the pages of commits begin with commits, if they have pages.
func SeriesOf(h *chains.History, commits string) *Series {
	p := &Series{Schema: SeriesSchema, Store: h.Store, CommitPages: commits, Commits: []SeriesCommit{}, Lines: []SeriesLine{}}
	at := p.commitsOf(h)
	for _, l := range h.Lines {
		p.Lines = append(p.Lines, lineOf(l, at))
	}
	for _, n := range h.Notes {
		p.Notes = append(p.Notes, n.Text)
	}
	for _, f := range h.Faults {
		p.Notes = append(p.Notes, f.Text())
	}
	return p
}

// commitsOf takes all commits in, each once, the oldest first, and returns their indices by hash.
func (p *Series) commitsOf(h *chains.History) map[string]int {
	known := map[string]*series.Commit{}
	for _, l := range h.Lines {
		for _, place := range l.Places {
			known[place.Commit.Hash] = place.Commit
		}
	}
	var all []*series.Commit
	for _, c := range known {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *series.Commit) int {
		if d := a.Time.Compare(b.Time); d != 0 {
			return d
		}
		return strings.Compare(a.Hash, b.Hash)
	})
	at := map[string]int{}
	for i, c := range all {
		at[c.Hash] = i
		p.Commits = append(p.Commits, SeriesCommit{c.Hash, lists.DayText(c), c.Author, c.Subject})
	}
	return at
}

func lineOf(l chains.Line, at map[string]int) SeriesLine {
	line := SeriesLine{Name: l.Of(), Measure: l.Measure, Branch: l.Branch, Imported: l.Imported, At: []int{},
		Values: []*float64{}, Steps: []SeriesStep{}}
	for _, p := range l.Places {
		line.At = append(line.At, at[p.Commit.Hash])
		var value *float64
		half := 0.0
		if p.Value != nil {
			v := rounded(p.Value.Ratio - 1)
			value, half = &v, rounded((p.Value.High-p.Value.Low)/2)
		}
		line.Values = append(line.Values, value)
		if l.Paired() {
			line.Half = append(line.Half, half)
		}
	}
	if latest := l.Latest(); latest != nil {
		line.Now = units.Percent(latest.Value.Ratio - 1)
	}
	for _, s := range l.Steps {
		line.Steps = append(line.Steps, SeriesStep{s.Place, s.Made().Hash, lists.StepText(s), lists.StepTone(s), s.Report})
		if s.State != chains.TakenBack && s.State != chains.AcceptedState {
			line.Tone = lists.StepTone(s)
		}
	}
	return line
}

// rounded keeps four digits after the point: a page of many series stays small.
func rounded(v float64) float64 { return math.Round(v*1e4) / 1e4 }
