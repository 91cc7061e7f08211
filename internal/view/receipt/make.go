package receipt

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/judge"
)

// Of makes the receipt of a stored comparison. dir is the directory in whose repository it was measured.
func Of(ctx context.Context, l *ledger.Ledger, c *stored.Comparison, dir string) (*Receipt, error) {
	if why := noReceipt(c); why != "" {
		return nil, fail.New(fail.BadInput, "comparison %s has no receipt: %s", c.Row.ID, why).
			WithHint("hone history lists the comparisons; hone compare A B --receipt FILE measures two commits")
	}
	sum := sha256.Sum256(c.Row.Doc)
	r := &Receipt{Comparison: c.Row.ID, Document: hex.EncodeToString(sum[:]), Started: c.Row.Started}
	s := &making{ctx: ctx, dir: dir, tree: git.Trees(ctx, dir)}
	r.Repository = s.repository()
	var line spec.Line
	if c.Bench != nil {
		r.Elapsed, line = c.Bench.Elapsed, c.Bench.Command
		if c.Bench.Environment != nil {
			r.Environment = *c.Bench.Environment
		}
		r.Claims, r.Sides = ofBenchmarks(c.Bench), s.benchSides(c.Bench)
		if c.Bench.Checked != nil {
			r.Checked = []record.Checked{*c.Bench.Checked}
		}
	} else {
		r.Elapsed, line = c.Record.Elapsed, c.Runs[0].Record.Command
		r.Environment = c.Runs[0].Record.Environment
		r.Claims, r.Sides, r.Checked = ofContests(c.Record), s.sides(c.Records()), c.Record.Checked
	}
	var err error
	if r.Patch, err = s.patch(r.Sides[len(r.Sides)-1].Commit); err != nil {
		return nil, err
	}
	if r.Line, r.Open = s.line(line, r.Sides, c.Records()); r.Patch != nil && r.Patch.Text == "" {
		r.Line, r.Open = nil, "the patch is larger than 64 kB, or no UTF-8: commit it, and measure again"
	}
	r.Tries, err = s.tries(l, c, r.Sides)
	return r, cmp.Or(err, ctx.Err())
}

// noReceipt says why a comparison has no receipt.
func noReceipt(c *stored.Comparison) string {
	switch {
	case c.Bisect != nil:
		return "it is a search for a commit"
	case c.Row.Status != ledger.Complete:
		return "it was not measured to its end"
	case c.Bench != nil && c.Bench.Shard != nil:
		return "it is a part of a comparison"
	case c.Bench != nil && c.Bench.Planted != nil, c.Record != nil && c.Record.Planted != nil:
		return "it proves a gate, with a planted change"
	case c.Record != nil && (len(c.Runs) < 2 || len(c.Record.Contests) == 0):
		return "nothing was compared"
	}
	return ""
}

func ofContests(c *record.Comparison) (all []Claim) {
	for _, contest := range c.Contests {
		letter := string(rune('A' + contest.B))
		claim := Claim{Of: letter, Word: contest.Word, Verdicts: short(contest.Verdicts), Caveats: contest.Caveats,
			Answers: contest.Answers}
		if leads := cmp.Or(contest.Leads, firstKey(contest.Verdicts)); !contest.NothingChanged() &&
			contest.Word != judge.Invalid {
			claim.Leads = leads
		}
		for _, g := range c.Gates {
			if g.Variant == letter {
				claim.Gates = append(claim.Gates, g)
			}
		}
		all = append(all, claim)
	}
	return all
}

// firstKey is the measure that leads where a contest does not name one.
func firstKey(all []judge.Verdict) string {
	for _, key := range []string{measure.CPU.Key, measure.ExecutionCPU.Key} {
		if slices.ContainsFunc(all, func(v judge.Verdict) bool { return v.Measure.Key == key }) {
			return key
		}
	}
	return ""
}

func ofBenchmarks(r *benchmarks.Result) (all []Claim) {
	for _, b := range r.Benchmarks {
		claim := Claim{Of: b.Package + "." + b.Name, Word: b.Word(), Verdicts: short(b.Verdicts), Caveats: b.Caveats,
			Gates: b.Gates}
		if len(b.Verdicts) > 0 {
			claim.Leads = b.Verdicts[0].Measure.Key
		}
		all = append(all, claim)
	}
	for _, u := range r.Unchanged {
		all = append(all, Claim{Of: u.Package + "." + u.Name, Word: judge.Same, Gates: u.Gates})
	}
	if all == nil && len(r.OpenGates) > 0 {
		all = append(all, Claim{Of: "benchmarks", Word: judge.Undecided, Gates: []gate.Result{}})
	}
	return all
}

// short are verdicts without what only plans the next comparison.
func short(all []judge.Verdict) []judge.Verdict {
	all = slices.Clone(all)
	for i := range all {
		v := &all[i]
		v.Width, v.Modes, v.Reason = nil, nil, redact.Text(v.Reason)
		v.Scatter.DF, v.Scatter.Variance = 0, 0
	}
	return all
}
