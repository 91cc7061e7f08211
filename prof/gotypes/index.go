package gotypes

import (
	"debug/dwarf"
	"reflect"
	"strings"
)

// Attributes of Go: GOROOT/src/cmd/internal/dwarf/dwarf.go.
const (
	attrKind          dwarf.Attr = 0x2900
	attrElem          dwarf.Attr = 0x2902
	attrRuntimeType   dwarf.Attr = 0x2904
	attrClosureOffset dwarf.Attr = 0x2907
)

// function is where DWARF describes a function.
type function struct {
	at, unit dwarf.Offset
	name     string
	origin   dwarf.Offset // has the name, if that is empty
}

// span is a range of addresses, both ends included; none if high is 0.
type span struct{ low, high uint64 }

func (s *span) add(at uint64) {
	if s.high == 0 {
		s.low = at
	}
	s.low, s.high = min(s.low, at), max(s.high, at)
}

func (s *span) has(at uint64) bool { return at >= s.low && at <= s.high }

// index notes where the global variables, functions and types of the runtime are described.
func (p *Program) index() error {
	byAddress := map[uint64]int{}
	for i, g := range p.Globals {
		byAddress[g.Address] = i
	}
	var unit dwarf.Offset
	r := p.data.Reader()
	for {
		e, err := r.Next()
		if p.reads--; err != nil || e == nil {
			p.sortGlobals()
			p.typeGlobals()
			return err
		}
		switch e.Tag {
		case dwarf.TagCompileUnit:
			unit = e.Offset
			if name, _ := e.Val(dwarf.AttrName).(string); len(name) <= longestName {
				p.units[name] = unit
			}
			continue
		case dwarf.TagVariable:
			p.addGlobal(e, byAddress)
		case dwarf.TagSubprogram:
			p.addFunction(e, unit)
		default:
			if name, _ := e.Val(dwarf.AttrName).(string); e.Tag == dwarf.TagStructType && isTrie(name, entry) {
				plain := strings.ReplaceAll(name, "go.shape.", "") // Go 1.27 may have that of the shape alone
				if _, known := p.trieEntries[plain]; !known || plain == name {
					p.trieEntries[plain] = e.Offset
				}
			}
			if at, ok := e.Val(attrRuntimeType).(uint64); ok && at > 0 {
				p.runtime[p.typesBase+at] = e.Offset
				p.described.add(p.typesBase + at)
			}
		}
		if e.Children {
			p.skipChildren(r) // not by the offset of the next, which may lead back
		}
	}
}

func (p *Program) addFunction(e *dwarf.Entry, unit dwarf.Offset) {
	name, _ := e.Val(dwarf.AttrName).(string)
	if len(name) > longestName {
		return
	}
	if _, known := p.methods[name]; !known && strings.Count(name, ".") > 1 {
		p.methods[name] = e.Offset
	}
	low, ok := e.Val(dwarf.AttrLowpc).(uint64)
	if !ok {
		return // it was inlined: this describes what all its places have in common
	}
	origin, _ := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
	p.functions[low] = function{at: e.Offset, unit: unit, name: name, origin: origin}
	p.code.add(low)
}

func (p *Program) addGlobal(e *dwarf.Entry, byAddress map[uint64]int) {
	location, _ := e.Val(dwarf.AttrLocation).([]byte)
	at, _ := e.Val(dwarf.AttrType).(dwarf.Offset)
	name, _ := e.Val(dwarf.AttrName).(string)
	if len(location) != 1+int(p.ptr) || location[0] != 0x03 { // DW_OP_addr
		return
	}
	address := p.word(location[1:])
	i, known := byAddress[address]
	if !known {
		i = len(p.Globals)
		p.Globals = append(p.Globals, Global{Address: address})
		byAddress[address] = i
	}
	p.Globals[i].Name, p.Globals[i].at = cut(name), at
}

func (p *Program) typeGlobals() {
	for i := range p.Globals {
		if g := &p.Globals[i]; g.at != 0 {
			if g.Type = p.typeAt(g.at); g.Type != nil {
				g.Size = max(g.Size, g.Type.Size)
			}
		}
	}
}

// Runtime is the type whose description the runtime has at an address; nil if it is not known.
func (p *Program) Runtime(address uint64) *Type {
	if !p.IsRuntime(address) {
		return nil
	}
	return p.typeAt(p.runtime[address])
}

// IsRuntime says whether Runtime knows a type there.
func (p *Program) IsRuntime(address uint64) bool {
	if !p.described.has(address) {
		return false
	}
	_, ok := p.runtime[address]
	return ok
}

// Named is the type of a name that the program refers to, such as runtime.g; nil if there is none.
func (p *Program) Named(name string) *Type {
	for _, g := range p.Globals {
		for _, t := range []*Type{g.Type, elemOf(g.Type), elemOf(elemOf(g.Type))} {
			if t != nil && t.Name == name && t.Kind != reflect.Invalid {
				return t
			}
		}
	}
	return nil
}

func elemOf(t *Type) *Type {
	if t == nil {
		return nil
	}
	return t.Elem
}
