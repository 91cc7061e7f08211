package reach

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/samecode"
)

// Change is what differs between two builds, before any of it was executed.
type Change struct {
	Table Table

	codes []code // of the functions
	start *samecode.Start
	seen  string // what of a program may see what differs before main; empty if only functions that differ do
}

// code is where a function stands on A and B, and what of it differs.
type code struct {
	files   [2]string // as coverage profiles name them; empty where a side does not have it
	places  [2]Place
	changed []int  // lines of B
	unused  bool   // nothing that runs has it
	open    string // why it may be executed where no counter says so; empty if the counters are all there is
	starts  bool   // all of it runs before main, and is known to fill variables only
	symbols [2][]samecode.Symbol
}

// unit is a function of the source, with what differs of all that is compiled from it.
type unit struct {
	name    string // "(*Cart).Total" is Cart.Total
	in      [2]bool
	own     bool // its source differs
	through map[string]bool
	from    [2]*declaration
	symbols [2][]samecode.Symbol
}

// assigner gives what differs to the functions of the source.
type assigner struct {
	sources [2]map[string]*source     // by the paths that the linker knows
	names   map[string]string         // of packages, by their paths
	units   map[samecode.Symbol]*unit // by their names
	changed map[samecode.Symbol]bool  // variables, constants and types whose source differs, by import path
	differs map[samecode.Symbol]bool  // names whose source differs, or that of what they use, by import path
	start   *samecode.Start
}

// Changed finds the functions that differ between two builds.
func Changed(d *samecode.Differences, binaries [2]samecode.Binary) *Change {
	a := &assigner{names: map[string]string{}, units: map[samecode.Symbol]*unit{}, changed: map[samecode.Symbol]bool{}}
	a.read(binaries)
	a.start = d.Start(a.filled)
	generates := binaries[1].IsTest() // what go test generates names all tests
	functions := slices.DeleteFunc(slices.Clone(d.Functions), func(f samecode.Function) bool {
		return f.Package == samecode.MainPath && (generates || ofProbe(f.Symbol))
	})
	for _, f := range functions {
		a.assign(f)
	}
	a.initialised(d)
	for _, f := range functions {
		a.explain(f)
	}
	c := a.change()
	c.Table.Hidden, c.start = d.Hidden, a.start
	return c
}

// read reads the source of the packages that differ.
func (a *assigner) read(binaries [2]samecode.Binary) {
	var all [2]map[string]samecode.Package
	for side, b := range binaries {
		all[side] = map[string]samecode.Package{}
		for _, p := range b.Packages {
			all[side][p.Path] = p
			a.names[p.Path], a.names[p.Import] = p.Name, p.Name
		}
	}
	for side := range all {
		a.sources[side] = map[string]*source{}
		for path, p := range all[side] {
			if !p.Standard && p.Content != all[1-side][path].Content {
				a.sources[side][path] = readSource(p, a.names)
			}
		}
	}
	for path, b := range a.sources[1] {
		before := a.sources[0][path]
		for name, d := range b.others {
			if before != nil && (before.others[name] == nil || before.others[name].text != d.text) {
				a.changed[samecode.Symbol{Package: b.Import, Name: name}] = true
			}
		}
	}
}

// place finds the unit of a compiled function. What the compiler has made, as a promoted method, is one without a
// declaration.
func (a *assigner) place(s samecode.Symbol) *unit {
	name, _ := declared(s.Name, func(name string) bool {
		return a.declaration(0, s.Package, name) != nil || a.declaration(1, s.Package, name) != nil
	})
	key := samecode.Symbol{Package: s.Package, Name: name}
	u := a.units[key]
	if u == nil {
		u = &unit{name: name, through: map[string]bool{},
			from: [2]*declaration{a.declaration(0, s.Package, name), a.declaration(1, s.Package, name)}}
		u.own = u.from[0] == nil || u.from[1] == nil || u.from[0].text != u.from[1].text
		a.units[key] = u
	}
	return u
}

func (a *assigner) declaration(side int, path, name string) *declaration {
	if s := a.sources[side][path]; s != nil {
		return s.functions[name]
	}
	return nil
}

// assign gives a compiled function to its unit.
func (a *assigner) assign(f samecode.Function) {
	u := a.place(f.Symbol)
	for side, in := range f.In {
		if in {
			u.in[side], u.symbols[side] = true, append(u.symbols[side], f.Symbol)
		}
	}
}

// ofProbe says that a function is one of those that hone adds to package main, which use nothing of the program's.
func ofProbe(s samecode.Symbol) bool { return strings.HasPrefix(s.Name, "honeProbe") }

