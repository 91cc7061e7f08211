package walltime

import (
	"cmp"
	"slices"
)

// Origin is the line of the user's that started goroutines of a library.
type Origin struct {
	// Root is the function that the goroutines began with.
	Root string `json:"root"`
	// Function, File and Line are the nearest frame of the user's module on the stack that started them, or that
	// started the goroutine that did.
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Count    int    `json:"count"`
}

// mostStarters bounds how many goroutines lie between one and the user's code that is the reason for it.
const mostStarters = 8

// origins are the user's lines behind the goroutines that libraries started during the trace, the most frequent first:
// one for each root function. Those that serve requests are left out: the call of Serve is the reason for all of them.
func (l *labeller) origins() []Origin {
	type key struct {
		root string
		Call
	}
	count, serving := map[key]int{}, map[string]bool{}
	for i := range l.goroutines {
		if g := &l.goroutines[i]; g.serves {
			serving[l.rootOf(g)] = true
		}
	}
	for i := range l.goroutines {
		g := &l.goroutines[i]
		entry := l.stacks.framesOf(g.entry)
		if len(entry) == 0 || serving[l.rootOf(g)] ||
			slices.ContainsFunc(entry, func(f Frame) bool { return l.isUser(f.Function) || observes(f) }) {
			continue
		}
		if c, ok := l.starter(g); ok {
			count[key{entry[len(entry)-1].Function, c}]++
		}
	}
	all := map[string]Origin{}
	for k, n := range count {
		one := Origin{Root: k.root, Function: k.Function, File: k.File, Line: k.Line, Count: n}
		if old, ok := all[k.root]; !ok || compareOrigins(one, old) < 0 {
			all[k.root] = one
		}
	}
	var sorted []Origin
	for _, o := range all {
		sorted = append(sorted, o)
	}
	slices.SortFunc(sorted, compareOrigins)
	return sorted
}

// rootOf is the function that a goroutine began with; of one older than the trace, that of the first stack seen.
func (h *history) rootOf(g *goroutine) string {
	if f := h.stacks.outermost(g.entry); f != "" {
		return f
	}
	for i := range g.spans {
		if f := h.stacks.outermost(g.spans[i].stack); f != "" {
			return f
		}
	}
	return ""
}

func compareOrigins(a, b Origin) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Root, b.Root), cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line))
}

// starter is the user's line that started a goroutine, or the goroutine that started it, and so on.
func (l *labeller) starter(g *goroutine) (c Call, ok bool) {
	for range mostStarters {
		c = l.call(g.created, kindWait)
		if c.Function != "" {
			return Call{Function: c.Function, File: c.File, Line: c.Line}, true
		}
		if g.creator == none {
			return Call{}, false
		}
		g = &l.goroutines[g.creator]
	}
	return Call{}, false
}
