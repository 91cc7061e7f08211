package havlak

// findLoops collects the loop of each header, inner headers before outer ones, which is
// what the reverse order of the search gives. In this order the descendants of a node are
// done before it, so that f.last is right for the node at hand and for those done.
func (f *final) findLoops() {
	f.entryFrom, f.entryNext = f.entryFrom[:0], f.entryNext[:0]
	last, parent, kind, around := f.last, f.parent, f.kind, f.around
	for w := f.size - 1; w >= 0; w-- {
		around[w] = None
		if kind[w] != 0 {
			f.loopAt(w)
		}
		if up := parent[w]; up != None && last[up] < last[w] {
			last[up] = last[w]
		}
	}
}

// loopAt collects the loop whose header is w, if it is one: a descendant, or w itself,
// leads to it.
func (f *final) loopAt(w int32) {
	last, self := f.last[w], false
	body := f.list[:0]
	for _, from := range f.cameFrom(w) {
		switch v := f.number[from]; {
		case v == w:
			self = true
		case w < v && v <= last: // unreached is greater than last
			if x := f.find(v); f.taken[x] != w {
				f.taken[x] = w
				body = append(body, x)
			}
		}
	}
	if len(body) == 0 && !self {
		return
	}
	f.kind[w], f.entries[w] = kindHeader, None
	for _, x := range f.grow(w, body) {
		f.set[x], f.around[x] = w, w
	}
}

// cameFrom is the names of those nodes that have an edge to w.
func (f *final) cameFrom(w int32) []int32 {
	name := f.name[w]
	return f.inFrom[f.inStart[name]:f.inStart[name+1]]
}

// grow adds to the body of w's loop whatever leads to it without leaving w's descendants. A
// loop inside counts as one node, its header.
func (f *final) grow(w int32, body []int32) []int32 {
	number, taken := f.number, f.taken
	taken[w] = w // the header is not part of its body
	for i := 0; i < len(body); i++ {
		x := body[i]
		for _, from := range f.cameFrom(x) {
			y := number[from]
			if y == unreached {
				continue
			}
			if y = f.find(y); taken[y] != w {
				body = f.takeInto(w, body, y)
			}
		}
		if f.kind[x]&kindIrreducible == 0 {
			continue
		}
		for e := f.entries[x]; e != None; e = f.entryNext[e] {
			if y := f.find(f.entryFrom[e]); taken[y] != w {
				body = f.takeInto(w, body, y)
			}
		}
	}
	return body
}

// takeInto takes y, the representative of a set from which control goes to w's loop: into the
// body, or if it is not a descendant of w as an entry. An entry makes the loop irreducible,
// and leads to whatever loop is around, too.
func (f *final) takeInto(w int32, body []int32, y int32) []int32 {
	f.taken[y] = w
	if w <= y && y <= f.last[w] {
		return append(body, y)
	}
	f.kind[w] |= kindIrreducible
	f.entryFrom = append(f.entryFrom, y)
	f.entryNext = append(f.entryNext, f.entries[w])
	f.entries[w] = int32(len(f.entryFrom) - 1)
	return body
}

// find returns the representative of x's set and halves the way there: each node on it
// is hung below its grandparent (van der Weide and van Leeuwen; Tarjan and van Leeuwen,
// "Worst-case analysis of set union algorithms", 1984).
func (f *final) find(x int32) int32 {
	set := f.set
	for set[x] != x {
		set[x] = set[set[x]]
		x = set[x]
	}
	return x
}

func (f *final) Forest() Forest {
	named := func(w int32) int32 {
		if w == None {
			return None
		}
		return f.name[w]
	}
	return newForest(len(f.number), func(v int32) int32 {
		switch w := f.number[v]; {
		case w == unreached:
			return None
		case f.kind[w]&kindHeader != 0:
			return v
		default:
			return named(f.around[w])
		}
	}, func(h int32) found {
		w := f.number[h]
		return found{named(f.around[w]), f.kind[w]&kindIrreducible != 0}
	})
}
