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
			if p.tested() == tested {
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
		if !p.tested() { // it does not even start
			where.unused, f.Executed = true, nil
		}
		c.Table.Functions, c.codes = append(c.Table.Functions, f), append(c.codes, where)
	}
}
