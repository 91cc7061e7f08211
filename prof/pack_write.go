package prof

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/gohone/hone/prof/internal/calltree"
	"github.com/gohone/hone/prof/symbol"
)

// pack grows the tree and writes it in columns.
func (p *packer) pack() *Packed {
	g := calltree.Grower[packedCost]{
		Frames: p.frames, Names: make([]int, len(p.names)), Counted: true,
		Room: &calltree.Room{Left: cmp.Or(p.options.MaxNodes, DefaultNodes)},
	}
	root, dropped := g.Grow(p.threads, 0)
	w := &packedWriter{packer: p, out: &Packed{Dropped: dropped, Types: p.types(), Strings: []string{}, NameOf: []int{},
		FileOf: []int{}, PackageOf: []int{}}, functions: map[Place]int{}, texts: map[string]int{}}
	w.out.Self = make([][]int64, len(w.out.Types))
	w.write(root, 0)
	w.out.Inlined, w.out.OriginOf = w.inlined.String(), w.origins.String()
	return w.out
}

func (p *packer) types() []PackedType {
	var types []PackedType
	kind, err := KindNamed(p.capture.Kind)
	for i, t := range p.capture.Profile.SampleType {
		one := PackedType{Name: valid(t.Type), Unit: valid(t.Unit), Default: i == p.first}
		if err == nil {
			known, err := kind.SampleType(t.Type)
			one.Accumulates = err == nil && known.Accumulates
		}
		types = append(types, one)
	}
	return types
}

// packedWriter writes a tree in columns.
type packedWriter struct {
	*packer
	out              *Packed
	functions        map[Place]int // places without their line
	texts            map[string]int
	inlined, origins strings.Builder
}

func (w *packedWriter) write(at *calltree.Grown[packedCost], depth int) {
	o := w.out
	line, inlined := 0, byte('0')
	if at.Place >= 0 {
		line = int(w.names[at.Place].Line)
	}
	if at.Inlined && at.Place >= 0 {
		inlined = '1'
	}
	o.Depth = append(o.Depth, depth)
	o.Function = append(o.Function, w.function(at.Place))
	o.Line = append(o.Line, line)
	w.inlined.WriteByte(inlined)
	self := at.Cost // with what was left out of its children
	for _, c := range at.Children {
		for i := range self {
			self[i] -= c.Cost[i]
		}
	}
	for i := range o.Types {
		o.Self[i] = append(o.Self[i], self[w.column(i)])
	}
	if w.blames {
		o.Blamed = append(o.Blamed, self[mostTypes])
	}
	for _, c := range at.Children {
		w.write(c, depth+1)
	}
}

// function is the number of the function of a place; -1 is the root's.
func (w *packedWriter) function(place int32) int {
	if place < 0 {
		return -1
	}
	at := w.names[place]
	at.Line, at.Address = 0, 0
	n, known := w.functions[at]
	if known {
		return n
	}
	n = len(w.functions)
	w.functions[at] = n
	o := w.out
	o.NameOf, o.FileOf, o.PackageOf = append(o.NameOf, w.text(at.Function)), append(o.FileOf, w.text(at.File)),
		append(o.PackageOf, w.text(symbol.PackagePath(at.Function)))
	w.origins.WriteByte(w.origin(at.Function))
	return n
}

// origin is the letter of Packed.OriginOf.
func (w *packedWriter) origin(function string) byte {
	if function == BlamedFrame || symbol.CollectorOf([]symbol.Frame{{Function: function}}) != symbol.NotCollector {
		return 'k'
	}
	if symbol.CFunction(function) != "" || strings.HasPrefix(function, "[") || strings.HasPrefix(function, "<") {
		return 'o'
	}
	switch w.options.Code.Origin(function) {
	case Own:
		return 'u'
	case Dependency:
		return 'd'
	case Standard:
		return 's'
	}
	return 'r'
}

func (w *packedWriter) text(s string) int {
	s = valid(s)
	n, known := w.texts[s]
	if !known {
		n = len(w.out.Strings)
		w.texts[s] = n
		w.out.Strings = append(w.out.Strings, s)
	}
	return n
}

// valid is a text in UTF-8, as JSON has it.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\ufffd")
}
