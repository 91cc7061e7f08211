package samecode

import "strings"

// The tables of the main package that go test writes: they name all tests and benchmarks of the binary.
const benchmarksTable = "main.benchmarks"

var allTables = []string{benchmarksTable, "main.tests", "main.fuzzTargets", "main.examples"}

// findTables are the nodes of the tables, which lead from each benchmark to all others.
func (p *program) findTables() map[node]bool {
	found := map[node]bool{}
	for _, name := range allTables {
		if n, ok := p.names[symbolName{name, 0}]; ok {
			found[n] = true
		}
	}
	return found
}

// benchmarks are the benchmark functions of a test binary, by their names.
func (p *program) benchmarks() map[string][]node {
	found := map[string][]node{}
	table, ok := p.names[symbolName{benchmarksTable, 0}]
	if !ok {
		return found
	}
	o, i := p.at(table)
	relocs := o.Relocs(i)
	for k := range relocs.Len() {
		list := p.resolve(o, relocs.At(k).Ref)
		if list.node == none {
			continue
		}
		rows, at := p.at(list.node)
		entries := rows.Relocs(at)
		for e := range entries.Len() {
			t := p.resolve(rows, entries.At(e).Ref)
			if name, isFunction := strings.CutSuffix(p.nameOf(t), "·f"); isFunction && t.node != none {
				name = name[strings.LastIndexByte(name, '.')+1:]
				found[name] = append(found[name], t.node)
			}
		}
	}
	return found
}
