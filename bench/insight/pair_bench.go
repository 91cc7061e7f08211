package insight

import (
	"context"
	"fmt"
	"strings"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/internal/conduct/gobench"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/prof"
)

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
		diff, err := c.diff(ctx, b.Profiles)
		if err != nil {
			return nil, err
		}
		said.Lines = append(said.Lines, diffLines(diff, b.Word())...)
	}
	return said, nil
}

// diff is the difference of two runs' CPU profiles.
func (c config) diff(ctx context.Context, runs [2]string) (*prof.Diff, error) {
	var d prof.Diff
	if _, err := c.Hone.Ask(ctx, &d, nil, "profile diff", runs[0], runs[1]); err != nil {
		return nil, err
	}
	if d.Schema != prof.DiffSchema {
		return nil, fmt.Errorf("read what hone profile diff prints: schema %q, want %s", d.Schema, prof.DiffSchema)
	}
	return &d, nil
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
