package gotypes

import "reflect"

const (
	// mostContained is how many types may lie in each other, each a part of the next: those that people write have some
	// ten.
	mostContained = 256
	// readsPerByte is how many entries are read for each byte of DWARF, leastReads how many at least: a type is read a
	// few times, the variables of a function once for each place where a goroutine waits in it.
	readsPerByte, leastReads = 4, 1 << 20
)

// containment is how deep the parts of a type lie in each other.
type containment int

const (
	unknownDepth containment = 0
	beingFound   containment = -1
)

// contain finds out how deep the parts of a type lie in each other. A type that contains itself, or too many others,
// loses the part, so that all loops over the parts of types end.
func (p *Program) contain(t *Type, level int) (ok bool) {
	switch {
	case t == nil:
		return true
	case t.depth == beingFound:
		p.refuse("the type %s contains itself", t.Short())
		return false
	case level+int(t.depth) > mostContained:
		p.refuse("the type %s is one of more than %d types in each other", t.Short(), mostContained)
		return false
	case t.depth != unknownDepth:
		return true
	}
	t.depth = beingFound
	deepest := containment(0)
	part := func(of **Type) {
		if !p.contain(*of, level+1) {
			*of = nil
		} else if *of != nil {
			deepest = max(deepest, (*of).depth)
		}
	}
	if t.Kind == reflect.Array {
		part(&t.Elem)
	}
	for i := range t.Fields {
		part(&t.Fields[i].Type)
	}
	t.depth = deepest + 1
	return true
}

// cut is a name up to a length that none has.
func cut(name string) string { return name[:min(len(name), longestName)] }
