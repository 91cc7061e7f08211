package samecode

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/objfile"
)

// program is what one build is linked from. A node is a symbol of it.
type program struct {
	builtins []objfile.Builtin
	objects  []*object
	byPath   map[string]*object // the Go files of each package
	names    map[symbolName]node
	again    map[node][]node // further definitions of a name
	owner    []*object       // by node
	iface    []bool          // by node: some object says that it puts values of this type into interfaces
	tables   map[node]bool   // of go test, see findTables
}

type node int32

const none node = -1

// symbolName is what the linker knows a symbol by.
type symbolName struct {
	name string
	abi  uint16
}

// object is an object file in a program.
type object struct {
	*objfile.Object
	path     string // of its package
	first    node   // its symbol 0
	packages []*object
	named    []node  // what its symbols that are known by name mean, from firstNamed on
	twin     *object // of the other side, where both archives have the same content
	foreign  bool    // not all of it is known
	standard bool
}

func (o *object) firstNamed() int { return o.Symbols() - len(o.named) }

// meant is what the linker takes for a symbol of the object: of a name that several packages define that may be another
// one.
func (o *object) meant(symbol int) node {
	if first := o.firstNamed(); symbol >= first {
		return o.named[symbol-first]
	}
	return o.first + node(symbol)
}

// link makes a program of archives. debug are the kinds of symbols that only debuggers read.
func link(packages []Package, archives []*objfile.Archive, builtins []objfile.Builtin, debug map[uint8]bool) *program {
	p := &program{builtins: builtins, byPath: map[string]*object{}, names: map[symbolName]node{},
		again: map[node][]node{}}
	for i, a := range archives {
		for j, one := range a.Objects {
			o := &object{Object: one, path: packages[i].Path, first: node(len(p.owner)), foreign: a.Foreign,
				standard: packages[i].Standard}
			if p.objects = append(p.objects, o); j == 0 {
				p.byPath[escaped(o.path)] = o
			}
			for range o.Defined() {
				p.owner = append(p.owner, o)
			}
		}
	}
	p.iface = make([]bool, len(p.owner))
	p.sort()
	for _, own := range []bool{true, false} { // a package's own symbols win
		for _, o := range p.objects {
			p.define(o, own, debug)
		}
	}
	for _, o := range p.objects {
		p.connect(o)
	}
	for _, o := range p.objects {
		o.RefFlags(func(r objfile.Ref, _, flag2 uint8) {
			if t := p.resolve(o, r); t.node != none && flag2&objfile.Flag2UsedInIface != 0 {
				p.iface[t.node] = true
			}
		})
	}
	return p
}

// sort puts the objects into the order in which the linker loads them (ld.loadlib): the main package, then what is
// imported, level by level, and last what nothing imports, as the runtime of small programs.
func (p *program) sort() {
	of := map[string][]*object{}
	for _, o := range p.objects {
		path := escaped(o.path)
		of[path] = append(of[path], o)
	}
	var sorted []*object
	load := func(path string) {
		sorted = append(sorted, of[path]...)
		delete(of, path)
	}
	load("main")
	for i := 0; i < len(sorted); i++ {
		for _, path := range sorted[i].Imports {
			load(escaped(path))
		}
	}
	for _, path := range slices.Sorted(maps.Keys(of)) {
		load(path)
	}
	p.objects = sorted
}

// define puts the names of an object's symbols into the list: its own, or those that are known by their name.
func (p *program) define(o *object, own bool, debug map[uint8]bool) {
	for i := range o.Defined() {
		if o.Own(i) != own || o.Hashed(i) {
			continue
		}
		s := o.Symbol(i)
		if s.ABI == objfile.StaticABI || len(s.Name) == 0 || debug[s.Kind] {
			continue
		}
		n, name := o.first+node(i), symbolName{string(s.Name), s.ABI}
		known, twice := p.names[name]
		if !twice {
			p.names[name] = n
			continue
		}
		// The larger one counts, and one with a content, and of two that are as large the first (loader.addSym of
		// cmd/link).
		switch rank := p.rank(n) - p.rank(known); {
		case rank == 0:
			p.again[known] = append(p.again[known], n)
		case rank > 0:
			p.names[name] = n
			delete(p.again, known)
		}
	}
}

