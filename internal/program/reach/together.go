package reach

import (
	"slices"

	"github.com/gohone/hone/internal/program/samecode"
)

// Together is what differs in several packages, each function once. What only packages without tests have, no test and
// no benchmark executes.
func Together(packages []Package) *Change {
	all, known := &Change{}, map[samecode.Symbol]bool{}
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

// add adds the functions of a package that are not known yet.
func (c *Change) add(p Package, known map[samecode.Symbol]bool) {
	c.Table.Hidden = append(c.Table.Hidden, p.Changed.Table.Hidden...)
	for i, f := range p.Changed.Table.Functions {
		key := samecode.Symbol{Package: f.Package, Name: f.Name}
		if known[key] {
			continue
		}
		known[key] = true
		where := p.Changed.codes[i]
		where.unused = !p.tested()
		if where.unused { // it does not even start
			f.Executed = nil
		}
		c.Table.Functions, c.codes = append(c.Table.Functions, f), append(c.codes, where)
	}
}
