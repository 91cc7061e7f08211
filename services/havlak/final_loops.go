package havlak

// findLoops collects the loop of each header, inner headers before outer ones, which is
// what the reverse order of the search gives.
func (f *final) findLoops() {
	size := f.size
	for v := range size {
		f.set[v] = v
		f.taken[v], f.around[v], f.extraHead[v] = None, None, None
	}
	f.extraFrom, f.extraNext = f.extraFrom[:0], f.extraNext[:0]
	for w := size - 1; w >= 0; w-- {
		backs := f.inFrom[f.otherEnd[w]:f.inStart[w+1]]
		if len(backs) == 0 {
			if f.kind[w] == kindSelf {
				f.kind[w] |= kindHeader
			}
			continue
		}
		f.kind[w] |= kindHeader
		f.collect(w, backs)
	}
}

// collect finds the body of w's loop: whatever leads to its back edges without leaving
// w's descendants. A loop inside it counts as one node, its header.
func (f *final) collect(w int32, backs []int32) {
	body := f.body[:0]
	for _, v := range backs {
		if x := f.find(v); f.taken[x] != w {
			f.taken[x] = w
			body = append(body, x)
		}
	}
	last := f.last[w]
	f.taken[w] = w // the header is not part of its body
	for i := 0; i < len(body); i++ {
		x := body[i]
		for _, y := range f.inFrom[f.inStart[x]:f.otherEnd[x]] {
			if y = f.find(y); f.taken[y] == w {
				continue
			}
			f.taken[y] = w
			if w <= y && y <= last {
				body = append(body, y)
			} else {
				f.enter(w, y)
			}
		}
		for e := f.extraHead[x]; e != None; e = f.extraNext[e] {
			y := f.find(f.extraFrom[e])
			if f.taken[y] == w {
				continue
			}
			f.taken[y] = w
			if w <= y && y <= last {
				body = append(body, y)
			} else {
				f.enter(w, y)
			}
		}
	}
	for _, x := range body {
		f.set[x], f.around[x] = w, w
	}
}

// enter notes that y, which is no descendant of w, leads into w's loop: it makes the loop
// irreducible, and is as good as a predecessor of w for the loops around. Called once for
// each y and w, since y is taken.
func (f *final) enter(w, y int32) {
	f.kind[w] |= kindIrreducible
	f.extraFrom = append(f.extraFrom, y)
	f.extraNext = append(f.extraNext, f.extraHead[w])
	f.extraHead[w] = int32(len(f.extraFrom) - 1)
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
	isHeader := func(w int32) bool { return f.kind[w]&kindHeader != 0 }
	named := func(w int32) int32 {
		if w == None {
			return None
		}
		return f.name[w]
	}
	return newForest(int(f.nodes), func(v int32) int32 {
		switch w := f.number[v]; {
		case w == unreached:
			return None
		case isHeader(w):
			return v
		default:
			return named(f.around[w])
		}
	}, func(h int32) found {
		w := f.number[h]
		return found{named(f.around[w]), f.kind[w]&kindIrreducible != 0}
	})
}
