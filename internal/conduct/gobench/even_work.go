package gobench

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// An operation of a benchmark does the same each time, or hardly anything else. A side that works in the first
// hundred operations only, where checks look, or in one of eight, is faster all the same. Times of single operations
// scatter too much to tell; the statements that they execute do not, so they are counted, in the packages that
// changed.

const (
	// singleOperations are how many operations are counted one by one. The first two may be others: the testing package
	// runs a benchmark once before it runs it n times, and what is made once is made there.
	singleOperations, firstCounted = 16, 2
	// leastOperations and mostOperations are how many are counted together, manyTime how long they take at most.
	leastOperations, mostOperations, manyTime = 64, 4096, 300 * time.Millisecond
	// workTime is how long the runs of a side may take, allWork those of all benchmarks: what is counted does not get
	// shorter with the budget.
	workTime, allWork = 30 * time.Second, 2 * time.Minute
	// missedShare is the part of the statements that B saves that an operation may lack.
	missedShare = 0.5
	// ownShare is that part of B's own statements, where it saves none of those that are counted.
	ownShare = 0.3
)

// work is the statements that operations of a side execute.
type work struct {
	single []float64 // of one each, in their order
	many   float64   // of one among many
}

// checkWork adds the caveat that operations of B do not work alike.
func (m *measurement) checkWork(ctx context.Context, b *bench, v judge.Verdict) error {
	m.task.Progress.Phase("count what operations of "+b.name+" execute", 0)
	sides, err := m.workOf(ctx, b, v)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		m.result.Notes = append(m.result.Notes, benchmarks.Note{Package: b.pkg.path,
			Text: fmt.Sprintf("it is not known whether all operations of %s work alike: %s", b.name, inBrief(err))})
		return nil
	}
	b.caveats = append(b.caveats, unevenCaveat(v, sides)...)
	return nil
}

// workOf counts B, and A where B does not work alike.
func (m *measurement) workOf(ctx context.Context, b *bench, v judge.Verdict) (sides [2]work, err error) {
	for _, side := range []int{1, 0} {
		takes := [2]float64{v.A, v.B}[side]
		many := int(min(mostOperations, max(leastOperations, float64(manyTime)/max(1, takes))))
		program, err := m.counting(ctx, b.pkg, side)
		if err != nil {
			return sides, err
		}
		began := time.Now()
		limited, cancel := context.WithTimeout(ctx, min(workTime, allWork-m.worked))
		sides[side], err = m.countWork(limited, b, program, many)
		m.worked += time.Since(began)
		late := limited.Err() != nil && ctx.Err() == nil
		cancel()
		switch {
		case late:
			return sides, fmt.Errorf("that takes more than %s, or %s for all benchmarks", units.Seconds(workTime),
				units.Seconds(allWork))
		case err != nil:
			return sides, err
		case side == 1 && sides[1].alike():
			return sides, nil
		}
	}
	return sides, nil
}

// alike says that operations differ by nothing that could hold a gain.
func (w work) alike() bool {
	return w.most()-w.many <= leastFall*w.most()
}

func (w work) most() float64 { return slices.Max(w.single) }

// counting is the test binary of a side with counters in the packages that changed, made once.
func (m *measurement) counting(ctx context.Context, p *pkg, side int) (process.Program, error) {
	if p.counting[side].Path == "" {
		name := fmt.Sprintf("%d.work.test", slices.Index(m.compared, p))
		program, err := m.buildCounted(ctx, p, side, p.changedPackages(), name)
		if err != nil {
			return program, err
		}
		p.counting[side] = program
	}
	return p.counting[side], nil
}

// changedPackages are the packages that differ, without those of the toolchain, and the package itself.
func (p *pkg) changedPackages() []string {
	packages := []string{p.path}
	if p.static == nil {
		return packages
	}
	for _, f := range p.static.changed.Table.Functions {
		first, _, _ := strings.Cut(f.Package, "/")
		own := p.found[1].Module != nil && strings.HasPrefix(f.Package+"/", p.found[1].Module.Path+"/")
		if (own || strings.Contains(first, ".")) && !slices.Contains(packages, f.Package) {
			packages = append(packages, f.Package)
		}
	}
	return packages
}

// countWork runs a benchmark with ever more operations.
func (m *measurement) countWork(ctx context.Context, b *bench, program process.Program, many int) (w work, err error) {
	var before float64
	for n := firstCounted; n <= firstCounted+singleOperations; n++ {
		all, err := m.statements(ctx, b, program, n)
		if err != nil {
			return w, err
		}
		if n > firstCounted {
			w.single = append(w.single, all-before)
		}
		before = all
	}
	var both [2]float64
	for i := range both {
		if both[i], err = m.statements(ctx, b, program, (i+1)*many); err != nil {
			return w, err
		}
	}
	w.many = (both[1] - both[0]) / float64(many)
	return w, nil
}

// statements is how many a process of n operations executes.
func (m *measurement) statements(ctx context.Context, b *bench, program process.Program, n int) (float64, error) {
	profile := program.Path + ".cover"
	defer func() { _ = os.Remove(profile) }()
	flags := m.flags(execution{pattern: b.pattern(), procs: b.procs, length: strconv.Itoa(n) + "x",
		more: []string{"-test.run=^$", "-test.coverprofile=" + profile}})
	if e, err := program.Run(ctx, flags...); err != nil {
		return 0, fmt.Errorf("%w %s", err, strings.TrimSpace(e.LastWords()))
	}
	counters, err := reach.ReadCounters(profile)
	return counters.Statements(), err
}

// unevenCaveat: some operations of B lack what the gain is.
func unevenCaveat(v judge.Verdict, sides [2]work) []record.Caveat {
	a, b := sides[0], sides[1]
	if b.alike() || a.single == nil {
		return nil
	}
	missed, scatter := b.most()-b.many, a.most()-slices.Min(a.single)
	if saved := a.many - b.many; missed < missedShare*saved || saved <= 0 && missed < ownShare*b.many ||
		missed < 2*scatter {
		return nil
	}
	heavy := 0
	for _, one := range b.single {
		if one-b.many >= missed/2 {
			heavy++
		}
	}
	what := fmt.Sprintf("%d of the first %d operations of B execute %s statements in the packages that changed, and "+
		"later ones %s on average (A %s)", heavy, len(b.single), units.Digits(b.most()), units.Digits(b.many),
		units.Digits(a.many))
	return []record.Caveat{{Name: benchmarks.CaveatUneven, Text: fmt.Sprintf("time per operation %s, but %s: not each "+
		"operation does the work, such as where a cache has the answers of earlier ones, or B counts its calls",
		units.Percent(v.Ratio-1), what)}}
}
