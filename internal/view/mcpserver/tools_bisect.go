package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gohone/hone/internal/conduct/bisect"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
)

type bisectArguments struct {
	Good    string `json:"good" jsonschema:"git ref of the older end: v1.2.0, HEAD~50"`
	Bad     string `json:"bad,omitempty" jsonschema:"git ref of the newer end; HEAD without"`
	Package string `json:"package" jsonschema:"package main in the folder; with bench a package or a pattern"`
	startArguments
	// Bench says that benchmarks are measured; its value is that of the option.
	Bench string `json:"bench,omitempty" jsonschema:"measure the benchmarks that match, as in compare"`
}

func (s *Server) bisect(ctx context.Context, r *mcp.CallToolRequest, in bisectArguments) (string, Facts, error) {
	args, err := s.bisectCommand(ctx, in, r.Params.Arguments)
	if err != nil {
		return "", Facts{}, err
	}
	return s.measure(ctx, r, in.WaitSeconds, args)
}

// bisectCommand is the command line of a search.
func (s *Server) bisectCommand(ctx context.Context, in bisectArguments, arguments json.RawMessage) ([]string, error) {
	ends := []string{in.Good, in.Bad}
	if in.Bad == "" {
		ends[1] = "HEAD"
	}
	for _, end := range ends {
		if _, err := s.commit(ctx, end); err != nil {
			return nil, err
		}
	}
	word, err := s.packageIn(in.Package, in.Bench != "", true)
	if err != nil {
		return nil, err
	}
	flags, err := options(spec.ForBisect, arguments)
	if err != nil {
		return nil, err
	}
	if err := programArgs(in.Args); err != nil {
		return nil, err
	}
	if in.Bench != "" && (len(in.Args) > 0 || notOf(spec.ForBench, spec.ForCompare, arguments) != "") {
		return nil, refuse("leave them out, or leave out bench", "target, connections, rate and args are not for benchmarks")
	}
	args := slices.Concat([]string{"bisect", "--json"}, flags, ends, []string{word})
	if len(in.Args) > 0 {
		args = append(append(args, "--"), in.Args...)
	}
	return args, nil
}

// Step is a change that a search found, with the commit that made it.
type Step struct {
	// Commits are the commit, or all that it may be, the oldest first: three at most, and More is how many are left out.
	Commits []git.Commit `json:"commits"`
	More    int          `json:"more_commits,omitempty"`
	// Measure is the key of what changed. Ratio is its value with the commit to that before it, Low to High the interval; all are
	// missing where there is no interval.
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
	said := model.BisectOf(r)
	f.Verdicts = []string{said.Sentence}
	f.More = max(0, len(r.Steps)-mostSteps)
	for i, step := range r.Steps[:len(r.Steps)-f.More] {
		f.Steps = append(f.Steps, factsOf(step, r.Target.Measure.Key, said.Steps[i].Why))
		if step.Comparison != "" {
			f.Next = append(f.Next, "report id="+step.Comparison)
		}
	}
	text := &strings.Builder{}
	err = report.Bisect(text, r)
	return text.String(), err
}

// onward is the call that goes on with a search; none where there is nothing left to do.
func onward(r *bisect.Result) []string {
	how := "resume=true"
	switch r.Stopped {
	case bisect.Found, bisect.Nothing:
		return nil
	case bisect.NotSure:
		how = "budget=5m"
	}
	return []string{fmt.Sprintf("bisect good=%s bad=%s %s (with the same package and the other options)", r.GoodRef, r.BadRef, how)}
}

// shorten leaves the first hunks of a step: as many lines as fit into room bytes.
func shorten(s *bisect.Step, room int) {
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

// factsOf are the facts of a step.
func factsOf(s bisect.Step, measure string, why []string) Step {
	f := Step{Measure: measure, Confirmed: s.Confirmed(), Comparison: s.Comparison, Why: bounded(why), Command: s.Command}
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
