package layouts

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/gotest"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/proc"
)

// smallDelta is the tolerance of verdicts: with hone's default most end long before their budget, with an interval of
// just that.
const smallDelta = "0.001"

// take carries out one trial.
func (c config) take(ctx context.Context, t trial) ([]record, error) {
	dir, err := os.MkdirTemp(c.Dir, "layouts-")
	if err != nil {
		return nil, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	commit := t.subject.commit()
	if commit.Repo == corpus.Own {
		if commit.Commit, err = corpus.Head(ctx, ".."); err != nil {
			return nil, err
		}
	}
	trees, err := c.clones.CheckOut(ctx, commit, dir)
	if err != nil {
		return nil, err
	}
	w := work{config: c, commit: commit, dir: dir,
		sides: [2]string{filepath.Join(trees[0], commit.Dir), filepath.Join(trees[1], commit.Dir)}}
	r := record{Subject: t.subject.name(), Kind: t.kind}
	switch t.kind {
	case starts:
		r.Plain, r.Aligned, err = w.scatter(ctx)
	case rounds:
		r.A, r.B, err = w.long(ctx, min(together, c.rounds-t.i*together))
	default:
		r.Seed, r.Budget = 1+rand.Uint32N(1<<31), map[kind]time.Duration{verdict: c.budget, long: c.longer}[t.kind]
		var said honecli.Said
		said, err = commit.AskAll(ctx, c.Hone, trees[1], r.Budget, seeded(commit, r.Seed)...)
		r.Said = &said
	}
	if err != nil {
		return nil, err
	}
	return []record{r}, nil
}

// seeded are the flags of a verdict with a seed.
func seeded(c corpus.Commit, seed uint32) []string {
	return []string{"--seed", fmt.Sprint(seed), "--delta", smallDelta}
}

// work is a commit at hand; sides are the directories of its packages, dir is thrown away.
type work struct {
	config
	commit corpus.Commit
	sides  [2]string
	dir    string
}

// program is a linked test binary, or a service.
type program struct {
	work
	side gotest.Side
}

// link links a side's program with flags of the linker.
func (w work) link(ctx context.Context, side int, name, flags string) (program, error) {
	out := filepath.Join(w.dir, name)
	p := program{w, gotest.Side{Binary: gotest.Binary{Program: out, Dir: w.sides[side]}, Pattern: w.commit.Pattern()}}
	if w.commit.Benchmark == "" {
		return p, proc.BuildGo(ctx, w.sides[side], out, "-buildvcs=false", flags, ".")
	}
	_, err := gotest.Build(ctx, w.sides[side], out, flags)
	return p, err
}

// start starts the program once and returns the seconds per operation.
func (p program) start(ctx context.Context) (float64, error) {
	if p.commit.Benchmark != "" {
		seconds, err := p.side.Run(ctx, 1, p.length)
		if err != nil {
			return 0, err
		}
		return seconds[0], nil
	}
	return p.underLoad(ctx)
}

// The CPUs of a service and of its load.
const (
	serviceCPU = 0
	loadCPU    = 1
	warmUp     = 300 * time.Millisecond
)

// underLoad is the CPU time per request of a service that is started afresh.
func (p program) underLoad(ctx context.Context) (seconds float64, err error) {
	addr, err := proc.FreeAddress()
	if err != nil {
		return 0, err
	}
	subject := corpus.SubjectOf(p.commit.Repo)
	_, port, _ := strings.Cut(addr, ":")
	var args []string
	for _, a := range subject.Args {
		args = append(args, strings.ReplaceAll(a, "{port}", port))
	}
	child, err := proc.Start(ctx, serviceCPU, proc.Command{Program: p.side.Program, Args: args, Dir: p.side.Dir})
	if err != nil {
		return 0, err
	}
	defer child.Stop()
	if err := child.Await(ctx, addr); err != nil {
		return 0, err
	}
	load := func(d time.Duration) (l honecli.Load, err error) {
		l, err = p.Hone.Load(ctx, loadCPU, "http://"+addr+subject.Path, "-c", "20", "-d", d.String(), "--warmup", "0s")
		if err == nil && (l.Account.Answered == 0 || l.Account.Failed > 0) {
			err = fmt.Errorf("%d requests answered, %d failed", l.Account.Answered, l.Account.Failed)
		}
		return l, err
	}
	if _, err := load(warmUp); err != nil {
		return 0, err
	}
	var l honecli.Load
	used, err := proc.CPUOf(child.Pid(), func() (err error) {
		l, err = load(p.length)
		return err
	})
	if err != nil {
		return 0, err
	}
	return used.Seconds() / float64(l.Account.Answered), nil
}

// scatter starts A in several link orders, each several times, in random order.
func (w work) scatter(ctx context.Context) (plain, aligned [][]float64, err error) {
	programs := make([]program, 2*w.orders)
	for i := range w.orders {
		order := gotest.RandomOrder()
		for j, flags := range []string{order, order + " -funcalign=64"} {
			if programs[2*i+j], err = w.link(ctx, 0, fmt.Sprintf("order%d-%d", i, j), flags); err != nil {
				return nil, nil, err
			}
		}
	}
	took, err := figures.Sampled(w.again, len(programs),
		func(_, i int) (float64, error) { return programs[i].start(ctx) })
	if err != nil {
		return nil, nil, err
	}
	for i := range w.orders {
		plain, aligned = append(plain, took[2*i]), append(aligned, took[2*i+1])
	}
	return plain, aligned, nil
}

// long is some rounds of the long run.
func (w work) long(ctx context.Context, n int) (a, b []float64, err error) {
	if n < 1 {
		return nil, nil, errors.New("no rounds are left")
	}
	took, err := figures.Sampled(n, 2, func(_, side int) (float64, error) {
		p, err := w.link(ctx, side, fmt.Sprintf("long%d", side), gotest.RandomOrder())
		if err != nil {
			return 0, err
		}
		return p.start(ctx)
	})
	if err != nil {
		return nil, nil, err
	}
	return took[0], took[1], nil
}
