package insight

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/internal/conduct/gobench"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/prof"
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
	Word  compare.Word `json:"verdict"`
	On    string       `json:"on"`
	Ratio float64      `json:"ratio"`
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
	c.Hone.Dir = trees
	if p.Load.Benchmarks {
		c.Hone.Dir = filepath.Join(trees, next)
		r.Pair, err = c.benchmarks(ctx, p)
		return err
	}
	r.Pair, err = c.services(ctx, p)
	r.Invalid = err == nil && r.Pair.Word == compare.Invalid
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
	Comparison *lab.ComparisonRecord
	Runs       []lab.Record
}

// said takes the verdict on the measure of a pair, and the lines that hone compare prints below it.
func (d comparisonDocument) said(measure string) (*compared, error) {
	if d.Schema != "hone.compare/2" || d.Comparison == nil || len(d.Comparison.Contests) != 1 {
		return nil, fmt.Errorf("read what hone compare prints: schema %q, want hone.compare/2 with one contest", d.Schema)
	}
	contest := d.Comparison.Contests[0]
	if d.Comparison.Word == compare.Invalid {
		return &compared{Word: compare.Invalid}, nil
	}
	v, ok := model.Lead(contest)
	word := contest.Word
	if measure == "memory" || measure == "growth" {
		i := slices.IndexFunc(contest.Verdicts, func(v compare.Verdict) bool { return v.Measure.Key == compare.Resident.Key })
		if ok = i >= 0; ok {
			v, word = contest.Verdicts[i], contest.Verdicts[i].Word
		}
	}
	if !ok {
		return nil, fmt.Errorf("read what hone compare prints: no verdict on %s", measure)
	}
	return &compared{word, v.Measure.Key, v.Ratio, model.ComparisonOf(d.Comparison, d.Runs, model.Brief).Why()}, nil
}

// benchmarks measures the benchmarks of both versions. The one with the largest cause decides, or the geometric mean if there is none. Why
// a benchmark changed, hone says by the difference of its profiles.
func (c config) benchmarks(ctx context.Context, p *program) (*compared, error) {
	args := []string{"./" + p.Name, "--vs", "../" + now, "--profile", "--budget", c.budget().String()}
	var d gobench.Result
	if _, err := c.Hone.Ask(ctx, &d, []int{honecli.Regression, honecli.Undecided}, "bench --quiet --no-report", args...); err != nil {
		return nil, err
	}
	if d.Schema != gobench.Schema {
		return nil, fmt.Errorf("read what hone bench prints: schema %q, want %s", d.Schema, gobench.Schema)
	}
	said, err := benchSaid(p, &d)
	if err != nil {
		return nil, err
	}
	for _, b := range d.Benchmarks {
		if !b.Word().Different() {
			continue
		}
		var diff prof.Diff
		if _, err := c.Hone.Ask(ctx, &diff, nil, "profile diff", b.Profiles[0], b.Profiles[1]); err != nil {
			return nil, err
		}
		if diff.Schema != prof.DiffSchema {
			return nil, fmt.Errorf("read what hone profile diff prints: schema %q, want %s", diff.Schema, prof.DiffSchema)
		}
		said.Lines = append(said.Lines, diffLines(&diff, b.Word())...)
	}
	return said, nil
}

// benchSaid is the verdict on the benchmark with the largest cause, or without one on all of them: the first that is not the same.
func benchSaid(p *program, d *gobench.Result) (*compared, error) {
	said := &compared{Word: compare.Same, On: "time", Ratio: 1}
	if len(d.Geomean) > 0 {
		said.Ratio = d.Geomean[0].Ratio
	}
	found := false
	for _, b := range d.Benchmarks {
		name, _, _ := strings.Cut(b.Name, "-") // without GOMAXPROCS
		switch {
		case len(b.Verdicts) == 0, len(p.Causes) > 0 && "Benchmark"+name != p.Causes[0].Benchmark:
			continue
		case len(p.Causes) > 0:
			said.Word, said.Ratio = b.Word(), b.Verdicts[0].Ratio
		case b.Word() != compare.Same && !said.Word.Different():
			said.Word = b.Word()
		}
		found = true
	}
	if !found && len(d.Unchanged) == 0 {
		return nil, fmt.Errorf("read what hone bench prints: no verdict in %d benchmarks", len(d.Benchmarks))
	}
	return said, nil
}

// diffLines are the places of the user's code that changed beyond the noise, as lines of why and but.
func diffLines(d *prof.Diff, w compare.Word) (lines []string) {
	for _, p := range d.Places {
		if p.Word == prof.Same {
			continue
		}
		word := "but: "
		if (p.Delta < 0) == (w == compare.Faster) {
			word = "why: "
		}
		lines = append(lines, word+prof.Change{Site: p.Site, Path: p.Path, Share: p.Share}.String())
	}
	return lines
}
