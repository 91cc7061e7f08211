package gotypes

import (
	"cmp"
	"debug/dwarf"
	"reflect"
	"slices"
	"strings"
)

// Local is a variable of a function, or a part of one, that is in its frame.
type Local struct {
	Name string
	Type *Type
	// Frame is where it begins, in bytes from the end of the frame (the canonical frame address): under 0.
	Frame int64
	// Offset is where that is in the variable, Size how much of it is there, in bytes.
	Offset, Size uint64
	Line         int
}

// Locals are the variables that are in the frame of a function while it is at pc, by their place; addresses are those
// of the program's file.
func (p *Program) Locals(entry, pc uint64) (all []Local) {
	f, ok := p.functions[entry]
	if !ok {
		return nil
	}
	unit := p.unitAt(f.unit)
	p.eachVariable(f.at, func(e, about *dwarf.Entry) {
		at, ok := about.Val(dwarf.AttrType).(dwarf.Offset)
		if !ok {
			return
		}
		name, _ := about.Val(dwarf.AttrName).(string)
		line, _ := about.Val(dwarf.AttrDeclLine).(int64)
		t := p.typeAt(at)
		for _, place := range p.places(p.location(e, unit, pc), t) {
			all = append(all, Local{Name: strings.TrimPrefix(name, "&"), Type: t, Frame: place.frame,
				Offset: place.offset, Size: place.size, Line: int(line)})
		}
	})
	slices.SortStableFunc(all, func(a, b Local) int { return cmp.Compare(a.Frame, b.Frame) })
	return all
}

// Closure is the struct of a function value whose code is at an address: its captured variables. It is nil if there are
// none.
func (p *Program) Closure(entry uint64) *Type {
	if t, ok := p.closures[entry]; ok {
		return t
	}
	f, ok := p.functions[entry]
	if !ok {
		return nil
	}
	f.name = p.nameOf(f)
	t := &Type{Name: f.name, Kind: reflect.Struct, Role: Closure}
	p.eachVariable(f.at, func(_, e *dwarf.Entry) {
		offset, captured := e.Val(attrClosureOffset).(int64)
		at, typed := e.Val(dwarf.AttrType).(dwarf.Offset)
		if !captured || !typed || offset < 0 {
			return
		}
		name, _ := e.Val(dwarf.AttrName).(string)
		t.Fields = append(t.Fields, Field{Name: strings.TrimLeft(name, "&."), Offset: uint64(offset),
			Type: p.typeAt(at)})
	})
	slices.SortStableFunc(t.Fields, func(a, b Field) int { return cmp.Compare(a.Offset, b.Offset) })
	if method, ok := strings.CutSuffix(f.name, "-fm"); ok && len(t.Fields) == 0 {
		t.Fields = p.receiver(method)
	}
	for _, f := range t.Fields {
		if f.Type != nil {
			t.Size = max(t.Size, f.Offset+f.Type.Size)
		}
	}
	if len(t.Fields) == 0 {
		t = nil
	}
	p.closures[entry] = t
	return t
}

// receiver is what a method value captures: the receiver, which is the first parameter of the method.
func (p *Program) receiver(method string) (fields []Field) {
	if at, ok := p.methods[method]; ok {
		p.eachVariable(at, func(_, e *dwarf.Entry) {
			if at, ok := e.Val(dwarf.AttrType).(dwarf.Offset); ok && len(fields) == 0 &&
				e.Tag == dwarf.TagFormalParameter {
				fields = []Field{{Name: "receiver", Offset: p.ptr, Type: p.typeAt(at)}}
			}
		})
	}
	return fields
}

// nameOf is the name of a function, also of one that was inlined somewhere.
func (p *Program) nameOf(f function) string {
	if f.name == "" && f.origin != 0 {
		if e := p.entryAt(f.origin); e != nil {
			f.name, _ = e.Val(dwarf.AttrName).(string)
		}
	}
	return f.name
}

// IsFunction says whether a function begins at an address.
func (p *Program) IsFunction(address uint64) bool {
	if !p.code.has(address) {
		return false
	}
	_, ok := p.functions[address]
	return ok
}

// eachVariable calls do for the variables and parameters of a function, with those of the functions that were inlined
// into it. about has the name and the type, e the place; they differ where a function was inlined somewhere.
func (p *Program) eachVariable(function dwarf.Offset, do func(e, about *dwarf.Entry)) {
	r := p.data.Reader()
	r.Seek(function)
	depth := 0
	for {
		e := p.next(r)
		if e == nil {
			return
		}
		switch {
		case e.Tag == 0:
			depth--
		case e.Tag == dwarf.TagVariable || e.Tag == dwarf.TagFormalParameter:
			about := e
			if origin, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset); ok {
				about = p.entryAt(origin)
			}
			if about != nil {
				do(e, about)
			}
		}
		if e.Children {
			depth++
		}
		if depth <= 0 {
			return
		}
	}
}
