package holders

import (
	"slices"
	"strings"

	"github.com/gohone/hone/prof/gotypes"
)

const (
	// and stands between the names of what holds the same.
	and = " + "
	// mostOwners is how many roots are named that hold the same.
	mostOwners = 3
	// mostRounds bounds the search for the owners of objects that hold each other. Of a list with a map of its elements
	// a round finds one stretch.
	mostRounds = 64
)

// owners finds what holds the objects that hang on a node of the tree and to which that does not refer itself: for each
// the label of the references of that node that lead to it; 0 for other nodes. Of the root these are the roots that
// hold it together.
func (p *paths) owners(base uint32) []uint32 {
	s := &owners{paths: p, sets: index[string]{}, top: make([]uint32, len(p.tree.Node)),
		of: make([]uint32, len(p.tree.Node))}
	s.sets.number("")
	for v := int(base) + 1; v < len(s.top); v++ {
		if s.top[v] = uint32(v); p.tree.Parent[v] != base {
			s.top[v] = s.top[p.tree.Parent[v]]
		}
	}
	own := bits{}
	for _, node := range p.walk.Successors(p.tree.Node[base], nil) {
		own.set(node)
	}
	var objects []uint32
	for v := base + 1; int(v) < len(s.of); v++ {
		if p.tree.Parent[v] != base {
			continue
		}
		if node := p.tree.Node[v]; own.has(node) {
			s.of[v] = s.sets.number(string(appendLabel(nil, p.owner(p.walk.name[node]-1))))
		} else {
			objects = append(objects, v)
		}
	}
	for range mostRounds {
		if !s.spread(objects) {
			break
		}
		slices.Reverse(objects)
	}
	names := make([]uint32, len(s.sets.all))
	for i, set := range s.sets.all {
		names[i] = p.together(set)
	}
	shared := make([]uint32, len(s.of))
	for _, v := range objects {
		shared[v] = names[s.of[v]]
	}
	return shared
}

// owner is the label under which a root is named with others: those of the runtime are one.
func (p *paths) owner(name uint32) uint32 {
	if l := p.walk.labels.all[name]; l.kind != frame && l.kind != cleanup && ofRuntime(l.part) || l.part == theRuntime {
		return p.walk.labels.number(label{kind: global, part: theRuntime})
	}
	return name
}

// owners are sets of roots, each the labels of the roots in their order as a text.
type owners struct {
	*paths
	sets index[string]
	top  []uint32 // what of each node hangs on the root of all
	of   []uint32 // the set of each node that hangs there
	both map[[2]uint32]uint32
	// recent are unions of late: a heap has few, millions of times.
	recent [1 << 12]struct{ a, b, union uint32 }
}

// spread gives objects the owners of what refers to them, and says whether any has one more.
func (s *owners) spread(objects []uint32) (changed bool) {
	for _, v := range objects {
		set := s.of[v]
		for _, pred := range s.tree.Predecessors(v) {
			set = s.union(set, s.ownerOf(pred, v))
		}
		changed = changed || set != s.of[v]
		s.of[v] = set
	}
	return changed
}

// ownerOf is the set of what owns an object by a node that refers to it: the variable, if that is a frame, not its
// goroutine.
func (s *owners) ownerOf(pred, v uint32) uint32 {
	from, to := s.tree.Node[pred], s.tree.Node[v]
	if from <= s.walk.start {
		return s.of[s.top[pred]]
	}
	function := s.walk.labels.all[s.walk.outer[from-s.walk.start].label]
	if function.kind == frame {
		for _, l := range s.walk.linksOf(from) {
			if name := s.walk.labels.all[s.walk.steps.all[l.step].label]; l.to == to && name.kind == local {
				in := label{kind: local, part: name.part + " in " + function.part}
				return s.sets.number(string(appendLabel(nil, s.walk.labels.number(in))))
			}
		}
	}
	return s.of[s.top[pred]]
}

// union is the set of what is in two, or the first if it has enough.
func (s *owners) union(a, b uint32) uint32 {
	if a == b || b == 0 {
		return a
	}
	r := &s.recent[(a*31+b)%uint32(len(s.recent))]
	if r.a != a || r.b != b {
		r.a, r.b, r.union = a, b, s.unite(a, b)
	}
	return r.union
}

// unite is union of sets that differ.
func (s *owners) unite(a, b uint32) uint32 {
	key := [2]uint32{a, b}
	u, ok := s.both[key]
	if !ok {
		all := append(labelsIn(s.sets.all[a]), labelsIn(s.sets.all[b])...)
		slices.Sort(all)
		all = slices.Compact(all)
		var text []byte
		for _, l := range all[:min(len(all), mostOwners+1)] {
			text = appendLabel(text, l)
		}
		u = s.sets.number(string(text))
		if s.both == nil {
			s.both = map[[2]uint32]uint32{}
		}
		s.both[key] = u
	}
	return u
}

func appendLabel(b []byte, l uint32) []byte {
	return append(b, byte(l>>24), byte(l>>16), byte(l>>8), byte(l))
}

func labelsIn(set string) (all []uint32) {
	for ; len(set) >= 4; set = set[4:] {
		all = append(all, uint32(set[0])<<24|uint32(set[1])<<16|uint32(set[2])<<8|uint32(set[3]))
	}
	return all
}

// hasLocal says that a label is that of a goroutine which has one of the variables.
func (p *paths) hasLocal(all []uint32, l label) bool {
	return l.kind == goroutine && slices.ContainsFunc(all, func(o uint32) bool {
		of := p.walk.labels.all[o]
		return of.kind == local && strings.HasSuffix(of.part, " in "+l.part)
	})
}

// together is the label of several roots; of one it is its own.
func (p *paths) together(set string) uint32 {
	all := labelsIn(set)
	if len(all) < 2 {
		return append(all, 0)[0]
	}
	all = slices.DeleteFunc(all, func(o uint32) bool { return p.hasLocal(all, p.walk.labels.all[o]) })
	var names []string
	of := single
	for _, o := range all[:min(len(all), mostOwners)] {
		switch l := p.walk.labels.all[o]; l.kind {
		case goroutine:
			names = append(names, l.String())
		case timer, cleanup:
			names = append(names, short(l.String()))
		case local:
			names = append(names, gotypes.Short(l.part))
		default:
			of = max(of, l.container)
			names = append(names, short(l.part))
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(all) > mostOwners {
		names = append(names, "others")
	}
	return p.walk.labels.number(label{kind: shared, part: strings.Join(names, and), container: of})
}
