package gobench

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/program/objfile"
	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/program/samecode"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/units"
)

// static is what is known of a package's benchmarks before they run with counters.
type static struct {
	changed    *reach.Change
	candidates []reach.Candidate // the benchmarks whose code is not the same
	executes   map[string]bool   // functions of benchmarks that have executed something that differs
}

// asksForReach says whether it is found out which benchmarks execute something that differs.
func (m *measurement) asksForReach() bool {
	return !m.task.OnlyCode && !m.task.NoReach && m.planted == nil
}

// staticReach finds what differs between two test binaries, and what benchmarks may execute of it.
func staticReach(archives *samecode.Archives, tools *objfile.Toolchain, binaries [2]samecode.Binary,
	files, functions []string) (*static, error) {
	d, err := archives.Differences(tools, binaries)
	if err != nil {
		return nil, err
	}
	s := &static{changed: reach.Changed(d, binaries), executes: map[string]bool{}}
	if len(functions) == 0 {
		return s, nil
	}
	t := reach.TestBinaries{Changed: s.changed, Files: files}
	for side, b := range binaries {
		if t.Static[side], err = archives.Reachable(tools, b, files, s.changed.Start(), side); err != nil {
			return nil, err
		}
	}
	for _, function := range functions {
		s.candidates = append(s.candidates, t.Candidate(function))
	}
	return s, nil
}

// leaveUnreached finds which benchmarks execute something that differs, by counters. It notes those that execute
// nothing of it, and returns the packages that have others. What goes wrong is noted, and all are measured then.
func (m *measurement) leaveUnreached(ctx context.Context, packages []*pkg) ([]*pkg, error) {
	if m.planted != nil && len(m.compared) > 0 {
		return m.leaveUnplanted(ctx, packages)
	}
	if !m.asksForReach() || !slices.ContainsFunc(m.compared, func(p *pkg) bool { return p.static != nil }) {
		m.noteUnknown(m.compared)
		return packages, nil
	}
	c := &coverage{measurement: m}
	for i, p := range m.compared {
		if p.static == nil || len(p.functions) == 0 {
			continue
		}
		m.task.Progress.Phase(fmt.Sprintf("find out what benchmarks execute of the change %d/%d %s", i+1, len(m.compared),
			p.path), 0)
		if err := c.count(ctx, p); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			p.static, p.unknown = nil, err
		}
	}
	if len(c.packages) > 0 {
		m.result.Reach = c.table()
	}
	if c.ran > 2*usualCoverage {
		m.result.Notes = append(m.result.Notes, benchmarks.Note{Text: fmt.Sprintf(
			"it took %s to find out what the benchmarks execute of the change (--all leaves it out)", units.Seconds(c.ran))})
	}
	m.noteUnknown(m.compared)
	return withOthers(packages), nil
}

// withOthers are the packages that have a benchmark which is not left.
func withOthers(packages []*pkg) []*pkg {
	return slices.DeleteFunc(packages, func(p *pkg) bool { return len(p.unchanged) > 0 && !p.hasOthers })
}

// noteUnknown says of which packages it is not known what their benchmarks execute.
func (m *measurement) noteUnknown(packages []*pkg) {
	var unknown reasons
	for _, p := range packages {
		if p.unknown != nil && p.hasOthers {
			unknown.add(inBrief(p.unknown), p.path)
		}
	}
	for why, paths := range unknown.each {
		m.result.Notes = append(m.result.Notes, benchmarks.Note{Text: fmt.Sprintf(
			"not known what the benchmarks of %s execute of the change, so all are measured: %s",
			strings.Join(paths, ", "), why)})
	}
}

// reasons are names by a reason, in the order of the reasons.
type reasons struct {
	order []string
	names map[string][]string
}

func (r *reasons) add(reason, name string) {
	if r.names == nil {
		r.names = map[string][]string{}
	}
	if r.names[reason] == nil {
		r.order = append(r.order, reason)
	}
	r.names[reason] = append(r.names[reason], name)
}

// each yields the reasons with their names; it is an iter.Seq2.
func (r *reasons) each(yield func(reason string, names []string) bool) {
	for _, reason := range r.order {
		if !yield(reason, r.names[reason]) {
			return
		}
	}
}

// executingFirst puts the benchmarks first that are known to execute something that differs, and their packages.
func (m *measurement) executingFirst() {
	rank := func(b *bench) int {
		if b.pkg.static != nil && b.pkg.static.executes[benchtext.FunctionOf(b.name)] {
			return 0
		}
		return 1
	}
	best, order := map[*pkg]int{}, map[*pkg]int{}
	for i, b := range m.benches {
		if known, ok := best[b.pkg]; !ok {
			best[b.pkg], order[b.pkg] = rank(b), i
		} else {
			best[b.pkg] = min(known, rank(b))
		}
	}
	slices.SortStableFunc(m.benches, func(a, b *bench) int {
		return cmp.Or(best[a.pkg]-best[b.pkg], order[a.pkg]-order[b.pkg], rank(a)-rank(b))
	})
}