// initialised has the functions differ that use variables which may hold something else after the start.
func (a *assigner) initialised(d *samecode.Differences) {
	variables := a.start.Variables
	for _, v := range d.Initialised {
		if a.start.Why == "" {
			break
		}
		if changed := a.changedVariables(v.Package); len(changed) == 0 || changed[v.Name] || a.changesInit(v.Package) {
			variables = append(variables, v)
		}
	}
	for user, used := range d.Users(variables) {
		if user.IsInit() || ofProbe(user) {
			continue
		}
		u := a.place(user)
		u.in = [2]bool{true, true}
		for side := range u.symbols {
			u.symbols[side] = append(u.symbols[side], user)
		}
		for _, v := range used {
			u.through[a.names[v.Package]+"."+v.Name] = true
		}
	}
}

// changedVariables are the variables of a package whose source differs: if there are some, the others are filled as
// before.
func (a *assigner) changedVariables(path string) map[string]bool {
	found := map[string]bool{}
	if b := a.sources[1][path]; b != nil {
		for name, d := range b.others {
			if d.isVar && a.changed[samecode.Symbol{Package: b.Import, Name: name}] {
				found[name] = true
			}
		}
	}
	return found
}

// changesInit says whether a function init of a package differs.
func (a *assigner) changesInit(path string) bool {
	for key := range a.units {
		if key.Package == path && strings.HasPrefix(key.Name, initialiser+".") {
			return true
		}
	}
	return false
}

// explain says through what a unit differs.
func (a *assigner) explain(f samecode.Function) {
	u := a.place(f.Symbol)
	if u.name == initialiser {
		for name := range a.changedVariables(f.Package) {
			u.through[a.names[f.Package]+"."+name] = true
		}
	}
	for _, s := range f.Data {
		name := s.Name
		if s.Package != "" {
			name = a.names[s.Package] + "." + name
		}
		u.through[readable(name)] = true
	}
	for _, s := range f.Inlined {
		if other := a.place(s); other != u && other.own && other.in != [2]bool{} {
			u.through[a.title(s.Package, other)] = true
		}
	}
	for _, d := range u.from {
		if d == nil {
			continue
		}
		for _, used := range d.uses {
			if a.changed[used] {
				u.through[a.names[used.Package]+"."+used.Name] = true
			}
		}
	}
}

// onlyStarts says that all of a unit runs before main, and is known to fill variables only.
func (a *assigner) onlyStarts(u *unit) bool {
	if a.start.Why != "" {
		return false
	}
	for side, all := range u.symbols {
		for _, s := range all {
			if !a.start.Functions[side][s] {
				return false
			}
		}
	}
	return true
}

// title is the name of a unit as Go users write it.
func (a *assigner) title(path string, u *unit) string {
	name := u.name
	for _, d := range u.from {
		if d != nil {
			name = d.title
		}
	}
	if path == "" {
		return name
	}
	return a.names[path] + "." + name
}

// sides are the names of the sides.
var sides = [2]string{"A", "B"}

// change lists the units.
func (a *assigner) change() *Change {
	c := &Change{}
	keys := make([]samecode.Symbol, 0, len(a.units))
	for key := range a.units {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, samecode.Symbol.Compare)
	for _, key := range keys {
		u := a.units[key]
		f, differs := a.function(key, u)
		if !differs {
			continue
		}
		where := code{symbols: u.symbols, starts: a.onlyStarts(u)}
		for side, d := range u.from {
			if d != nil && u.in[side] {
				where.places[side], where.files[side] = d.place, a.sources[side][key.Package].Import+"/"+d.place.File
			}
		}
		if u.own && u.from[1] != nil {
			where.changed = changedLines(u.from[0], u.from[1])
		}
		c.Table.Functions, c.codes = append(c.Table.Functions, f), append(c.codes, where)
	}
	return c
}

// function is one row of the table. A method that the compiler has made of another one differs with that.
func (a *assigner) function(key samecode.Symbol, u *unit) (f Function, differs bool) {
	f = Function{Name: a.title(key.Package, u), Package: key.Package}
	if u.in == [2]bool{} {
		return f, false
	}
	d := u.from[1]
	if d == nil || !u.in[1] {
		d = u.from[0]
	}
	for side, name := range sides {
		if s := a.sources[side][key.Package]; s != nil {
			f.Package = s.Import
		}
		if u.in[side] && !u.in[1-side] {
			f.Only = name
		}
	}
	switch {
	case u.name == initialiser || a.onlyStarts(u):
		f.Executed = []Kind{Start}
	case d == nil:
		f.Uncounted = "made by the compiler"
		if len(u.through) > 0 && f.Only == "" {
			return f, false
		}
	case !d.hasBody:
		f.Uncounted = "assembly"
	case d.isMoved:
		f.Uncounted = "its lines are those of another file"
	case strings.HasSuffix(d.place.File, "_test.go"):
		f.Uncounted = "in a test file"
	}
	if d != nil {
		f.Place = d.place
	}
	if !u.own || u.name == initialiser {
		for name := range u.through {
			f.Through = append(f.Through, name)
		}
		slices.Sort(f.Through)
		if len(f.Through) == 0 && u.name != initialiser {
			f.Through = []string{"what is compiled into it"}
		}
	}
	return f, true
}
