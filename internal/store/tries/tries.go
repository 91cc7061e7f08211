// Package tries counts how often the same programs were compared: a comparison that is repeated until it passes
// passes at last. Who deletes the ledger, or changes a line that nothing executes, begins at 1 again.
package tries

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/ledger"
)

// History is the comparisons of a ledger, and what was compared.
type History struct {
	rows     []ledger.Comparison
	variants map[string]variants // by comparison
	tree     func(commit string) string
}

// Try is a comparison of the same programs. Letters are those of its variants, in the order in which they were given to
// Of.
type Try struct {
	Comparison ledger.Comparison
	Letters    []string
}

// Read reads a ledger. Tree is that of a commit, "" where it is not known, or nil: the commit counts then.
func Read(l *ledger.Ledger, tree func(commit string) string) (*History, error) {
	rows, err := l.Comparisons(0)
	if err != nil {
		return nil, err
	}
	runs, err := l.Runs(ledger.RunFilter{NoDoc: true})
	if err != nil {
		return nil, err
	}
	h := &History{rows: rows, variants: map[string]variants{}, tree: tree}
	for _, r := range runs {
		if r.Comparison != "" && h.variants[r.Comparison] == nil {
			h.variants[r.Comparison] = variants{}
		}
		if r.Comparison != "" {
			h.variants[r.Comparison][r.Variant] = h.program(r)
		}
	}
	for _, row := range rows {
		if of := h.ofBenchmarks(row.Doc); of != nil {
			h.variants[row.ID] = of
		}
	}
	return h, nil
}

// Of are the tries of what some variants of a comparison are, by their letters, the oldest first: the comparison
// itself and others that were measured to their end, under whatever load. Programs are the same if they are of one
// package, and were built from one tree of files without changes, or have one build ID. The first letter is the variant
// that the others are compared with, and has to be that in all tries. Comparisons of benchmarks are tries of each other
// where they have a benchmark in common.
func (h *History) Of(id string, letters ...string) (all []Try) {
	for _, row := range h.rows {
		as := letters
		if row.ID != id {
			if as = h.variants[id].in(h.variants[row.ID], letters); as == nil || row.Status != ledger.Complete {
				continue
			}
		}
		all = append(all, Try{row, as})
	}
	slices.SortStableFunc(all, func(a, b Try) int {
		return cmp.Or(a.Comparison.Started.Compare(b.Comparison.Started), cmp.Compare(a.Comparison.ID, b.Comparison.ID))
	})
	return all
}

// Place is the number of a comparison among tries, from 1; 0 where it is none of them.
func Place(all []Try, id string) int {
	return 1 + slices.IndexFunc(all, func(t Try) bool { return t.Comparison.ID == id })
}

// program is what a variant is.
type program struct {
	of       string   // a package; of benchmarks empty
	contents []string // names of what it was built from; programs that share one are the same
	label    string   // tells variants of one program apart
	measured []string // benchmarks
}

// variants are programs by letters.
type variants map[string]program

func (p program) same(other program) bool {
	shares := func(a, b []string) bool {
		return slices.ContainsFunc(a, func(one string) bool { return slices.Contains(b, one) })
	}
	return p.of == other.of && shares(p.contents, other.contents) &&
		(p.measured == nil && other.measured == nil || shares(p.measured, other.measured))
}

// in are the letters of the same programs among other variants; nil where one is not there. One program with two sets
// of arguments is told apart by them.
func (v variants) in(other variants, letters []string) (as []string) {
	for i, letter := range letters {
		mine, ok := v[letter]
		if !ok {
			return nil
		}
		twice := i > 0 && mine.same(v[letters[0]]) || i == 0 && len(letters) > 1 && mine.same(v[letters[1]])
		at := ""
		for name, p := range other {
			if i == 0 == (name == letters[0]) && mine.same(p) && (!twice || p.label == mine.label) &&
				!slices.Contains(as, name) && (at == "" || name < at) {
				at = name
			}
		}
		if at == "" {
			return nil
		}
		as = append(as, at)
	}
	return as
}

func (h *History) program(r ledger.Run) program {
	p := program{of: r.Package, contents: h.contents(r.Commit, r.Dirty), label: r.Label}
	if r.BuildID != "" {
		p.contents = append(p.contents, "build "+r.BuildID)
	}
	return p
}

// contents names what was built from a commit; nothing where files differed from it.
func (h *History) contents(commit string, dirty bool) []string {
	if commit == "" || dirty {
		return nil
	}
	if h.tree != nil {
		if tree := h.tree(commit); tree != "" {
			return []string{"tree " + tree}
		}
	}
	return []string{"commit " + commit}
}

// ofBenchmarks are the sides of a comparison of benchmarks; nil of others.
func (h *History) ofBenchmarks(doc json.RawMessage) variants {
	var r struct {
		Schema     string                           `json:"schema"`
		Sides      [2]benchmarks.Side               `json:"sides"`
		Benchmarks []struct{ Package, Name string } `json:"benchmarks"`
		Unchanged  []struct{ Package, Name string } `json:"unchanged"`
	}
	if json.Unmarshal(doc, &r) != nil || r.Schema != benchmarks.Schema {
		return nil
	}
	measured := []string{}
	for _, b := range slices.Concat(r.Benchmarks, r.Unchanged) {
		measured = append(measured, b.Package+"."+b.Name)
	}
	all := variants{}
	for _, s := range r.Sides {
		all[s.Name] = program{contents: h.contents(s.Commit, s.Dirty), label: s.Label, measured: measured}
	}
	return all
}
