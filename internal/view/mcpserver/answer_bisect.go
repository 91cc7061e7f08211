package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model/commits"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
)

// Step is a change that a search found, with the commit that made it.
type Step struct {
	// Commits are the commit, or all that it may be, the oldest first: three at most, and More is how many are left
	// out.
	Commits []git.Commit `json:"commits"`
	More    int          `json:"more_commits,omitempty"`
	// Measure is the key of what changed. Ratio is its value with the commit to that before it, Low to High the
	// interval; all are missing where there is no interval.
	Measure string  `json:"measure"`
	Ratio   float64 `json:"ratio,omitempty"`
	Low     float64 `json:"low,omitempty"`
	High    float64 `json:"high,omitempty"`
	// Confirmed says that a comparison with the commit before shows the change; Comparison is its name in the ledger.
	Confirmed  bool   `json:"confirmed"`
	Comparison string `json:"comparison,omitempty"`
	// Why are lines that explain it, Hunks the first lines of the change of the source.
	Why   []string `json:"why,omitempty"`
	Hunks []string `json:"hunks,omitempty"`
	// Command compares both commits again.
	Command string `json:"command,omitempty"`
}

// Bounds of what an answer has of a search.
const (
	mostSteps   = 3
	mostCommits = 3
	hunkBudget  = textBudget / 3 // bytes of the hunks of the first step in the text; the other steps have none
)

// search is what hone show prints of a search, with the first hunks of its first step, and its facts.
func (s *Server) search(l *page.Library, id string, f *Facts) (string, error) {
	c, err := l.Stored.Comparison(id)
	if err != nil {
		return "", err
	}
	r := printable.Document(c.Bisect)
	f.Next = onward(r)
	if r.Stopped == "" {
		text, err := s.Read(context.Background(), "show", id)
		return withoutNext(text), err
	}
	room := hunkBudget
	for i := range r.Steps {
		shorten(&r.Steps[i], room)
		room = 0
	}
	f.found(r)
	text := &strings.Builder{}
	err = report.Bisect(text, r)
	return text.String(), err
}

// found sets what a search found.
func (f *Facts) found(r *commitsearch.Result) {
	said := commits.BisectOf(r)
	f.Verdicts, f.More = []string{said.Sentence}, max(0, len(r.Steps)-mostSteps)
	for i, step := range r.Steps[:len(r.Steps)-f.More] {
		one := factsOf(step, said.Steps[i].Why)
		if r.Target != nil {
			one.Measure = r.Target.Measure.Key
		}
		f.Steps = append(f.Steps, one)
		if step.Comparison != "" {
			f.Next = slices.Insert(f.Next, len(f.Next)-1, "report id="+step.Comparison)
		}
	}
}

// onward is what to do after a search: the call that goes on with it, where it has no answer yet.
func onward(r *commitsearch.Result) []string {
	how := "resume=true"
	switch r.Stopped {
	case commitsearch.Found:
		return []string{"change the lines of the commit, and compare"}
	case commitsearch.Nothing:
		return []string{"bisect with another measure, or an older good"}
	case commitsearch.NotSure:
		how = "budget=5m"
	}
	ends := commits.BisectArguments(r)
	return []string{fmt.Sprintf("bisect good=%s bad=%s %s (with the same package and the other options)", ends[0],
		ends[1], how)}
}

// shorten leaves the first hunks of a step: as many lines as fit into room bytes.
func shorten(s *commitsearch.Step, room int) {
	kept := 0
	for ; kept < len(s.Hunks) && room > 0; kept++ {
		text, shown, lines := cut(strings.Join(s.Hunks[kept].Lines, "\n"), room)
		if room -= len(text); shown < lines {
			text, room = text+fmt.Sprintf("\n(%d of %d lines of this hunk)", shown, lines), 0
		}
		s.Hunks[kept].Lines = strings.Split(text, "\n")
	}
	s.Hunks, s.More = s.Hunks[:kept], s.More+len(s.Hunks)-kept
}

// factsOf are the facts of a step, all but the measure.
func factsOf(s commitsearch.Step, why []string) Step {
	f := Step{Confirmed: s.Confirmed(), Comparison: s.Comparison, Why: bounded(why), Command: s.Command}
	if v := s.Verdict; v != nil && v.Bounded() {
		f.Ratio, f.Low, f.High = v.Ratio, v.Low, v.High
	}
	for _, h := range s.Hunks {
		f.Hunks = append(append(f.Hunks, h.File), h.Lines...)
	}
	f.Hunks = bounded(f.Hunks)
	f.More = max(0, len(s.Commits)-mostCommits)
	for _, c := range s.Commits[:len(s.Commits)-f.More] {
		c.Parents = nil
		c.Subject, _, _ = cut(c.Subject, factBudget/20)
		f.Commits = append(f.Commits, c)
	}
	return f
}
