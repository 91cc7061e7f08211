package samecode

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/objfile"
)

// Symbol is a name as the linker knows it, in two parts: (*Cart).Total or Total.func1 of a package.
type Symbol struct{ Package, Name string }

// Compare orders symbols by their packages, then by their names.
func (s Symbol) Compare(o Symbol) int {
	return cmp.Or(strings.Compare(s.Package, o.Package), strings.Compare(s.Name, o.Name))
}

// IsInit says that a function runs before main, and fills variables.
func (s Symbol) IsInit() bool {
	return s.Name == "init" || strings.HasPrefix(s.Name, "init.") || strings.HasPrefix(s.Name, "map.init.")
}

// Function is a compiled function that is not the same in both builds.
type Function struct {
	Symbol
	// In says which of A and B have it.
	In [2]bool
	// Inlined are the functions whose code it holds as well, on either side.
	Inlined []Symbol
	// Data are variables, types and other data that it refers to, and that differ.
	Data []Symbol
}

// Differences are what differs between two builds.
type Differences struct {
	Functions []Function
	// Initialised are the variables that functions which differ, and run before main, refer to.
	Initialised []Symbol
	// Hidden is what differs where hone does not see functions, in words.
	Hidden []string

	differ *differ
}

// Differences links the binaries of A and B on paper, and compares each function by itself: its instructions, and the
// data that it refers to. Of the functions that it calls only the names count. An error says what hone does not
// understand: then nothing is known.
func (a *Archives) Differences(t *objfile.Toolchain, binaries [2]Binary) (*Differences, error) {
	d := &Differences{}
	if binaries[0].Settings != binaries[1].Settings {
		d.Hidden = append(d.Hidden, "settings of GODEBUG, which go.mod chooses")
	}
	packages := [2][]Package{binaries[0].Packages, binaries[1].Packages}
	if sameContents(packages) {
		return d, nil
	}
	m, err := marksOf(t)
	if err != nil {
		return nil, err
	}
	programs, err := a.link(packages, t, &m)
	if err != nil {
		return nil, err
	}
	d.differ = &differ{a: programs[0], b: programs[1], marks: &m, same: map[pair]bool{}}
	if err := d.findHidden(); err != nil {
		return nil, err
	}
	d.findFunctions()
	return d, nil
}

// findHidden finds what no function shows.
func (d *Differences) findHidden() error {
	a, b := d.differ.a, d.differ.b
	for _, o := range b.objects {
		switch {
		case o.twin != nil:
		case o.standard && a.byPath[escaped(o.path)] != nil:
			return errors.New("the library of Go is compiled differently for A and B")
		case o.foreign:
			d.Hidden = append(d.Hidden, "C code of "+o.path)
		}
	}
	slices.Sort(d.Hidden)
	d.Hidden = slices.Compact(d.Hidden)
	if size := a.scanned(d.differ.marks) - b.scanned(d.differ.marks); size > mostScanned || -size > mostScanned {
		d.Hidden = append(d.Hidden, "the size of all variables")
	}
	return nil
}

// findFunctions compares all functions by their names. Functions of Go's library that only one side has are called by
// code that differs.
func (d *Differences) findFunctions() {
	a, b := d.differ.a, d.differ.b
	variables := map[Symbol]bool{}
	add := func(name symbolName, in [2]bool, data []Symbol) {
		f := Function{Symbol: b.split(name.name), In: in, Data: data}
		for side, p := range []*program{a, b} {
			if n := p.names[name]; in[side] {
				f.Inlined = append(f.Inlined, p.inlined(n)...)
				if f.IsInit() {
					maps.Copy(variables, p.variables(d.differ.marks, n))
				}
			}
		}
		slices.SortFunc(f.Inlined, Symbol.Compare)
		f.Inlined = slices.Compact(f.Inlined)
		d.Functions = append(d.Functions, f)
	}
	same := d.differ.renumbered()
	for name, n := range b.functions(d.differ.marks) {
		if same[1][name] {
			continue
		}
		if other, ok := a.names[name]; !ok || same[0][name] {
			if !b.isStandard(name) {
				add(name, [2]bool{false, true}, nil)
			} else if !strings.Contains(name.name, "[") { // not an instance of a generic one
				d.Hidden = append(d.Hidden, "a function of Go's library: "+name.name)
			}
		} else if same, data := d.differ.function(pair{other, n}); !same || len(data) > 0 {
			add(name, [2]bool{true, true}, data)
		}
	}
	for name := range a.functions(d.differ.marks) {
		if _, ok := b.names[name]; (!ok || same[1][name]) && !same[0][name] && !a.isStandard(name) {
			add(name, [2]bool{true, false}, nil)
		}
	}
	slices.SortFunc(d.Functions, func(x, y Function) int { return x.Compare(y.Symbol) })
	d.Initialised = slices.SortedFunc(maps.Keys(variables), Symbol.Compare)
}

