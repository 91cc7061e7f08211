package holders

import (
	"slices"
	"strings"

	"github.com/gohone/hone/prof/dominator"
)

// path is a way of references from a root: all objects that hang on it by references of the same names. A name that is on the
// way already leads back to where it was, so that a list or a tree has one path and not one for each node.
type path struct {
	parent, label uint32
	// own and objects are what hangs on the path itself, cum and all with what hangs on those below it; own and cum in bytes.
	own, objects uint64
	cum, all     uint64
	// heads counts the references by which it is entered: the elements of a slice, the goroutines of a frame.
	heads uint64
	// object is the first object, as a number of the tree; 0 if there is none.
	object uint32
	// below are the paths that lead on, the largest first.
	below []uint32
}

// paths are the paths of a heap; 0 is the root of all. Each comes after its parent.
type paths struct {
	all   []path
	known map[[2]uint32]uint32
	walk  *walk
	tree  *dominator.Tree
	at    []uint32 // of each node of the tree
}

// newPaths groups the objects along the dominator tree.
func newPaths(w *walk) *paths {
	p := &paths{all: []path{{}}, known: map[[2]uint32]uint32{}, walk: w, tree: dominator.New(w, len(w.name), w.root())}
	p.at = make([]uint32, len(p.tree.Node))
	roots := p.rootOwners()
	for v := 1; v < len(p.at); v++ {
		node, above := p.tree.Node[v], p.at[p.tree.Parent[v]]
		if owner, ok := roots[uint32(v)]; ok {
			above = p.enter(0, owner)
		}
		name := w.name[node] - 1
		p.at[v] = p.enter(above, name)
		at := &p.all[p.at[v]]
		if name != 0 {
			at.heads++
		}
		if node < w.first {
			at.own += w.space.size(node)
			at.objects++
			if at.object == 0 {
				at.object = uint32(v)
			}
		}
	}
	p.addUp()
	return p
}

// enter is the path below another by a label.
func (p *paths) enter(above, name uint32) uint32 {
	if name == 0 {
		return above
	}
	key := [2]uint32{above, name}
	if at, ok := p.known[key]; ok {
		return at
	}
	for up := above; up != 0; up = p.all[up].parent {
		if p.all[up].label == name {
			p.known[key] = up
			return up
		}
	}
	at := uint32(len(p.all))
	p.all = append(p.all, path{parent: above, label: name})
	p.known[key] = at
	return at
}

func (p *paths) addUp() {
	for i := len(p.all) - 1; i >= 0; i-- {
		at := &p.all[i]
		at.cum += at.own
		at.all += at.objects
		slices.SortFunc(at.below, func(a, b uint32) int { return p.compare(a, b) })
		if i > 0 {
			up := &p.all[at.parent]
			up.cum += at.cum
			up.all += at.all
			up.below = append(up.below, uint32(i))
		}
	}
}

// compare orders paths, those that hold more first.
func (p *paths) compare(a, b uint32) int {
	if x, y := p.all[a].cum, p.all[b].cum; x != y {
		if x > y {
			return -1
		}
		return 1
	}
	return strings.Compare(p.label(a).String(), p.label(b).String())
}

func (p *paths) label(at uint32) label { return p.walk.labels.all[p.all[at].label] }

// up are the labels from the root to a path.
func (p *paths) up(at uint32) (all []label) {
	for ; at != 0; at = p.all[at].parent {
		all = append(all, p.label(at))
	}
	slices.Reverse(all)
	return all
}

// mostOwners is how many roots are named that hold the same.
const mostOwners = 3

// rootOwners names what holds the objects that no single root does: by the number of an object that hangs on the root of all,
// the label of its owners.
func (p *paths) rootOwners() map[uint32]uint32 {
	t, w := p.tree, p.walk
	top := make([]uint32, len(t.Node)) // what of each hangs on the root of all
	for v := 1; v < len(top); v++ {
		if top[v] = uint32(v); t.Parent[v] != 0 {
			top[v] = top[t.Parent[v]]
		}
	}
	roots := map[uint32]bool{}
	for _, l := range w.linksOf(w.root()) {
		roots[l.to] = true
	}
	sets := map[uint32][]uint32{} // labels of owners
	for v := uint32(1); int(v) < len(top); v++ {
		if t.Parent[v] != 0 || roots[t.Node[v]] {
			continue
		}
		var owners []uint32
		for _, pred := range t.Predecessors(v) {
			u := top[pred]
			if more, shared := sets[u]; shared {
				owners = append(owners, more...)
			} else if u != v && roots[t.Node[u]] {
				owners = append(owners, w.name[t.Node[u]]-1)
			}
		}
		slices.Sort(owners)
		sets[v] = slices.Compact(owners)
	}
	named := map[uint32]uint32{}
	for v, owners := range sets {
		if len(owners) > 0 {
			named[v] = p.together(owners)
		}
	}
	return named
}

// together is the label of several roots; of one it is its own.
func (p *paths) together(owners []uint32) uint32 {
	if len(owners) == 1 {
		return owners[0]
	}
	var names []string
	for _, o := range owners[:min(len(owners), mostOwners)] {
		l := p.walk.labels.all[o]
		l.typ = ""
		names = append(names, l.String())
	}
	slices.Sort(names)
	if len(owners) > mostOwners {
		names = append(names, "others")
	}
	return p.walk.labels.number(label{kind: shared, part: strings.Join(names, " + ")})
}
