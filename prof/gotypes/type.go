package gotypes

import (
	"reflect"
	"sort"
	"strings"
)

// Type is a type of the program.
type Type struct {
	// Name is as in source, with import paths: "map[string]*example.com/shop.Item".
	Name string
	Kind reflect.Kind
	// Size is in bytes.
	Size uint64
	// Elem is that of a pointer, slice, array, channel or map; nil of unsafe.Pointer.
	Elem *Type
	// Fields are those of a struct, in the order of their offsets.
	Fields []Field
	// Header is the struct of the runtime to which a map or a channel points.
	Header *Type
	// Role says what of a map or a channel a struct of the runtime is.
	Role Role

	depth containment
}

// Field is a field of a struct, or a captured variable of a closure.
type Field struct {
	Name   string
	Offset uint64
	Type   *Type
}

// Role is what a struct is for the runtime.
type Role uint8

const (
	// Plain is a type of the program.
	Plain Role = iota
	// SwissMap is internal/runtime/maps.Map (Go 1.24 and later). Its dirPtr leads to a group if its dirLen is 0, else
	// to tables.
	SwissMap
	// Table is one hash table of a SwissMap.
	Table
	// Entries has keys and values: a group of a SwissMap, or a bucket of the maps before Go 1.24.
	Entries
	// HashMap is runtime.hmap (before Go 1.24).
	HashMap
	// Channel is runtime.hchan.
	Channel
	// Closure is a function value: the address of the code, then captured variables.
	Closure
	// Trie is an inner node of a hash trie (internal/sync.indirect of Go 1.24 and later). Its children are inner nodes,
	// too, or entries: those begin with a true bool. Elem is the type of an entry.
	Trie
	// TrieEntry has a key and a value.
	TrieEntry
	// Opaque is sync.Map, if it is a hash trie, and sync.Pool: what is in it belongs to it, not to its fields.
	Opaque
	// Handle is unique.Handle: what refers to a value is the handle, not its field.
	Handle
)

// Slot is what stands at an offset of a type.
type Slot struct {
	// Path names it from the type on: "stats.latest", "[].body"; empty if the type has no parts.
	Path string
	// Type has no parts: it is not a struct and not an array. nil if the type has nothing there.
	Type *Type
	// Offset is that of the byte in Type.
	Offset uint64
	// In is the opaque struct that has the place, at which the path ends; nil if there is none.
	In *Type
}

// Shown is the type at which the path ends.
func (s Slot) Shown() *Type {
	if s.In != nil {
		return s.In
	}
	return s.Type
}

// At says what stands at an offset.
func (t *Type) At(offset uint64) Slot {
	path := ""
	for t != nil {
		if t.Role == Opaque || t.Role == Handle {
			in := *t
			in.Role = Plain
			slot := in.At(offset)
			slot.Path, slot.In = path, t
			return slot
		}
		switch {
		case t.Kind == reflect.Array && t.Elem != nil && t.Elem.Size > 0 && offset < t.Size:
			path += "[]"
			offset %= t.Elem.Size
			t = t.Elem
		case t.Kind == reflect.Struct:
			f := t.field(offset)
			if f == nil {
				return Slot{Path: path}
			}
			if f.Name != "" {
				path = strings.TrimPrefix(path+"."+f.Name, ".")
			}
			offset -= f.Offset
			t = f.Type
		case offset < t.Size:
			return Slot{Path: path, Type: t, Offset: offset}
		default:
			return Slot{Path: path}
		}
	}
	return Slot{Path: path}
}

// field is the field at an offset, which may be larger than those before it say.
func (t *Type) field(offset uint64) *Field {
	i := sort.Search(len(t.Fields), func(i int) bool { return t.Fields[i].Offset > offset })
	for i--; i >= 0; i-- { // fields without a size share the offset of the next
		if f := &t.Fields[i]; f.Type != nil && f.Type.Size > 0 {
			if offset-f.Offset < f.Type.Size {
				return f
			}
			return nil
		}
	}
	return nil
}

// Short writes the name for people: packages without their path, byte instead of uint8, any instead of interface {}.
func (t *Type) Short() string {
	if t == nil {
		return "unknown"
	}
	return Short(t.Name)
}

// shapes are words that the compiler uses.
var shapes = strings.NewReplacer("interface {}", "any", "go.shape.", "")

// Short writes a name of the program without the paths of packages: "map[string]*shop.Item".
func Short(name string) string {
	var out strings.Builder
	start := 0 // of the word that may be a path
	for i := range len(name) {
		switch c := name[i]; {
		case c == '/':
			start = i + 1
		case strings.IndexByte("[]*(){} ,;<>", c) >= 0:
			out.WriteString(plain(name[start:i]))
			out.WriteByte(c)
			start = i + 1
		}
	}
	out.WriteString(plain(name[start:]))
	return shapes.Replace(out.String())
}

func plain(word string) string {
	if word == "uint8" {
		return "byte"
	}
	return word
}
