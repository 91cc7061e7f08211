package samecode

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/gohone/hone/internal/program/objfile"
)

// walk goes through what is reached in both programs at once. Each symbol of A meets one of B, and no other: two
// variables are not one. What the linker keeps by its rules for methods is reached, and more: what fills maps before
// main, whether or not the map is used.
type walk struct {
	a, b *program
	*marks
	files fileTexts

	ofA, ofB []node // by node of the other side
	matched  []node // of B, in the order in which they were reached
	iface    []bool // by node of B: values of the type are put into interfaces
	todo     []pair
	methods  []method        // of such types, which nothing has called so far
	called   map[string]bool // methods called through interfaces: name and type
	looked   map[string]bool // methods looked for by name
	reflects bool            // methods are looked for by names that are not known
	why      string          // what differs; "" if nothing does so far

	// Where what differs before main is left out: functions, functions of which a part is, and what they fill.
	skipped, parts, filled map[node]bool
}

// pair is a symbol of A and one of B.
type pair struct{ a, b node }

// method is one of the methods that the description of a type refers to: its type, and its function in two forms.
type method struct {
	name, typ string
	parts     [3][2]target // of A and B
}

func newWalk(a, b *program, m *marks, files fileTexts) *walk {
	w := &walk{a: a, b: b, marks: m, files: files, ofA: make([]node, len(b.owner)), ofB: make([]node, len(a.owner)),
		iface: slices.Clone(b.iface), called: map[string]bool{}, looked: map[string]bool{}}
	for _, nodes := range [][]node{w.ofA, w.ofB} {
		for i := range nodes {
			nodes[i] = none
		}
	}
	return w
}

// clone is a walk that goes on from here by itself.
func (w *walk) clone() *walk {
	c := *w
	c.ofA, c.ofB, c.iface = slices.Clone(w.ofA), slices.Clone(w.ofB), slices.Clone(w.iface)
	c.matched = slices.Clip(w.matched)
	c.methods, c.called, c.looked = slices.Clone(w.methods), maps.Clone(w.called), maps.Clone(w.looked)
	return &c
}

// stop ends the walk.
func (w *walk) stop(what string) { w.why = what }

// start has a symbol of both sides reached.
func (w *walk) start(a, b node) { w.match(target{node: a}, target{node: b}) }

// match takes two targets for the same thing. They are, if their contents turn out to be.
func (w *walk) match(a, b target) {
	switch {
	case a.unknown || b.unknown:
		w.stop("a reference that hone cannot follow")
	case a.node == none || b.node == none:
		if a != b {
			w.stop(w.b.nameOf(b))
		}
	case w.a.tables[a.node] && w.b.tables[b.node]: // they lead to all benchmarks
	case w.skipped[b.node]:
	case w.ofA[b.node] == a.node:
	case w.ofA[b.node] == none && w.ofB[a.node] == none:
		w.ofA[b.node], w.ofB[a.node], w.matched = a.node, b.node, append(w.matched, b.node)
		w.todo = append(w.todo, pair{a.node, b.node})
	case w.hashed(a.node, b.node): // one content may stand in several packages
		w.todo = append(w.todo, pair{a.node, b.node})
	default:
		w.stop(w.b.nameOf(b))
	}
}

func (w *walk) hashed(a, b node) bool {
	oa, i := w.a.at(a)
	ob, j := w.b.at(b)
	return oa.Hashed(i) && ob.Hashed(j)
}

// run goes on until nothing more is reached, and says whether all of it is the same.
func (w *walk) run() bool {
	for w.why == "" {
		for len(w.todo) > 0 && w.why == "" {
			last := len(w.todo) - 1
			p := w.todo[last]
			w.todo = w.todo[:last]
			w.visit(p)
		}
		waiting := w.methods[:0]
		for _, m := range w.methods {
			if !w.callable(m) {
				waiting = append(waiting, m)
				continue
			}
			for _, part := range m.parts {
				w.match(part[0], part[1])
			}
		}
		if w.methods = waiting; len(w.todo) == 0 {
			break
		}
	}
	return w.why == ""
}

