package bisect

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/service"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
)

// Programs is one program under load, as a Measurer.
type Programs struct {
	// Lab measures; WorkDir lies in the repository.
	Lab *lab.Lab
	// Task is how hone compare would measure it. Its only variant is the program in the working tree.
	Task lab.Task
	// Kept is called with each comparison in two stages; nil: none hears of it.
	Kept func(*record.Outcome)

	trees *trees
}

// Prepare implements Measurer.
func (p *Programs) Prepare(ctx context.Context, t *trees, good, bad git.Commit) (dirs []string, err error) {
	p.trees = t
	v := p.Task.Variants[0]
	at, _, err := p.Task.AtCommits(p.Lab.WorkDir, bad.Hash)
	if err != nil {
		return nil, err
	}
	_, target, _ := strings.Cut(at[0].Source, ":")
	if source.IsGoFile(target) {
		return nil, nil // its directory may have files that do not belong to it: each commit counts
	}
	return p.trees.builtFrom(ctx, []string{good.Hash, bad.Hash}, build.Env(v), v.BuildFlags, target)
}

// Matters implements Measurer.
func (p *Programs) Matters(file string, built bool) bool {
	name := path.Base(file)
	switch {
	case name == "go.mod", name == "go.work", strings.HasPrefix(path.Dir(file)+"/", "vendor/"):
		return true
	case strings.HasSuffix(name, "_test.go"):
		return false
	case strings.HasSuffix(name, ".go"):
		return built
	}
	return build.MayBeRead(file)
}

// Compare implements Measurer.
func (p *Programs) Compare(ctx context.Context, one, other git.Commit, q Question) (*Reply, error) {
	r := p.Task
	r.Unreached = true // each step has few starts as it is
	var err error
	r.Variants, r.Command, err = p.Task.AtCommits(p.Lab.WorkDir, one.Hash, other.Hash)
	if err != nil {
		return nil, err
	}
	if q.Probe {
		r.OneStage, r.Gates = true, []gate.Gate{limitAt(q.Target.Measure, q.Limit)}
		r.Budget, r.Alpha = q.Budget, probeAlpha
		r.ProfileTime, r.NoTrace, r.TraceTime, r.FlightTime = 0, true, 0, 0
		r.Answers.Allow = true // whether the answers are right at each commit the load says
	}
	out, err := service.Measure(ctx, p.Lab, r)
	if ctx.Err() != nil {
		return nil, fail.New(fail.Interrupted, "interrupted")
	}
	if err != nil {
		if kind := fail.KindOf(err); kind == fail.Subject || kind == fail.BadInput || kind == fail.Invalid {
			return &Reply{Refused: inOneLine(err.Error())}, nil
		}
		return nil, err
	}
	if !q.Probe && p.Kept != nil {
		p.Kept(out)
	}
	return p.read(out), nil
}

// read is what an outcome says of the second commit.
func (p *Programs) read(out *record.Outcome) *Reply {
	doc := out.Comparison
	c := &Reply{ID: doc.ID}
	for i := range min(2, len(out.Runs)) {
		c.Go[i] = out.Runs[i].Binary.GoVersion
	}
	if c.Refused = doc.Refusal(); c.Refused != "" {
		return c
	}
	contest := doc.Contests[0]
	c.Same = contest.NothingChanged()
	for _, v := range contest.Verdicts {
		c.Verdicts = append(c.Verdicts, commitsearch.TargetVerdict{Target: commitsearch.Target{Measure: v.Measure},
			Verdict: v})
	}
	// What leads the comparison comes first.
	if i := slices.IndexFunc(c.Verdicts, func(v commitsearch.TargetVerdict) bool {
		return v.Target.Measure.Key == contest.Leads
	}); i > 0 {
		c.Verdicts[0], c.Verdicts[i] = c.Verdicts[i], c.Verdicts[0]
	}
	c.Contest = &contest
	return c
}

// Command implements Measurer.
func (p *Programs) Command(one, other string, _ commitsearch.Target) string {
	_, line, err := p.Task.AtCommits(p.Lab.WorkDir, one[:min(12, len(one))], other[:min(12, len(other))])
	if err != nil {
		return ""
	}
	return line.Redacted().String()
}
