package gotypes

import (
	"cmp"
	"slices"
	"sort"
)

// useSymbols takes the variables of the data and bss segments from the table of symbols.
func (p *Program) useSymbols(all []Global) {
	marks := map[string]uint64{}
	for _, s := range all {
		switch s.Name {
		case "runtime.data", "runtime.edata", "runtime.bss", "runtime.ebss", "runtime.types":
			marks[s.Name] = s.Address
		}
	}
	p.typesBase = marks["runtime.types"]
	p.Data, p.DataSize = marks["runtime.data"], marks["runtime.edata"]-marks["runtime.data"]
	p.bss, p.bssSize = marks["runtime.bss"], marks["runtime.ebss"]-marks["runtime.bss"]
	for _, s := range all {
		if _, isMark := marks[s.Name]; p.inSegment(s.Address) && !isMark && s.Name != "" {
			p.Globals = append(p.Globals, s)
		}
	}
	p.sortGlobals()
}

// sortGlobals orders them by address, with one for each: the largest. A symbol without a size ends where the next
// begins.
func (p *Program) sortGlobals() {
	slices.SortStableFunc(p.Globals, func(a, b Global) int {
		return cmp.Or(cmp.Compare(a.Address, b.Address), cmp.Compare(b.Size, a.Size))
	})
	p.Globals = slices.CompactFunc(p.Globals, func(a, b Global) bool { return a.Address == b.Address })
	for i := range p.Globals {
		if g := &p.Globals[i]; g.Size == 0 && i+1 < len(p.Globals) {
			g.Size = p.Globals[i+1].Address - g.Address
		}
	}
}

// Global is the index in Globals of the variable at an address; -1 if there is none.
func (p *Program) Global(address uint64) int {
	i := sort.Search(len(p.Globals), func(i int) bool { return p.Globals[i].Address > address }) - 1
	if i < 0 || address-p.Globals[i].Address >= max(p.Globals[i].Size, 1) {
		return -1
	}
	return i
}

// inSegment says whether an address is in the data or the bss segment.
func (s *Segments) inSegment(address uint64) bool {
	return address-s.Data < s.DataSize || address-s.bss < s.bssSize
}

// HasValue says whether the compiler may have placed a value at an address: it is in a segment of variables, and in
// none of them.
func (p *Program) HasValue(address uint64) bool { return p.inSegment(address) && p.Global(address) < 0 }

// AddValues adds values that the compiler placed at addresses, as variables without names. Each reaches to the next.
func (p *Program) AddValues(addresses []uint64) {
	for _, a := range addresses {
		p.Globals = append(p.Globals, Global{Address: a})
	}
	p.sortGlobals()
}