// rank orders the definitions of a name.
func (p *program) rank(n node) int {
	o, i := p.at(n)
	rank := int(o.Symbol(i).Size)
	if len(o.Data(i)) > 0 {
		rank += 1 << 32
	}
	return rank
}

// connect finds what the names and the packages of an object mean.
func (p *program) connect(o *object) {
	for _, path := range o.Packages {
		o.packages = append(o.packages, p.byPath[path])
	}
	first := o.Symbols()
	for first > 0 && o.Named(first-1) {
		first--
	}
	for i := first; i < o.Symbols(); i++ {
		s := o.Symbol(i)
		n := none
		if i < o.Defined() {
			n = o.first + node(i)
		}
		if s.ABI != objfile.StaticABI {
			if known, ok := p.named(string(s.Name), s.ABI); ok {
				n = known
			}
		}
		o.named = append(o.named, n)
	}
}

// named is the definition of a name. Where there is none of this ABI it is the one of the other.
func (p *program) named(name string, abi uint16) (node, bool) {
	for _, abi := range []uint16{abi, 1 - abi&1} {
		if n, ok := p.names[symbolName{name, abi}]; ok {
			return n, true
		}
	}
	return none, false
}

// at is the object of a node, and the symbol's number in it.
func (p *program) at(n node) (*object, int) {
	o := p.owner[n]
	return o, int(n - o.first)
}

func (p *program) symbol(n node) objfile.Symbol {
	o, i := p.at(n)
	return o.Symbol(i)
}

// target is what a reference means: a node, or the name of what the packages do not define.
type target struct {
	node    node
	name    string
	unknown bool
}

func (p *program) resolve(o *object, r objfile.Ref) target {
	switch t := o.Resolve(r); t.Kind {
	case objfile.Nothing:
		return target{node: none}
	case objfile.Predefined:
		if t.Symbol < len(p.builtins) {
			b := p.builtins[t.Symbol]
			if n, ok := p.named(b.Name, b.ABI); ok {
				return target{node: n}
			}
			return target{node: none, name: b.Name}
		}
	case objfile.There:
		if other := o.packages[t.Package]; other != nil && t.Symbol < other.Defined() && other.Own(t.Symbol) {
			return target{node: other.first + node(t.Symbol)}
		}
	case objfile.Here:
		if n := o.meant(t.Symbol); n != none {
			return target{node: n}
		}
		return target{node: none, name: string(o.Symbol(t.Symbol).Name)}
	}
	return target{node: none, unknown: true}
}

// nameOf is a target in words.
func (p *program) nameOf(t target) string {
	if t.node == none {
		return t.name
	}
	return string(p.symbol(t.node).Name)
}

// alike says whether two definitions of a name are the same, so that it does not matter which one the linker takes.
// assumed are those that are looked at already.
func (p *program) alike(m, n node, assumed map[pair]bool) bool {
	if assumed[pair{m, n}] {
		return true
	}
	assumed[pair{m, n}] = true
	a, i := p.at(m)
	b, j := p.at(n)
	if !objfile.SameContent(a.Object, i, b.Object, j) {
		return false
	}
	ra, rb := a.Relocs(i), b.Relocs(j)
	if ra.Len() != rb.Len() {
		return false
	}
	for k := range ra.Len() {
		x, y := ra.At(k), rb.At(k)
		to, or := p.resolve(a, x.Ref), p.resolve(b, y.Ref)
		x.Ref, y.Ref = objfile.Ref{}, objfile.Ref{}
		if x != y || to != or && !(p.nameless(to) && p.nameless(or) && p.alike(to.node, or.node, assumed)) {
			return false
		}
	}
	return true
}

// nameless says that a target is known by its content, or by a name in its object only.
func (p *program) nameless(t target) bool {
	if t.node == none {
		return false
	}
	o, i := p.at(t.node)
	s := o.Symbol(i)
	return o.Hashed(i) || s.ABI == objfile.StaticABI || len(s.Name) == 0
}

// escaped is how objects write the path of a package (objabi.PathToPrefix).
func escaped(path string) string {
	slash := strings.LastIndexByte(path, '/')
	b := &strings.Builder{}
	for i := range len(path) {
		if c := path[i]; c <= ' ' || c == '.' && i > slash || c == '%' || c == '"' || c >= 0x7f {
			fmt.Fprintf(b, "%%%02x", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