// Users are the functions that refer to one of some variables, on either side.
func (d *Differences) Users(variables []Symbol) map[Symbol][]Symbol {
	users := map[Symbol][]Symbol{}
	if d.differ == nil || len(variables) == 0 {
		return users
	}
	for _, p := range []*program{d.differ.a, d.differ.b} {
		for name, n := range p.functions(d.differ.marks) {
			user := p.split(name.name)
			for v := range p.variables(d.differ.marks, n) {
				if slices.Contains(variables, v) && !slices.Contains(users[user], v) {
					users[user] = append(users[user], v)
				}
			}
		}
	}
	for _, all := range users {
		slices.SortFunc(all, Symbol.Compare)
	}
	return users
}

// functions are the functions outside of Go's library, by their names, but for those that the compiler has made for
// itself.
func (p *program) functions(m *marks) map[symbolName]node {
	found := map[symbolName]node{}
	for name, n := range p.names {
		if o, i := p.at(n); !o.standard && m.text[o.Symbol(i).Kind] && !ofCompiler(name.name) {
			found[name] = n
		}
	}
	return found
}

// variables are those outside of Go's library that a function refers to, by their names.
func (p *program) variables(m *marks, n node) map[Symbol]bool {
	found := map[Symbol]bool{}
	o, i := p.at(n)
	relocs := o.Relocs(i)
	for k := range relocs.Len() {
		t := p.resolve(o, relocs.At(k).Ref)
		if t.node == none || p.nameless(t) || !m.variable[p.symbol(t.node).Kind] || p.owner[t.node].standard {
			continue
		}
		if name := p.nameOf(t); !strings.Contains(name, "..") {
			found[p.split(name)] = true
		}
	}
	return found
}

// inlined are the functions whose code stands in a function.
func (p *program) inlined(n node) (all []Symbol) {
	o, i := p.at(n)
	for _, aux := range o.Aux(i) {
		if aux.Type != objfile.AuxFuncInfo {
			continue
		}
		for _, ref := range objfile.Inlined(p.data(p.resolve(o, aux.Ref))) {
			if name := p.nameOf(p.resolve(o, ref)); name != "" {
				all = append(all, p.split(name))
			}
		}
	}
	return all
}

// isStandard says whether a function is of Go's library by its name: a user's package may have a generic one of it.
func (p *program) isStandard(name symbolName) bool {
	o := p.byPath[escaped(p.split(name.name).Package)]
	return o != nil && o.standard
}

// split divides a name at the dot after its package, in which go writes the dots of the last element as %2e. What the
// compiler has made for itself, as type:.eq.T, has no package.
func (p *program) split(name string) Symbol {
	head := name
	if i := strings.IndexAny(name, "[("); i >= 0 {
		head = name[:i]
	}
	slash := strings.LastIndexByte(head, '/')
	dot := strings.IndexByte(head[slash+1:], '.')
	if dot < 0 || ofCompiler(name) {
		return Symbol{"", name}
	}
	path := head[:slash+1+dot]
	if o := p.byPath[path]; o != nil {
		path = o.path
	}
	return Symbol{path, name[slash+dot+2:]}
}

// ofCompiler says that a name is one that the compiler has made for itself: type:.eq.T, go:itab.T,I.
func ofCompiler(name string) bool {
	return strings.HasPrefix(name, "type:") || strings.HasPrefix(name, "go:")
}