// callable says whether something that is reached may call a method without its name.
func (w *walk) callable(m method) bool {
	first, _ := utf8.DecodeRuneInString(m.name)
	return w.called[m.name+" "+m.typ] || w.looked[m.name] || w.reflects && unicode.IsUpper(first)
}

// visit compares two symbols, and has what they refer to reached.
func (w *walk) visit(p pair) {
	oa, i := w.a.at(p.a)
	ob, j := w.b.at(p.b)
	if same := oa.twin == ob && i == j; !same && !objfile.SameContent(oa.Object, i, ob.Object, j) {
		w.stop(w.b.nameOf(target{node: p.b}))
		return
	}
	s := ob.Symbol(j)
	if !ob.standard && bytes.HasPrefix(s.Name, []byte(textSymbol)) && w.files.in(ob.Data(j)) {
		w.stop("a file that is named: " + string(s.Name))
		return
	}
	w.reflects = w.reflects || s.Flag&objfile.FlagReflectMethod != 0
	isType := s.Flag&objfile.FlagGoType != 0
	puts := isType && (w.iface[p.b] || w.a.iface[p.a] || s.Flag2&objfile.Flag2UsedInIface != 0)
	for _, step := range []func(){func() { w.others(p) }, func() { w.relocs(p, puts) }, func() { w.auxiliary(p) }} {
		if w.why == "" {
			step()
		}
	}
}

// others has all definitions of the name of a symbol compared, where there are several and they differ: that the linker
// takes the first of the largest, as its sources say, is not all that hone relies on.
func (w *walk) others(p pair) {
	certain := true
	for _, side := range []struct {
		*program
		node
	}{{w.a, p.a}, {w.b, p.b}} {
		if isGoType(side.program, target{node: side.node}) { // a type has one description
			continue
		}
		for _, other := range side.again[side.node] {
			certain = certain && side.alike(side.node, other, map[pair]bool{})
		}
	}
	if certain {
		return
	}
	as, bs := w.a.again[p.a], w.b.again[p.b]
	if len(as) != len(bs) {
		w.stop(w.b.nameOf(target{node: p.b}))
		return
	}
	for i := range bs {
		w.start(as[i], bs[i])
	}
}

// relocs compares the relocations of two symbols.
func (w *walk) relocs(p pair, puts bool) {
	oa, i := w.a.at(p.a)
	ob, j := w.b.at(p.b)
	ra, rb := oa.Relocs(i), ob.Relocs(j)
	for x, y := 0, 0; w.why == ""; x, y = x+1, y+1 {
		x, y = w.next(ra, x), w.next(rb, y)
		if x == ra.Len() && y == rb.Len() {
			return
		}
		if x == ra.Len() || y == rb.Len() {
			w.stop(w.b.nameOf(target{node: p.b}))
			return
		}
		a, b := ra.At(x), rb.At(y)
		to := [2]target{w.a.resolve(oa, a.Ref), w.b.resolve(ob, b.Ref)}
		if a.Offset != b.Offset || a.Size != b.Size || a.Type != b.Type || a.Add != b.Add {
			w.stop(w.b.nameOf(target{node: p.b}))
			return
		}
		switch {
		case w.parts[p.b] && to[1].node != none && w.filled[to[1].node]:
		case w.weakAddress(b.Type):
			w.sameName(to)
		case b.Type == w.methodOff:
			if x+2 >= ra.Len() || y+2 >= rb.Len() {
				w.stop("methods of a type that hone cannot read")
				return
			}
			w.method(p, x, y, puts)
			x, y = x+2, y+2
		case b.Type == w.useIface:
			w.putsType(to)
		case b.Type == w.useIfaceMethod:
			w.calls(to, int32(b.Add))
		case b.Type == w.useNamedMethod:
			if w.match(to[0], to[1]); w.why == "" && to[1].node != none {
				o, at := w.b.at(to[1].node)
				w.looked[string(o.Data(at))] = true
			}
		default:
			if puts && isGoType(w.b, to[1]) {
				w.puts(to)
			}
			w.match(to[0], to[1])
		}
	}
}

