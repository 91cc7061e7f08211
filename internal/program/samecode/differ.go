package samecode

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/gohone/hone/internal/program/objfile"
)

// differ compares symbols of A with symbols of B, each by itself.
type differ struct {
	a, b *program
	*marks
	same map[pair]bool // data and nameless functions that are known to be the same, or not
}

// comparison is of one function: a pair that is compared already is taken for the same until something differs.
type comparison struct {
	*differ
	assumed map[pair]bool
}

// function says whether two functions have the same instructions, which lead to functions of the same names; and which
// data that they refer to differ.
func (d *differ) function(p pair) (same bool, data []Symbol) {
	c := &comparison{d, map[pair]bool{}}
	same = c.code(p, &data)
	if same && len(data) == 0 {
		for p := range c.assumed {
			d.same[p] = true
		}
	}
	return same, data
}

// code compares two functions, and adds the data that differ, if same says nothing else does.
func (c *comparison) code(p pair, data *[]Symbol) bool {
	oa, i := c.a.at(p.a)
	ob, j := c.b.at(p.b)
	if !objfile.SameContent(oa.Object, i, ob.Object, j) {
		return false
	}
	return c.relocs(p, data) && c.auxiliary(p)
}

// relocs compares what two symbols refer to.
func (c *comparison) relocs(p pair, data *[]Symbol) bool {
	oa, i := c.a.at(p.a)
	ob, j := c.b.at(p.b)
	ra, rb := oa.Relocs(i), ob.Relocs(j)
	for x, y := 0, 0; ; x, y = x+1, y+1 {
		x, y = c.next(ra, x), c.next(rb, y)
		if x == ra.Len() || y == rb.Len() {
			return x == ra.Len() && y == rb.Len()
		}
		a, b := ra.At(x), rb.At(y)
		if a.Offset != b.Offset || a.Size != b.Size || a.Type != b.Type || a.Add != b.Add {
			return false
		}
		to := [2]target{c.a.resolve(oa, a.Ref), c.b.resolve(ob, b.Ref)}
		if to[0].unknown || to[1].unknown {
			return false
		}
		if c.weakAddress(b.Type) || c.onlyMarks(b.Type) {
			if alias(c.a.nameOf(to[0])) != alias(c.b.nameOf(to[1])) {
				return false
			}
			continue
		}
		if !c.target(to, data) {
			return false
		}
	}
}

// onlyMarks says that a relocation keeps something in the program, and leads nowhere: methods, and what the linker is
// to know.
func (m *marks) onlyMarks(typ uint16) bool {
	return typ == m.methodOff || typ == m.useIface || typ == m.useIfaceMethod || typ == m.useNamedMethod
}

// target compares what two references mean: functions by their names, data by what they hold.
func (c *comparison) target(to [2]target, data *[]Symbol) bool {
	nameA, nameB := c.a.nameOf(to[0]), c.b.nameOf(to[1])
	if to[0].node == none || to[1].node == none {
		return to[0].node == to[1].node && nameA == nameB
	}
	p := pair{to[0].node, to[1].node}
	isCode := c.text[c.a.symbol(p.a).Kind]
	if isCode != c.text[c.b.symbol(p.b).Kind] {
		return false
	}
	nameless := c.a.nameless(to[0]) && c.b.nameless(to[1])
	if !nameless && alias(nameA) != alias(nameB) {
		return false
	}
	if isCode && !nameless && nameA == nameB && !ofCompiler(nameB) {
		return true // compared by itself
	}
	if c.alike(p, isCode) {
		return true
	}
	if data == nil || nameless || isCode && !ofCompiler(nameB) {
		return false
	}
	if s := c.b.split(nameB); !slices.Contains(*data, s) {
		*data = append(*data, s)
	}
	return true
}

// alike says whether data, or functions that have no name of their own, are the same with all that they refer to.
func (c *comparison) alike(p pair, isCode bool) bool {
	if known, ok := c.same[p]; ok {
		return known
	}
	if c.assumed[p] {
		return true
	}
	c.assumed[p] = true
	oa, i := c.a.at(p.a)
	ob, j := c.b.at(p.b)
	same := false
	if s, t := oa.Symbol(i), ob.Symbol(j); isCode {
		same = c.code(p, nil)
	} else {
		same = s.Kind == t.Kind && s.Size == t.Size && bytes.Equal(oa.Data(i), ob.Data(j)) && c.relocs(p, nil)
	}
	if !same {
		c.same[p] = false
	}
	return same
}

// auxiliary compares where the pointers of functions are, and how large their frames.
func (c *comparison) auxiliary(p pair) bool {
	oa, i := c.a.at(p.a)
	ob, j := c.b.at(p.b)
	as, bs := runtimeAux(oa.Aux(i)), runtimeAux(ob.Aux(j))
	if len(as) != len(bs) {
		return false
	}
	for k, b := range bs {
		a := as[k]
		to := [2]target{c.a.resolve(oa, a.Ref), c.b.resolve(ob, b.Ref)}
		switch {
		case a.Type != b.Type:
			return false
		case b.Type == objfile.AuxFuncInfo, b.Type == objfile.AuxPCSP, b.Type == objfile.AuxPCData:
			if !bytes.Equal(leading(c.a.data(to[0]), b.Type), leading(c.b.data(to[1]), b.Type)) {
				return false
			}
		case !c.target(to, nil):
			return false
		}
	}
	return true
}

// numbered are the names that the compiler counts in a package: literals of functions and of data.
var numbered = regexp.MustCompile(`\.(\.stmp_|func|gowrap|deferwrap|dwrap)[0-9]+`)

// alias is a name without such numbers: another literal before it changes them.
func alias(name string) string { return numbered.ReplaceAllString(name, ".$1") }
