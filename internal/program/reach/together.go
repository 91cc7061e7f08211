package reach

import (
	"cmp"
	"slices"

	"github.com/gohone/hone/internal/program/samecode"
)

// Together is what differs in several packages, each function once. What only packages without tests have, no test and
// no benchmark executes.
func Together(packages []Package) *Change {
	all, known := &Change{}, map[samecode.Symbol]int{}
	for _, tested := range []bool{true, false} {
		for _, p := range packages {
			if p.Tested() == tested {
				all.add(p, known)
			}
		}
	}
	slices.Sort(all.Table.Hidden)
	all.Table.Hidden = slices.Compact(all.Table.Hidden)
	return all
}

// add adds the functions of a package. known has the indices of those that are there already.
func (c *Change) add(p Package, known map[samecode.Symbol]int) {
	c.Table.Hidden = append(c.Table.Hidden, p.Changed.Table.Hidden...)
	for i, f := range p.Changed.Table.Functions {
		key := samecode.Symbol{Package: f.Package, Name: f.Name}
		where := p.Changed.codes[i]
		if at, ok := known[key]; ok {
			c.codes[at].unused = c.codes[at].unused && where.unused
			c.codes[at].open = cmp.Or(c.codes[at].open, where.open)
			continue
		}
		known[key] = len(c.codes)
		if !p.Tested() { // it does not even start
			where.unused, f.Executed = true, nil
		}
		c.Table.Functions, c.codes = append(c.Table.Functions, f), append(c.codes, where)
	}
}

// Join adds what benchmarks of another job execute of the same changes.
func (t *Table) Join(other *Table) *Table {
	if t == nil || other == nil {
		return nil // of one part it is not known
	}
	all := *t
	all.Functions = slices.Clone(t.Functions)
	at := map[samecode.Symbol]int{}
	for i, f := range all.Functions {
		at[samecode.Symbol{Package: f.Package, Name: f.Name}] = i
	}
	for _, f := range other.Functions {
		i, known := at[samecode.Symbol{Package: f.Package, Name: f.Name}]
		if !known {
			all.Functions = append(all.Functions, f)
			continue
		}
		own := &all.Functions[i]
		own.Uncounted = cmp.Or(own.Uncounted, f.Uncounted)
		own.Executed, own.Benchmarks = union(own.Executed, f.Executed), union(own.Benchmarks, f.Benchmarks)
	}
	all.Hidden = union(t.Hidden, other.Hidden)
	all.Lines.Benchmark = max(t.Lines.Benchmark, other.Lines.Benchmark)
	return &all
}

// union has what is in either list, in the order in which it comes.
func union[T comparable](a, b []T) []T {
	all := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	return all
}
