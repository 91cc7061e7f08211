package insight

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/internal/judge/measure"
	documents "github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

// The sides of a pair. next is also the directory of the files that the next version changes.
const (
	now  = "now"
	next = "next"
)

// runsInBudget is how many times longer than a run a comparison may take: it starts each side at least six times (hone compare).
const runsInBudget = 4

// compared is what hone says of a pair.
type compared struct {
	// Word is the verdict, and Ratio the next version's value divided by that of now, on the measure with the key On.
	Word  judge.Word `json:"verdict"`
	On    string     `json:"on"`
	Ratio float64    `json:"ratio"`
	// Lines are those that explain verdicts, as a reader sees them.
	Lines []string `json:"lines,omitempty"`
}

func (c compared) String() string { return fmt.Sprintf("%s, %s x%.2f", c.Word, c.On, c.Ratio) }

// pair compares both versions of a program, each in a module of its own, and keeps what hone says of them.
func (c config) pair(ctx context.Context, p *program, r *record) (err error) {
	trees := filepath.Join(c.Dir, "pairs")
	defer os.RemoveAll(trees)
	if err := p.layOut(trees); err != nil {
		return fmt.Errorf("lay out both versions: %w", err)
	}
	defer func(dir string) { c.Hone.Dir = dir }(c.Hone.Dir)
	c.Hone.Dir = trees
	if p.Load.Benchmarks {
		c.Hone.Dir = filepath.Join(trees, next)
		r.Pair, err = c.benchmarks(ctx, p)
		return err
	}
	r.Pair, err = c.services(ctx, p)
	return err
}

// layOut makes a module of each version in the directory: now/NAME and next/NAME.
func (p *program) layOut(dir string) error {
	for _, side := range []string{now, next} {
		module := filepath.Join(dir, side)
		own := filepath.Join(module, p.Name)
		if err := copyShared(filepath.Dir(p.dir), module); err != nil {
			return err
		}
		if err := copyAll(p.dir, own); err != nil {
			return err
		}
		if err := os.RemoveAll(filepath.Join(own, next)); err != nil {
			return err
		}
	}
	return copyAll(filepath.Join(p.dir, next), filepath.Join(dir, next, p.Name))
}

// services compares both versions under load: at the rate of the load where latency counts, else in a closed loop.
func (c config) services(ctx context.Context, p *program) (*compared, error) {
	args := append([]string{"./" + now + "/" + p.Name, "./" + next + "/" + p.Name, "--budget", c.budget().String()}, p.Load.flags()...)
	if p.Measure == "latency" {
		args = append(args, "--rate", strconv.FormatFloat(p.Load.Rate, 'f', -1, 64))
	}
	var d comparisonDocument
	if _, err := c.Hone.Ask(ctx, &d, []int{honecli.Regression, honecli.Invalid, honecli.Undecided}, "compare --quiet --no-report", args...); err != nil {
		return nil, err
	}
	return d.said(p.Measure)
}

func (c config) budget() time.Duration { return runsInBudget * c.duration }

// comparisonDocument is what hone compare --json prints.
type comparisonDocument struct {
	Schema     string
	Comparison *documents.Comparison
	Runs       []documents.Run
}

// said takes the verdict on the measure of a pair, and the lines that hone compare prints below it. An invalid comparison has neither.
func (d comparisonDocument) said(of string) (*compared, error) {
	if d.Schema != "hone.compare/2" || d.Comparison == nil || len(d.Comparison.Contests) != 1 {
		return nil, fmt.Errorf("read what hone compare prints: schema %q, want hone.compare/2 with one contest", d.Schema)
	}
	if d.Comparison.Word == judge.Invalid {
		return nil, fmt.Errorf("the comparison is invalid: %s", d.Comparison.Reason)
	}
	v, ok := verdictOn(of, d.Comparison.Contests[0])
	if !ok {
		return nil, fmt.Errorf("read what hone compare prints: no verdict on %s", of)
	}
	return &compared{Word: v.Word, On: v.Measure.Key, Ratio: v.Ratio, Lines: model.ComparisonOf(d.Comparison, d.Runs, model.Full).Why()}, nil
}

// verdictOn is that on what stays in memory, where the pair is about it, else the one that leads, with the word of the contest.
func verdictOn(of string, c documents.Contest) (v judge.Verdict, ok bool) {
	if of == "memory" || of == "growth" {
		i := slices.IndexFunc(c.Verdicts, func(v judge.Verdict) bool { return v.Measure.Key == measure.Resident.Key })
		if i < 0 {
			return v, false
		}
		return c.Verdicts[i], true
	}
	v, ok = model.Lead(c)
	v.Word = c.Word
	return v, ok
}
