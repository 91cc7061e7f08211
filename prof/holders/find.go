package holders

import (
	"cmp"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/prof/gotypes"
)

const (
	// leastShare of the heap makes a holder worth naming.
	leastShare = 0.05
	// leastBytes is what the runtime and the standard library of any program hold, roughly.
	leastBytes = 256 << 10
	// whole is how much of what a path holds the paths below it must hold, to be named instead.
	whole = 0.8
	// mostParts is how many parts of a holder are named.
	mostParts = 5
)

// find names the holders.
func (r *Report) find(dump io.ReaderAt, size int64) error {
	least := max(uint64(leastShare*float64(r.Bytes)), leastBytes)
	p := r.paths
	for _, at := range p.ends(0, least) {
		h, err := p.holder(dump, size, at)
		if err != nil {
			return err
		}
		r.Holders = append(r.Holders, h)
	}
	slices.SortStableFunc(r.Holders, func(a, b Holder) int { // last what nobody can clear
		return cmp.Compare(strings.Count(a.Name, keptRecords), strings.Count(b.Name, keptRecords))
	})
	return nil
}

// ends are the last paths before what is held fans out into many equal things, of those that hold enough.
func (p *paths) ends(from uint32, least uint64) (all []uint32) {
	at := &p.all[from]
	var sum uint64
	var down []uint32
	for _, b := range at.below {
		if below := &p.all[b]; below.cum >= least && (from == 0 || !p.fansOut(at, below)) {
			sum += below.cum
			down = append(down, b)
		}
	}
	if from != 0 && float64(sum) < whole*float64(at.cum) {
		return []uint32{p.goroutine(from)}
	}
	for _, b := range down {
		all = append(all, p.ends(b, least)...)
	}
	sortBy(all, p.compare)
	return all
}

// goroutine is the path of several goroutines of which each has a frame that holds what no variable has; another path
// is itself.
func (p *paths) goroutine(at uint32) uint32 {
	for up := at; p.label(up).kind == frame; up = p.all[up].parent {
		if above := p.all[up].parent; p.label(above).kind == goroutine && p.all[at].heads > 1 &&
			p.all[above].heads == p.all[at].heads {
			return above
		}
	}
	return at
}

// fansOut says that a path below has several things for each of the one above.
func (p *paths) fansOut(above, below *path) bool {
	named := p.walk.labels.all[below.label].kind
	return float64(below.heads) > 1.5*float64(max(above.heads, 1)) || named == other
}

// holder describes the end of a path.
func (p *paths) holder(dump io.ReaderAt, size int64, at uint32) (Holder, error) {
	end := p.label(at)
	h := Holder{Type: ofMain(gotypes.Short(end.typ)), Bytes: p.all[at].cum, Objects: p.all[at].all}
	if end.typ == "" {
		h.Type = ""
	}
	for _, l := range p.up(at) {
		switch l.kind {
		case global:
			h.File, h.Line = p.walk.program.Declared(l.part)
		case timer, cleanup:
			h.File, h.Line = p.walk.program.Begins(l.owner)
		case goroutine:
			h.Function = l.part
		case frame:
			h.Function, h.File, h.Line = l.part, l.file, l.line
		case local:
			h.File, h.Line = l.file, l.line
		}
		h.Name = join(h.Name, l)
	}
	if fields := p.fields(at); len(fields) > 1 {
		for i, f := range fields {
			fields[i] = h.Name + "." + f
		}
		h.Name, h.Type = strings.Join(fields, and), ""
	}
	if array, ok := p.array(at); ok {
		h.Name, h.Type = join(h.Name, array), ""
	}
	h.Parts = p.parts(at)
	p.blocked(at, &h)
	p.allocated(at, &h)
	return h, p.count(dump, size, at, &h)
}

// join adds a step to the name of a holder.
func join(name string, l label) string {
	switch {
	case l.kind == goroutine || l.kind == frame:
		return name
	case l.kind == global:
		return short(l.part)
	case l.kind == shared:
		return l.part
	case l.kind == timer || l.kind == cleanup:
		return short(l.String())
	case name == "" || l.kind == other:
		return l.part
	case strings.Contains(name, and):
		name = "(" + name + ")"
	}
	if strings.HasPrefix(l.part, "[") {
		return name + l.part
	}
	return name + "." + l.part
}

// short is a name without the path of its package, and without package main.
func short(name string) string { return ofMain(gotypes.Short(name)) }

// inMain is the name of package main at the beginning of a word.
var inMain = regexp.MustCompile(`(^|[^\w.])main\.`)

// ofMain leaves package main out of names of variables and types.
func ofMain(text string) string { return inMain.ReplaceAllString(text, "$1") }

// parts are what hangs below a path, by the last step to it.
func (p *paths) parts(at uint32) []Part {
	all := []Part{}
	byName := map[string]*Part{}
	var add func(uint32, string)
	add = func(i uint32, name string) {
		q := &p.all[i]
		if q.own > 0 {
			if byName[name] == nil {
				byName[name] = &Part{Name: name}
			}
			byName[name].Bytes += q.own
			byName[name].Objects += q.objects
		}
		for _, b := range q.below {
			add(b, ofMain(p.label(b).String()))
		}
	}
	add(at, "")
	for _, part := range byName {
		all = append(all, *part)
	}
	sortBy(all, func(a, b Part) int {
		if a.Bytes != b.Bytes {
			return compareDown(a.Bytes, b.Bytes)
		}
		return strings.Compare(a.Name, b.Name)
	})
	return all[:min(len(all), mostParts)]
}

// array is the array in a struct into which a path fans out, if most of what it holds is there.
func (p *paths) array(at uint32) (label, bool) {
	for _, b := range p.all[at].below {
		l := p.label(b)
		name, _, ok := strings.Cut(l.part, "[]")
		if ok && name != "" && l.kind == field && float64(p.all[b].cum) >= whole*float64(p.all[at].cum) {
			l.part = name
			return l, true
		}
	}
	return label{}, false
}

// fields are the fields of a holder that hold together what it fans out into, such as the map and the list of a cache.
func (p *paths) fields(at uint32) []string {
	var most *path
	for _, b := range p.all[at].below {
		if below := &p.all[b]; most == nil || below.heads > most.heads {
			most = below
		}
	}
	if most == nil || most.objects == 0 {
		return nil
	}
	v, ok := p.tree.Number(most.object)
	if !ok || p.tree.Parent[v] == 0 || p.at[p.tree.Parent[v]] != at {
		return nil
	}
	base := p.tree.Parent[v]
	count := map[uint32]int{}
	best := uint32(0)
	for _, l := range p.owners(base) {
		if count[l]++; l != 0 && count[l] > count[best] || best == 0 {
			best = l
		}
	}
	if l := p.walk.labels.all[best]; l.kind == shared && l.container != single { // not the ends of a list
		return strings.Split(l.part, and)
	}
	return nil
}
