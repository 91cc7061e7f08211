package gotypes

import (
	"cmp"
	"debug/dwarf"
	"reflect"
	"slices"
	"strings"
)

// outermost is the level of what is a part of nothing, before refer goes one deeper.
const outermost = -1

const (
	// mostNames is how many names in a row lead to a type: one in Go's DWARF.
	mostNames = 8
	// longestField is the longest name of a field that is kept whole.
	longestField = 1 << 8
)

// typeReader is what is known of the types that were read so far.
type typeReader struct {
	types    map[dwarf.Offset]*Type
	pending  []unread
	pointers []*Type // atomic ones that are new
	tries    []*Type // inner nodes that are new
	level    int     // of the type that is read now
}

// typeAt reads the type that DWARF describes at an offset, with all that it refers to; nil if it is damaged.
func (p *Program) typeAt(at dwarf.Offset) *Type {
	p.level = outermost
	t := p.refer(at)
	var withHeaders, read []*Type
	for len(p.pending) > 0 {
		next := p.pending[len(p.pending)-1]
		p.pending = p.pending[:len(p.pending)-1]
		if p.level = next.level; p.level > mostContained {
			p.refuse("%d types are parts of each other", p.level)
			p.pending = nil
			break
		}
		p.fill(next.Type, next.at)
		read = append(read, next.Type)
		if k := next.Kind; k == reflect.Map || k == reflect.Chan {
			withHeaders = append(withHeaders, next.Type)
		}
	}
	for _, t := range read {
		p.contain(t, 0)
	}
	for _, t := range withHeaders {
		p.giveRoles(t)
	}
	for _, t := range p.pointers {
		typePointer(t)
	}
	for _, t := range p.tries {
		typeChildren(t)
	}
	p.pointers, p.tries = nil, nil
	return t
}

// unread is a type that is referred to and not read yet: types refer to each other in circles.
type unread struct {
	*Type
	at dwarf.Offset
	// level is how many types it is a part of, each a part of the next.
	level int
}

// refer returns the type at an offset, which typeAt fills. A name has the type that it stands for.
func (p *Program) refer(at dwarf.Offset) *Type {
	if t, ok := p.types[at]; ok {
		return t
	}
	first := at
	for range mostNames {
		r := p.data.Reader()
		r.Seek(at)
		e := p.next(r)
		if e == nil {
			break
		}
		kind, _ := e.Val(attrKind).(int64)
		if k := reflect.Kind(kind); e.Tag == dwarf.TagTypedef && k != reflect.Map && k != reflect.Chan &&
			k != reflect.Interface {
			at, _ = e.Val(dwarf.AttrType).(dwarf.Offset)
			continue
		}
		t, ok := p.types[at]
		if !ok {
			t = &Type{}
			p.types[at] = t
			p.pending = append(p.pending, unread{t, at, p.level + 1})
		}
		p.types[first] = t
		return t
	}
	p.types[first] = nil
	return nil
}

func (p *Program) fill(t *Type, at dwarf.Offset) {
	r := p.data.Reader()
	r.Seek(at)
	e := p.next(r)
	if e == nil {
		return
	}
	kind, _ := e.Val(attrKind).(int64)
	under, _ := e.Val(dwarf.AttrType).(dwarf.Offset)
	t.Kind = reflect.Kind(kind)
	name, _ := e.Val(dwarf.AttrName).(string)
	t.Name = cut(name)
	if size, ok := e.Val(dwarf.AttrByteSize).(int64); ok && size >= 0 {
		t.Size = uint64(size)
	}
	switch e.Tag {
	case dwarf.TagTypedef:
		p.level = outermost
		p.fillTypedef(t, e, under)
	case dwarf.TagPointerType:
		p.level = outermost
		t.Size = p.ptr
		if t.Kind = reflect.UnsafePointer; under != 0 {
			t.Kind, t.Elem = reflect.Pointer, p.refer(under)
		}
	case dwarf.TagSubroutineType:
		t.Kind, t.Size = reflect.Func, p.ptr
	case dwarf.TagArrayType:
		t.Kind, t.Elem = reflect.Array, p.refer(under)
	case dwarf.TagStructType:
		p.fillStruct(t, e, r)
	}
}

// fillTypedef reads what Go describes under a name only: maps, channels, interfaces.
func (p *Program) fillTypedef(t *Type, e *dwarf.Entry, under dwarf.Offset) {
	if t.Kind == reflect.Interface {
		t.Size = 2 * p.ptr
		return
	}
	t.Size = p.ptr
	if elem, ok := e.Val(attrElem).(dwarf.Offset); ok {
		t.Elem = p.refer(elem)
	}
	t.Header = p.refer(under) // a pointer to it, until giveRoles
}

