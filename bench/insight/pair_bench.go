package insight

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

// benchmarks measures the benchmarks of both versions. Of what hone says of each, the lines of the one with the largest cause come first.
func (c config) benchmarks(ctx context.Context, p *program) (*compared, error) {
	args := []string{"./" + p.Name, "--vs", "../" + now, "--profile", "--budget", c.budget().String()}
	var d benchmarks.Result
	if _, err := c.Hone.Ask(ctx, &d, []int{honecli.Regression, honecli.Undecided}, "bench --quiet --no-report", args...); err != nil {
		return nil, err
	}
	if d.Schema != benchmarks.Schema {
		return nil, fmt.Errorf("read what hone bench prints: schema %q, want %s", d.Schema, benchmarks.Schema)
	}
	said, err := benchSaid(p, &d)
	if err != nil {
		return nil, err
	}
	for _, b := range d.Benchmarks {
		if lines := model.WhyOfBenchmark(b); len(p.Causes) > 0 && named(b, p.Causes[0].Benchmark) {
			said.Lines = append(lines, said.Lines...)
		} else {
			said.Lines = append(said.Lines, lines...)
		}
	}
	return said, nil
}

// benchSaid is the verdict on the benchmark with the largest cause. Of versions that do the same it is the first that is not "same", with
// the geometric mean of all ratios.
func benchSaid(p *program, d *benchmarks.Result) (*compared, error) {
	if len(p.Causes) > 0 {
		return ofBenchmark(p.Causes[0].Benchmark, d)
	}
	if len(d.Benchmarks)+len(d.Unchanged) == 0 {
		return nil, errors.New("read what hone bench prints: no benchmarks")
	}
	said := &compared{Word: judge.Same, On: "time", Ratio: 1}
	if len(d.Geomean) > 0 {
		said.Ratio = d.Geomean[0].Ratio
	}
	for _, b := range d.Benchmarks {
		if b.Word() != judge.Same && !said.Word.Different() {
			said.Word = b.Word()
		}
	}
	return said, nil
}

// processors is the end of a benchmark's name: GOMAXPROCS, unless it is 1.
var processors = regexp.MustCompile(`-\d+$`)

// named says whether a benchmark is that of a function.
func named(b benchmarks.Benchmark, function string) bool {
	return "Benchmark"+processors.ReplaceAllString(b.Name, "") == function
}

func ofBenchmark(name string, d *benchmarks.Result) (*compared, error) {
	for _, b := range d.Benchmarks {
		if named(b, name) && len(b.Verdicts) > 0 {
			return &compared{Word: b.Word(), On: "time", Ratio: b.Verdicts[0].Ratio}, nil
		}
	}
	return nil, fmt.Errorf("read what hone bench prints: no verdict on %s among %d benchmarks", name, len(d.Benchmarks))
}
