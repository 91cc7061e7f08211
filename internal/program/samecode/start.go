package samecode

import (
	"cmp"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/objfile"
)

// Start is what differs in what runs before main alone, where hone knows that it does nothing but fill variables. Then
// a benchmark executes something else only through these variables: the start is over before its timer begins.
//
// Known are functions init, and what fills variables, if all that they call is Go code of the same kind, or one of the
// functions of Go's library that only compute (see Computes). So they start no goroutine, register no finalizer, change
// no setting of the runtime, read no file, and call nothing through a variable, or through an interface but
// reflect.Type. They can change only what they refer to: their own variables, with all that the data of these lead to.
//
// What remains is excused: the time of the start, which no timer sees; the addresses of what comes later on the heap;
// and the memory that the start leaves behind, which makes the collector's cycles longer. Who measures has to bound
// that, see MostStarted. The variables' own size is bounded by mostScanned.
type Start struct {
	// Functions are those that run before main and differ, of A and of B.
	Functions [2]map[Symbol]bool
	// Parts are those of Functions of which only a part differs: what fills some of the variables of a package.
	Parts [2]map[Symbol]bool
	// Called are the functions outside of Go's library that those call.
	Called map[Symbol]bool
	// Variables are what they may fill differently.
	Variables []Symbol
	// Why says why that is not known; empty if it is.
	Why string

	nameless [2]map[Symbol]bool // variables without a name of their own
}

// MostStarted is by how many bytes the memory may differ that both sides allocate before main. The collector's
// smallest cycle is of 4 MB, so that its length differs by less than a hundredth. Cycles are a part of the time,
// mostly less than a quarter: that makes 0.2 %.
const MostStarted = 32 << 10

// entry are the names of functions that run before main: of a package's variables, of its functions init, of maps.
var entry = regexp.MustCompile(`^(map\.)?init(\.[0-9]+)?$`)

// Filled are variables of a package that are filled differently, by source that only computes and calls functions.
type Filled struct {
	Variables []string
	Calls     []Symbol
}

// Start looks at what runs before main and differs. filled says what the source shows of what fills the variables of a
// package, which is one function; nil where it does not show that the rest of it is the same.
func (d *Differences) Start(filled func(Function) *Filled) *Start {
	s := &Start{Called: map[Symbol]bool{}}
	variables := map[Symbol]bool{}
	for side := range s.Functions {
		s.Functions[side], s.Parts[side] = map[Symbol]bool{}, map[Symbol]bool{}
		s.nameless[side] = map[Symbol]bool{}
	}
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" { // where calls of what a variable holds are marked
		s.Why = "what runs before main, on " + runtime.GOARCH
	}
	for _, f := range d.Functions {
		if !entry.MatchString(f.Name) || s.Why != "" {
			continue
		}
		var part *Filled
		if f.Name == "init" {
			part = filled(f)
		}
		for side, p := range []*program{d.differ.a, d.differ.b} {
			if !f.In[side] {
				continue
			}
			s.Functions[side][f.Symbol] = true
			l := newStarter(p, d.differ.marks)
			l.variables, l.nameless, l.called = variables, s.nameless[side], s.Called
			n, ok := l.node(f.Symbol)
			switch {
			case !ok:
				l.stop(f.Name + ", which hone cannot find")
			case part != nil:
				s.Parts[side][f.Symbol] = f.In[1-side]
				l.part(n, f.Package, part)
			default:
				l.function(n)
			}
			s.Why = cmp.Or(s.Why, l.why)
		}
	}
	s.Variables = slices.SortedFunc(maps.Keys(variables), Symbol.Compare)
	return s
}

// starter goes through what a function calls that runs before main.
type starter struct {
	*program
	*marks
	variables, nameless, called map[Symbol]bool
	seen                        map[node]bool
	why                         string
}

func newStarter(p *program, m *marks) *starter {
	return &starter{program: p, marks: m, variables: map[Symbol]bool{}, nameless: map[Symbol]bool{},
		called: map[Symbol]bool{}, seen: map[node]bool{}}
}

func (s *starter) stop(why string) {
	if s.why == "" {
		s.why = why
	}
}

// node finds a function, or a variable.
func (s *starter) node(symbol Symbol) (node, bool) {
	name := escaped(symbol.Package) + "." + symbol.Name
	if symbol.Package == "" {
		name = symbol.Name
	}
	return s.named(name, abiInternal)
}

// part notes the variables that a part of a function fills, if it is the function that does so.
func (s *starter) part(n node, path string, part *Filled) {
	o, i := s.at(n)
	relocs := o.Relocs(i)
	for k := range relocs.Len() {
		t := s.resolve(o, relocs.At(k).Ref)
		if t.node == none || s.owner[t.node].standard {
			continue
		}
		if v := s.split(s.nameOf(t)); v.Package == path && slices.Contains(part.Variables, v.Name) {
			s.variable(t.node)
		}
	}
	for _, f := range part.Calls {
		called, ok := s.node(f)
		if !ok || !s.text[s.symbol(called).Kind] {
			s.stop(f.Name + ", which hone cannot find")
			return
		}
		s.function(called)
	}
}