func (p *Program) fillStruct(t *Type, e *dwarf.Entry, r *dwarf.Reader) {
	switch t.Kind {
	case reflect.String:
		return
	case reflect.Slice:
		p.level = outermost
		if elem, ok := e.Val(attrElem).(dwarf.Offset); ok {
			t.Elem = p.refer(elem)
		}
		return
	}
	t.Kind = reflect.Struct
	for e.Children {
		m := p.next(r)
		if m == nil || m.Tag == 0 {
			break
		}
		name, _ := m.Val(dwarf.AttrName).(string)
		offset, _ := m.Val(dwarf.AttrDataMemberLoc).(int64)
		if at, ok := m.Val(dwarf.AttrType).(dwarf.Offset); ok && m.Tag == dwarf.TagMember && offset >= 0 {
			name = name[strings.LastIndexByte(name, '.')+1:]
			t.Fields = append(t.Fields, Field{Name: name[:min(len(name), longestField)], Offset: uint64(offset),
				Type: p.refer(at)})
		}
		if m.Children {
			p.skipChildren(r)
		}
	}
	slices.SortStableFunc(t.Fields, func(a, b Field) int { return cmp.Compare(a.Offset, b.Offset) })
	switch {
	case strings.HasPrefix(t.Name, "sync/atomic.Pointer["):
		p.pointers = append(p.pointers, t)
	case strings.HasPrefix(strings.TrimPrefix(t.Name, "noalg."), "map.group["):
		t.Role = Entries
	case t.Name == "sync.Map" && t.Named("m") != nil, t.Name == "sync.Pool":
		t.Role = Opaque
	case strings.HasPrefix(t.Name, "unique.Handle["):
		t.Role = Handle
	case isTrie(t.Name, inner) && t.Named("children") != nil:
		if at, ok := p.trieEntries[strings.Replace(t.Name, inner, entry, 1)]; ok {
			p.level = outermost
			t.Role, t.Elem = Trie, p.refer(at)
			p.tries = append(p.tries, t)
		}
	case isTrie(t.Name, entry):
		t.Role = TrieEntry
	}
}

// inner and entry are in the names of the nodes of a hash trie.
const inner, entry = ".indirect[", ".entry["

// isTrie says whether a type is a node of a hash trie of the standard library: that of sync.Map, or of package unique.
func isTrie(name, node string) bool {
	pkg, _, ok := strings.Cut(name, node)
	return ok && (pkg == "internal/sync" || pkg == "internal/concurrent" || pkg == "unique")
}

// typeChildren gives the children of an inner node its own type: their declared one says only whether they are entries.
func typeChildren(t *Type) {
	child := elemOf(t.Named("children").Type) // sync/atomic.Pointer
	if child == nil || len(child.Fields) == 0 {
		return
	}
	if v := child.Fields[len(child.Fields)-1].Type; v != nil && v.Kind == reflect.Pointer {
		v.Elem = t
	}
}

// typePointer gives a sync/atomic.Pointer[T] the type *T: it has an empty array of that, and an unsafe.Pointer without
// a name of use to the reader.
func typePointer(t *Type) {
	for i := range t.Fields {
		array, v := t.Fields[i].Type, &t.Fields[len(t.Fields)-1]
		if array != nil && array.Kind == reflect.Array && array.Size == 0 && array.Elem != nil &&
			array.Elem.Kind == reflect.Pointer {
			v.Name, v.Type = "", array.Elem
			return
		}
	}
}

// giveRoles marks the structs to which a map or a channel leads.
func (p *Program) giveRoles(t *Type) {
	if t.Header = elemOf(t.Header); t.Header != nil && t.Header.Kind != reflect.Struct {
		t.Header = nil
	}
	if t.Header != nil {
		t.Header.Name = t.Name
	}
	if t.Kind == reflect.Map {
		giveMapRoles(t.Header)
		p.UnknownMaps = p.UnknownMaps || t.Header == nil || t.Header.Role == Plain
	} else if t.Header != nil {
		t.Header.Role, t.Header.Elem = Channel, t.Elem
	}
}

// giveMapRoles marks the structs of a map by the names of their fields. Those of a layout that is not known stay plain,
// and their pointers are followed as such.
func giveMapRoles(header *Type) {
	if header == nil || header.Role != Plain {
		return
	}
	if dir := header.Named("dirPtr"); dir != nil && header.Named("dirLen") != nil {
		table := elemOf(elemOf(dir.Type))
		if table == nil || table.Named("groups") == nil {
			return
		}
		header.Role, table.Role = SwissMap, Table
		header.Elem = table
		if data := table.Named("groups").Type.Named("data"); data != nil && elemOf(data.Type) != nil {
			elemOf(data.Type).Role = Entries
			table.Elem = elemOf(data.Type)
		}
		return
	}
	if buckets := header.Named("buckets"); buckets != nil && elemOf(buckets.Type) != nil {
		header.Role = HashMap
		elemOf(buckets.Type).Role = Entries
	}
}

// Named is the field of a name; nil if there is none.
func (t *Type) Named(name string) *Field {
	if t == nil {
		return nil
	}
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return &t.Fields[i]
		}
	}
	return nil
}