// next is the first relocation, from one on, that is not for debuggers or the order of initialisation, which is known.
func (m *marks) next(r objfile.Relocs, i int) int {
	for ; i < r.Len(); i++ {
		if t := r.At(i).Type; t != m.useType && t != m.initOrder {
			break
		}
	}
	return i
}

// sameName wants two targets that are not reached by this reference to have one name.
func (w *walk) sameName(to [2]target) bool {
	if to[0].unknown || to[1].unknown || w.a.nameOf(to[0]) != w.b.nameOf(to[1]) {
		w.stop(w.b.nameOf(to[1]))
		return false
	}
	return true
}

func isGoType(p *program, t target) bool {
	return t.node != none && p.symbol(t.node).Flag&objfile.FlagGoType != 0
}

// puts notes that values of a type are put into interfaces. A type that was reached before is visited again.
func (w *walk) puts(to [2]target) {
	if !w.sameName(to) || to[1].node == none || w.iface[to[1].node] {
		return
	}
	n := to[1].node
	if w.iface[n] = true; w.ofA[n] != none {
		w.todo = append(w.todo, pair{w.ofA[n], n})
	}
}

// putsType is puts for the target of a mark: a type, or a table of methods, which names its types.
func (w *walk) putsType(to [2]target) {
	if !w.sameName(to) || to[1].node == none || to[0].node == none {
		return
	}
	if isGoType(w.b, to[1]) {
		w.puts(to)
		return
	}
	oa, i := w.a.at(to[0].node)
	ob, j := w.b.at(to[1].node)
	ra, rb := oa.Relocs(i), ob.Relocs(j)
	if ob.Symbol(j).Flag2&objfile.Flag2Itab == 0 || ra.Len() != rb.Len() {
		w.stop(w.b.nameOf(to[1]))
		return
	}
	for k := range rb.Len() {
		if t := w.b.resolve(ob, rb.At(k).Ref); isGoType(w.b, t) {
			w.puts([2]target{w.a.resolve(oa, ra.At(k).Ref), t})
		}
	}
}

// calls notes a call of the method that the description of an interface has at an offset.
func (w *walk) calls(to [2]target, offset int32) {
	if !w.sameName(to) {
		return
	}
	var names, types [2]string
	for side, p := range []*program{w.a, w.b} {
		var ok bool
		if names[side], types[side], ok = p.methodAt(to[side].node, offset); !ok {
			w.stop("a method of an interface that hone cannot read")
			return
		}
	}
	if names[0] != names[1] || types[0] != types[1] {
		w.stop(w.b.nameOf(to[1]))
		return
	}
	w.called[names[1]+" "+types[1]] = true
}

// method keeps a method of a type until something calls it. x and y are the relocations of its type, on A and on B;
// those of its function come after it.
func (w *walk) method(p pair, x, y int, puts bool) {
	oa, i := w.a.at(p.a)
	ob, j := w.b.at(p.b)
	ra, rb := oa.Relocs(i), ob.Relocs(j)
	m := method{}
	for k := range m.parts {
		m.parts[k] = [2]target{w.a.resolve(oa, ra.At(x+k).Ref), w.b.resolve(ob, rb.At(y+k).Ref)}
		if !w.sameName(m.parts[k]) {
			return
		}
	}
	if !puts {
		return
	}
	const nameBefore = 4 // bytes: abi.Method has the name before the type
	var ok bool
	if m.name, m.typ, ok = w.b.methodAt(p.b, rb.At(y).Offset-nameBefore); !ok {
		w.stop("a method of a type that hone cannot read")
		return
	}
	w.puts(m.parts[0])
	w.methods = append(w.methods, m)
}