// function looks at a function, and at all that it calls.
func (s *starter) function(n node) {
	if s.seen[n] || s.why != "" {
		return
	}
	s.seen[n] = true
	o, i := s.at(n)
	if name := string(o.Symbol(i).Name); o.foreign || o != s.byPath[escaped(o.path)] {
		s.stop("code that is not of Go, before main: " + name)
		return
	} else if !entry.MatchString(s.split(name).Name) {
		s.called[s.split(name)] = true
	}
	relocs := o.Relocs(i)
	for k := s.next(relocs, 0); k < relocs.Len() && s.why == ""; k = s.next(relocs, k+1) {
		r := relocs.At(k)
		t := s.resolve(o, r.Ref)
		switch {
		case r.Type == s.callInd && !s.onlyAsksTypes(o, relocs):
			s.stop("a call before main of what hone cannot see, in " + string(o.Symbol(i).Name))
		case r.Type == s.callInd, s.onlyMarks(r.Type):
		case t.unknown:
			s.stop("a reference that hone cannot follow")
		case t.node == none:
			if t.name != "" {
				s.stop(t.name + ", which runs before main")
			}
		case s.text[s.symbol(t.node).Kind]:
			s.calls(t.node)
		default:
			s.variable(t.node)
		}
	}
}

// onlyAsksTypes says that all calls of a function through interfaces or variables are of methods of reflect.Type, which
// only package reflect can implement: the compiler marks each call through an interface with its type, and no other.
func (s *starter) onlyAsksTypes(o *object, relocs objfile.Relocs) bool {
	calls := 0
	for k := range relocs.Len() {
		switch r := relocs.At(k); r.Type {
		case s.callInd:
			calls++
		case s.useIfaceMethod:
			if t := s.resolve(o, r.Ref); t.node == none || s.nameOf(t) != "type:reflect.Type" {
				return false
			}
			calls--
		}
	}
	return calls == 0
}

// calls looks at a function that is called.
func (s *starter) calls(n node) {
	if !s.owner[n].standard {
		s.function(n)
		return
	}
	if f := s.split(s.nameOf(target{node: n})); !Computes(f) {
		s.stop(f.Package + "." + f.Name + ", which is called before main")
	}
}

// variable notes a variable that may be filled, and what its data lead to. What code can only read may lead to some.
func (s *starter) variable(n node) {
	if s.seen[n] || s.why != "" {
		return
	}
	s.seen[n] = true
	o, i := s.at(n)
	name := s.split(string(o.Symbol(i).Name))
	switch isVariable := s.marks.variable[o.Symbol(i).Kind]; {
	case isVariable && o.standard:
		if !readBeforeMain[name] {
			s.stop(name.Package + "." + name.Name + ", which is used before main")
		}
		return
	case o.standard || isGoType(s.program, target{node: n}) || ofCompiler(name.Name): // types and texts
		return
	case isVariable && s.hasName(n):
		s.variables[name] = true
	case isVariable:
		s.nameless[name] = true
	}
	relocs := o.Relocs(i)
	for k := range relocs.Len() {
		switch t := s.resolve(o, relocs.At(k).Ref); {
		case t.unknown:
			s.stop("a reference that hone cannot follow")
		case t.node != none && !s.text[s.symbol(t.node).Kind]:
			s.variable(t.node)
		}
	}
}

// hasName says that functions which refer to a variable are found by its name.
func (p *program) hasName(variable node) bool {
	t := target{node: variable}
	return !p.nameless(t) && !strings.Contains(p.nameOf(t), "..")
}

// skipsStart has a walk over one program leave out what differs before main.
func (w *walk) skipsStart(s *Start, side int) {
	w.skipped, w.parts, w.filled = map[node]bool{}, map[node]bool{}, map[node]bool{}
	if s == nil || s.Why != "" {
		return
	}
	for name, n := range w.b.functions(w.marks) {
		f := w.b.split(name.name)
		w.skipped[n] = s.Functions[side][f] && !s.Parts[side][f]
		w.parts[n] = s.Parts[side][f]
	}
	variables := maps.Clone(s.nameless[side])
	for _, v := range s.Variables {
		variables[v] = true
	}
	for n, o := range w.b.owner {
		i := n - int(o.first)
		if v := o.Symbol(i); !o.standard && w.variable[v.Kind] && variables[w.b.split(string(v.Name))] {
			w.filled[node(n)] = true
		}
	}
}

// reads is a variable that is filled differently before main, and that a walk has reached since another one other than
// from a function which refers to it by its name: such a function differs.
func (r *Reachable) reads(w, before *walk) (variable string) {
	for n := range w.filled {
		if w.ofA[n] != none && !r.program.hasName(n) {
			return r.program.nameOf(target{node: n})
		}
	}
	if len(w.filled) == 0 {
		return ""
	}
	known := 0
	if before != nil {
		known = len(before.matched)
	}
	for _, n := range w.matched[known:] {
		if w.filled[n] {
			continue
		}
		o, i := r.program.at(n)
		if r.marks.text[o.Symbol(i).Kind] {
			continue
		}
		relocs := o.Relocs(i)
		for k := range relocs.Len() {
			if t := r.program.resolve(o, relocs.At(k).Ref); t.node != none && w.filled[t.node] {
				return r.program.nameOf(t)
			}
		}
	}
	return ""
}

// readsBefore is a variable that is filled differently before main, and that anything else before main may read.
func (r *Reachable) readsBefore() (variable string) {
	for n := range r.base.filled {
		if r.base.ofA[n] != none {
			return r.program.nameOf(target{node: n})
		}
	}
	return ""
}

// Seen is what may see in a program what differs before main, other than a function that refers to a variable by its
// name; empty if nothing does.
func (r *Reachable) Seen() string { return cmp.Or(r.base.why, r.reads(r.base, nil)) }
