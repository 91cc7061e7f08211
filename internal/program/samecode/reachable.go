package samecode

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/objfile"
)

// Reachable says what a test binary can execute at all, by the rules of the linker.
type Reachable struct {
	program    *program
	marks      *marks
	base       *walk   // what runs before all benchmarks
	before     Reached // what it reaches
	benchmarks map[string][]node
	tasks      []string          // what is initialised, in its order
	functions  map[node]function // that are known already: most benchmarks reach the same ones
}

// function is what a function holds and refers to.
type function struct {
	holds   []Symbol // itself, and what is inlined in it
	library []Symbol // functions of Go's library
}

// Reached is what a benchmark can execute, with what runs before it, outside of Go's library.
type Reached struct {
	// Functions are also those that are inlined in others.
	Functions map[Symbol]bool
	// Library are the functions of Go's library that those refer to.
	Library map[Symbol]bool
	// Why says what hone cannot follow, or which file may be read; then there is more. Empty if all is known.
	Why string
	// Reads is a variable that is filled differently before main, and that it may read where no function shows it.
	Reads string
}

// Reachable links a test binary on paper, that of a side. files are paths as those of Compare. What differs before main
// is left out, if it is known.
func (a *Archives) Reachable(t *objfile.Toolchain, b Binary, files []string, start *Start, side int) (*Reachable,
	error) {
	m, err := marksOf(t)
	if err != nil {
		return nil, err
	}
	programs, err := a.link([2][]Package{b.Packages, b.Packages}, t, &m)
	if err != nil {
		return nil, err
	}
	p := programs[0]
	p.tables = p.findTables()
	// A walk over one program twice reaches what that program reaches.
	r := &Reachable{program: p, marks: &m, benchmarks: p.benchmarks(), base: newWalk(p, p, &m, textsFor(files)),
		functions: map[node]function{}}
	r.base.skipsStart(start, side)
	tasks, _ := p.initTasks(&m) // where they are not known, the walk says so
	for _, n := range tasks {
		if !r.skips(n) && !p.fillsOwn(n, &m) {
			r.tasks = append(r.tasks, string(p.symbol(n).Name))
		}
	}
	r.librarySorted()
	r.base.startAll()
	r.base.run()
	return r, nil
}

// skips says that a package has nothing that runs before main, or that all of it is left out.
func (r *Reachable) skips(task node) bool {
	return !slices.ContainsFunc(r.program.runBy(task, r.marks), func(f node) bool { return !r.base.skipped[f] })
}

// librarySorted puts the tasks of Go's library first, by name: its packages depend on each other by imports alone, so
// that it does not matter which of two that do not import each other comes first.
func (r *Reachable) librarySorted() {
	isLibrary := func(task string) bool { return r.program.isStandard(symbolName{name: task}) }
	slices.SortStableFunc(r.tasks, func(x, y string) int {
		switch a, b := isLibrary(x), isLibrary(y); {
		case a && b:
			return strings.Compare(x, y)
		case a:
			return -1
		case b:
			return 1
		}
		return 0
	})
}

// Tasks name what is initialised before main, in its order. Packages of which nothing is left are not among them, nor
// are those that may come in any order.
func (r *Reachable) Tasks() []string { return r.tasks }

// Has says whether the binary has a benchmark function.
func (r *Reachable) Has(function string) bool { return len(r.benchmarks[function]) > 0 }

// By is what a benchmark function reaches.
func (r *Reachable) By(function string) Reached {
	if r.before.Functions == nil {
		r.before = Reached{map[Symbol]bool{}, map[Symbol]bool{}, r.base.why, r.readsBefore()}
		r.collect(&r.before, r.base, nil)
	}
	found := Reached{maps.Clone(r.before.Functions), maps.Clone(r.before.Library), r.before.Why, r.before.Reads}
	if found.Why != "" {
		return found
	}
	w := r.base.clone()
	for _, n := range r.benchmarks[function] {
		w.start(n, n)
	}
	w.run()
	found.Why, found.Reads = w.why, cmp.Or(found.Reads, r.reads(w, r.base))
	r.collect(&found, w, r.base)
	return found
}

// collect adds what a walk has reached, and the one before it has not.
func (r *Reachable) collect(found *Reached, w, before *walk) {
	known := 0
	if before != nil {
		known = len(before.matched)
	}
	for _, n := range w.matched[known:] {
		o, i := r.program.at(n)
		if o.standard {
			continue
		}
		if s := o.Symbol(i); !r.marks.text[s.Kind] || len(s.Name) == 0 {
			continue
		}
		f, ok := r.functions[n]
		if !ok {
			f = r.function(n)
			r.functions[n] = f
		}
		for _, s := range f.holds {
			found.Functions[s] = true
		}
		for _, s := range f.library {
			found.Library[s] = true
		}
	}
}

// function looks at one function.
func (r *Reachable) function(n node) (f function) {
	o, i := r.program.at(n)
	f.holds = append(r.program.inlined(n), r.program.split(string(o.Symbol(i).Name)))
	relocs := o.Relocs(i)
	for k := range relocs.Len() {
		t := r.program.resolve(o, relocs.At(k).Ref)
		if t.node == none {
			continue
		}
		to, j := r.program.at(t.node)
		if s := to.Symbol(j); to.standard && r.marks.text[s.Kind] {
			f.library = append(f.library, r.program.split(string(s.Name)))
		}
	}
	return f
}
