package holders

import (
	"context"
	"slices"
	"strings"

	"github.com/gohone/hone/prof/dominator"
)

// path is a way of references from a root: all objects that hang on it by references of the same names. A name that is
// on the way already leads back to where it was, so that a list or a tree has one path and not one for each node.
type path struct {
	parent, label uint32
	// own and objects are what hangs on the path itself, cum and all with what hangs on those below it; own and cum in
	// bytes.
	own, objects uint64
	cum, all     uint64
	// heads counts the references by which it is entered: the elements of a slice, the goroutines of a frame.
	heads uint64
	// object is the first one, if there are any.
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
func newPaths(ctx context.Context, w *walk) (*paths, error) {
	p := &paths{all: []path{{}}, known: map[[2]uint32]uint32{}, walk: w,
		tree: dominator.New(w, len(w.name), w.inTree(), w.root())}
	p.at = make([]uint32, len(p.tree.Node))
	owners := p.owners(0)
	for v := uint32(1); int(v) < len(p.at); v++ {
		if err := interrupted(ctx, int(v), nil); err != nil {
			return nil, err
		}
		above := p.at[p.tree.Parent[v]]
		if owner := owners[v]; owner != 0 {
			above = p.enter(0, owner)
		}
		node := p.tree.Node[v]
		p.at[v] = p.put(above, node)
		w.ownLeaves(node, func(leaf uint32) { p.put(p.at[v], leaf) })
	}
	p.addUp()
	return p, nil
}

// put adds a node to the path below another that its name leads to.
func (p *paths) put(above, node uint32) uint32 {
	name := p.walk.name[node] - 1
	i := p.enter(above, name)
	at := &p.all[i]
	if name != 0 {
		at.heads++
	}
	if node < p.walk.start {
		if at.objects == 0 {
			at.object = node
		}
		if p.walk.allocations.sampled.has(node) {
			p.walk.allocations.found[node] = i
		}
		at.own += p.walk.space.size(node)
		at.objects++
	}
	return i
}

const (
	// mostPaths bounds the paths of heaps whose types refer to each other in all orders; what comes later belongs to
	// the path before.
	mostPaths = 1 << 20
	// mostSteps bounds the steps of a path, such as the frames of a goroutine, in the same way.
	mostSteps = 1 << 9
)

// enter is the path below another by a label.
func (p *paths) enter(above, name uint32) uint32 {
	if name == 0 {
		return above
	}
	key := [2]uint32{above, name}
	if at, ok := p.known[key]; ok {
		return at
	}
	steps := 0
	for up := above; up != 0; up = p.all[up].parent {
		if p.all[up].label == name {
			p.known[key] = up
			return up
		}
		steps++
	}
	if len(p.all) >= mostPaths || steps >= mostSteps {
		p.known[key] = above
		return above
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
