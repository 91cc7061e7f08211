package samecode

import (
	"slices"
	"strings"
)

// initTasks are the symbols of what runs before main, in the order in which it runs (cmd/link/internal/ld/inittask.go):
// a package after its imports, and else by name.
func (p *program) initTasks(m *marks) (tasks []node, ok bool) {
	waits, importers := map[node]int{}, map[node][]node{}
	var ready []node
	byName := func(a, b node) int { return strings.Compare(string(p.symbol(a).Name), string(p.symbol(b).Name)) }
	for name, n := range p.names {
		if name.abi != 0 || !strings.HasSuffix(name.name, "..inittask") {
			continue
		}
		o, i := p.at(n)
		relocs := o.Relocs(i)
		for k := range relocs.Len() {
			r := relocs.At(k)
			if r.Type != m.initOrder {
				continue
			}
			t := p.resolve(o, r.Ref)
			if t.node == none {
				return nil, false
			}
			waits[n]++
			importers[t.node] = append(importers[t.node], n)
		}
		if waits[n] == 0 {
			ready = append(ready, n)
		}
	}
	for len(ready) > 0 {
		slices.SortFunc(ready, byName)
		n := ready[0]
		ready, tasks = ready[1:], append(tasks, n)
		for _, importer := range importers[n] {
			if waits[importer]--; waits[importer] == 0 {
				ready = append(ready, importer)
			}
		}
	}
	return tasks, true
}

// runBy are the functions that a symbol of what runs before main refers to: those of one package, in their order.
func (p *program) runBy(task node, m *marks) (functions []node) {
	o, i := p.at(task)
	relocs := o.Relocs(i)
	for k := range relocs.Len() {
		if t := p.resolve(o, relocs.At(k).Ref); t.node != none && m.text[p.symbol(t.node).Kind] {
			functions = append(functions, t.node)
		}
	}
	return functions
}

// fillsOwn says that what a package runs before main only fills variables of that package, as Start knows it.
// Packages that do not import each other have no variable of it in common, so that any of them may come first.
func (p *program) fillsOwn(task node, m *marks) bool {
	path, _ := strings.CutSuffix(string(p.symbol(task).Name), "..inittask")
	s := newStarter(p, m)
	for _, f := range p.runBy(task, m) {
		s.function(f)
	}
	for _, variables := range []map[Symbol]bool{s.variables, s.nameless} {
		for v := range variables {
			if escaped(v.Package) != path {
				return false
			}
		}
	}
	return s.why == ""
}
