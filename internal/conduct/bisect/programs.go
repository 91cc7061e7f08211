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
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/judge"
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
	words, err := source.AtRef(v.Source, bad.Hash, source.Options{WorkDir: p.Lab.WorkDir})
	if err != nil {
		return nil, err
	}
	if words == nil {
		return nil, fail.New(fail.BadInput,
			"hone bisect builds a program at each commit, and %q is neither a directory nor Go files", v.Source).
			WithHint("name the directory of the main package: ./cmd/server")
	}
	_, target, _ := strings.Cut(words[0], ":")
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
	sources, err := p.sources(one.Hash, other.Hash)
	if err != nil {
		return nil, err
	}
	r.Variants, r.Command = nil, p.line(sources)
	for i, source := range sources {
		v := p.Task.Variants[0]
		v.Name, v.Source = string(rune('A'+i)), source
		r.Variants = append(r.Variants, v)
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
	if doc.Status != ledger.Complete || len(doc.Contests) == 0 || doc.Contests[0].Word == judge.Invalid {
		c.Refused = doc.Reason
		if c.Refused == "" {
			c.Refused = "it was not measured to the end"
		}
		return c
	}
	contest := doc.Contests[0]
	c.Same = contest.Equal || doc.Stopped == record.StoppedSameSource ||
		doc.Stopped == record.StoppedUnreached
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
	words, err := p.sources(one[:min(12, len(one))], other[:min(12, len(other))])
	if err != nil {
		return ""
	}
	return p.line(words).Redacted().String()
}

// sources name the program at two commits.
func (p *Programs) sources(commits ...string) (words []string, err error) {
	for _, c := range commits {
		at, err := source.AtRef(p.Task.Variants[0].Source, c, source.Options{WorkDir: p.Lab.WorkDir})
		if err != nil {
			return nil, err
		}
		words = append(words, strings.Join(at, " "))
	}
	return words, nil
}

// line is the command line that compares two sources, with what the user said of the program and its load.
func (p *Programs) line(sources []string) spec.Line {
	if len(p.Task.Command) == 0 {
		return nil
	}
	args, words := p.Task.Variants[0].Args, slices.Clone(sources)
	if len(args) > 0 {
		for i, source := range words {
			words[i] = source + " " + shellwords.Join(args)
		}
	}
	return p.Task.Command.As("compare").Naming(words...).Without(spec.OnlyForBisect()...)
}