// methodAt is the name and the type of a method in the description of a type: two references that follow each other.
func (p *program) methodAt(n node, offset int32) (name, typ string, ok bool) {
	if n == none {
		return "", "", false
	}
	o, i := p.at(n)
	relocs := o.Relocs(i)
	for k := range relocs.Len() {
		switch r := relocs.At(k); r.Offset {
		case offset:
			name = p.nameIn(p.resolve(o, r.Ref))
		case offset + 4:
			if t := p.resolve(o, r.Ref); isGoType(p, t) {
				typ = p.nameOf(t)
			}
		}
	}
	return name, typ, name != "" && typ != ""
}

// nameIn reads a name as descriptions of types have it: flags, its length, its bytes (internal/abi.Name).
func (p *program) nameIn(t target) string {
	if t.node == none || !bytes.HasPrefix(p.symbol(t.node).Name, []byte("type:.namedata.")) {
		return ""
	}
	o, i := p.at(t.node)
	data := o.Data(i)
	if len(data) == 0 {
		return ""
	}
	length, n := binary.Uvarint(data[1:])
	if n <= 0 || length > uint64(len(data)-1-n) {
		return ""
	}
	return string(data[1+n : 1+n+int(length)])
}

// funcInfoSize is the size of the part of a function's description that is compared: the sizes of its arguments and
// variables, its kind and its flags (goobj.FuncInfo). Places in the source come after it.
const funcInfoSize = 4 + 4 + 1 + 1

// auxiliary compares what belongs to two symbols: where pointers are, for the collector and for copies of the stack.
// Lines, files and what debuggers read are not compared.
func (w *walk) auxiliary(p pair) {
	oa, i := w.a.at(p.a)
	ob, j := w.b.at(p.b)
	as, bs := runtimeAux(oa.Aux(i)), runtimeAux(ob.Aux(j))
	if len(as) != len(bs) {
		w.stop(w.b.nameOf(target{node: p.b}))
		return
	}
	for k, b := range bs {
		to := [2]target{w.a.resolve(oa, as[k].Ref), w.b.resolve(ob, b.Ref)}
		if as[k].Type != b.Type {
			w.stop(w.b.nameOf(target{node: p.b}))
			return
		}
		if b.Type == objfile.AuxPCData && ob.path != oa.path && bytes.HasPrefix(ob.Symbol(j).Name, []byte("type:.")) {
			// a comparison of values is the same in each package; only in that of the runtime it cannot be preempted
			continue
		}
		switch b.Type {
		case objfile.AuxFuncInfo, objfile.AuxPCSP, objfile.AuxPCData:
			if da, db := w.a.data(to[0]), w.b.data(to[1]); !bytes.Equal(leading(da, b.Type), leading(db, b.Type)) {
				w.stop(w.b.nameOf(target{node: p.b}))
				return
			}
		default:
			w.match(to[0], to[1])
		}
	}
}

// runtimeAux are those that the runtime reads, or the linker for it.
func runtimeAux(all []objfile.Aux) []objfile.Aux {
	return slices.DeleteFunc(all, func(a objfile.Aux) bool {
		switch a.Type {
		case objfile.AuxDwarfInfo, objfile.AuxDwarfLoc, objfile.AuxDwarfRanges, objfile.AuxDwarfLines,
			objfile.AuxPCFile, objfile.AuxPCLine, objfile.AuxPCInline:
			return true
		}
		return false
	})
}

func (p *program) data(t target) []byte {
	if t.node == none {
		return nil
	}
	o, i := p.at(t.node)
	return o.Data(i)
}

// leading is the part of an auxiliary symbol that counts.
func leading(data []byte, t objfile.AuxType) []byte {
	if t == objfile.AuxFuncInfo {
		return data[:min(len(data), funcInfoSize)]
	}
	return data
}
