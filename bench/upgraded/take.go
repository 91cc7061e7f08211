package upgraded

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/judge"
)

// cpu is the measure of the trials, of services and benchmarks alike.
const cpu = "cpu"

// trial is a program that is checked out.
type trial struct {
	config
	program
	what corpus.Commit
	hone honecli.Hone
}

// take carries out one trial.
func (c config) take(ctx context.Context, p program) (r record, err error) {
	began := time.Now()
	dir, err := os.MkdirTemp(c.Dir, "upgraded-")
	if err != nil {
		return r, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	tree, what, err := c.clones.On(ctx, *corpus.SubjectOf(p.Repo), before, dir)
	if err != nil {
		return r, err
	}
	t := trial{config: c, program: p, what: p.at(what), hone: c.Hone}
	t.hone.Dir, t.hone.Ledger = what.WorkDir(tree), filepath.Join(dir, "ledger")
	r = record{Program: p.String(), Commit: what.Name()}
	defer func() { r.Seconds = time.Since(began).Round(time.Second).Seconds() }()
	found, err := t.upgrade(ctx)
	if err != nil || found == nil {
		return r, err
	}
	r.Whole, r.Rest = &share{Share: found.Change.Share, Low: found.Change.Low, High: found.Change.High}, found.Rest
	for _, part := range found.Parts {
		c := part.Cost
		r.Parts = append(r.Parts, share{Name: part.Name, Share: c.Share, Low: c.Low, High: c.High})
	}
	if err := t.again(ctx, &r, found.Parts); err != nil {
		return r, err
	}
	return r, t.control(ctx, &r, found.Parts)
}

// again takes the second measurement: of the older release and of each part alone.
func (t trial) again(ctx context.Context, r *record, parts []honecli.Part) error {
	whole, err := t.compare(ctx, "--toolchain", "A="+t.To+",B="+t.From)
	if err != nil {
		return err
	}
	newer := 1 / whole.Ratio // by the older one
	r.Truth = &share{Share: newer - 1, Low: 1/whole.High - 1, High: 1/whole.Low - 1}
	for _, part := range parts {
		args := []string{"--toolchain", t.To}
		for _, entry := range part.Off {
			args = append(args, "--env", "B:"+entry)
		}
		v, err := t.compare(ctx, args...)
		if err != nil {
			return err
		}
		r.Alone = append(r.Alone, share{Name: part.Name, Share: newer * (1 - v.Ratio), Low: newer * (1 - v.High),
			High: newer * (1 - v.Low)})
	}
	return nil
}

// control switches off on both sides what hone named first.
func (t trial) control(ctx context.Context, r *record, parts []honecli.Part) error {
	if len(parts) == 0 || !parts[0].Cost.Shown {
		return nil
	}
	r.Control = parts[0].Name
	var args []string
	for _, entry := range parts[0].Off {
		args = append(args, "--env", entry)
	}
	found, err := t.upgrade(ctx, args...)
	r.Named = found != nil && slices.ContainsFunc(found.Parts,
		func(p honecli.Part) bool { return p.Name == r.Control && p.Cost.Shown })
	return err
}

// upgrade asks hone which part of the release changes the CPU time; nil where that differs not.
func (t trial) upgrade(ctx context.Context, more ...string) (*honecli.Divided, error) {
	return t.hone.Upgrade(ctx, cpu, t.words(append([]string{"--toolchain", t.From + "," + t.To}, more...))...)
}

// compare holds B against A, both of what is checked out, and returns the verdict on CPU time.
func (t trial) compare(ctx context.Context, args ...string) (v judge.Verdict, err error) {
	var verdicts []judge.Verdict
	if t.what.Benchmark != "" {
		b, err := t.hone.BenchVerdicts(ctx, t.words(append([]string{"--vs", "./", "--all"}, args...))...)
		if err != nil {
			return v, err
		}
		verdicts = b
	} else {
		c, err := t.hone.Compared(ctx, t.what.Comparison("", t.budget, append(args, "--seed", seed(), "--all")...)...)
		if err != nil {
			return v, err
		}
		if verdicts, err = c.Verdicts(); err != nil {
			return v, err
		}
	}
	i := slices.IndexFunc(verdicts, func(v judge.Verdict) bool { return v.Measure.Key == cpu })
	if i < 0 || !verdicts[i].Bounded() || verdicts[i].Low <= 0 {
		return v, fmt.Errorf("hone says of %v no interval of the CPU time", args)
	}
	return verdicts[i], nil
}

// words are those of a command of hone that measures the program, with a seed of its own.
func (t trial) words(args []string) []string {
	args = append(args, "--budget", t.budget.String(), "--seed", seed())
	if t.what.Benchmark != "" {
		return append([]string{"."}, append(args, "--bench", t.what.Pattern())...)
	}
	return t.what.Alone(args...)
}

// seed draws the seed of a measurement.
func seed() string { return fmt.Sprint(1 + rand.Uint64N(1<<50)) }
