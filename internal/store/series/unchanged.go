package series

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Group are values that were not measured: benchmarks that execute nothing that changed. In most nights these are nearly
// all, so a point has them in a short form: names that have their beginning in common, each with each of the measures.
type Group struct {
	// Prefix stands before each of the names: their package with a dot.
	Prefix   string   `json:"prefix,omitempty"`
	Names    []string `json:"names"`
	Measures []string `json:"measures"`
}

// All are all values of a point: Values, and those of Unchanged.
func (p *Point) All() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for _, v := range p.Values {
			if !yield(v) {
				return
			}
		}
		for _, g := range p.Unchanged {
			for _, name := range g.Names {
				for _, measure := range g.Measures {
					if !yield(Value{Name: g.Prefix + name, Measure: measure, State: Unchanged}) {
						return
					}
				}
			}
		}
	}
}

// number is how many values a point has.
func (p *Point) number() int64 {
	n := int64(len(p.Values))
	for _, g := range p.Unchanged {
		n += int64(len(g.Names)) * int64(len(g.Measures))
	}
	return n
}

// shorten moves the unchanged values to their groups. The result does not depend on their order.
func (p *Point) shorten() {
	measures := map[string][]string{} // by name
	var rest []Value
	for v := range p.All() {
		if v.State == Unchanged && v == (Value{Name: v.Name, Measure: v.Measure, Unit: v.Unit, State: Unchanged}) {
			measures[v.Name] = append(measures[v.Name], v.Measure)
		} else {
			rest = append(rest, v)
		}
	}
	if len(measures) == 0 {
		p.Unchanged = nil
		return
	}
	type key struct{ prefix, measures string }
	groups := map[key]*Group{}
	p.Values, p.Unchanged = append([]Value{}, rest...), nil
	for name, of := range measures {
		slices.Sort(of)
		of = slices.Compact(of)
		prefix := prefixOf(name)
		k := key{prefix, fmt.Sprintf("%q", of)}
		if groups[k] == nil {
			groups[k] = &Group{Prefix: prefix, Measures: of}
		}
		groups[k].Names = append(groups[k].Names, name[len(prefix):])
	}
	for _, g := range groups {
		slices.Sort(g.Names)
		p.Unchanged = append(p.Unchanged, *g)
	}
	slices.SortFunc(p.Unchanged, func(a, b Group) int {
		return cmp.Or(strings.Compare(a.Prefix, b.Prefix), slices.Compare(a.Measures, b.Measures))
	})
}

// prefixOf is the package of a benchmark, with the dot after it: up to the first dot before a capital letter, since the
// names of benchmarks begin with one. Where that is no package, the group has another beginning, and the same names.
func prefixOf(name string) string {
	for i := 1; i < len(name); i++ {
		if name[i-1] == '.' && name[i] >= 'A' && name[i] <= 'Z' {
			return name[:i]
		}
	}
	return ""
}
