package holders

import (
	"slices"
	"strings"

	"github.com/gohone/hone/prof/gotypes"
)

// addCleanup is the function whose cleanups hold what they need. A dump does not have them (GOROOT/src/runtime/
// heapdump.go, dumproots: finalizers only), but the closures are there, and nothing in the dump refers to them.
const addCleanup = "runtime.AddCleanup"

// setFinalizer is the function whose finalizers hold what they need, as cleanups do.
const setFinalizer = "runtime.SetFinalizer"

// doubtfulCleanups says what else a closure can be to which nothing refers.
const doubtfulCleanups = "a dump does not have the cleanups of " + addCleanup + ": closures to which nothing refers are " +
	"taken for theirs. They are garbage if the program did not call runtime.GC before the dump"

// cleanups takes as roots closures to which nothing refers, by function: a collection left them, so a cleanup holds them.
func (w *walk) cleanups() {
	if w.program == nil {
		return
	}
	referred := bits{}
	for n := range w.start {
		if w.name[n] == 0 {
			w.refs.each(n, func(r ref) { referred.set(r.to) })
		}
	}
	roots := map[string]uint32{}
	for n := range w.start {
		t := w.typeOf(n)
		if w.name[n] != 0 || referred.has(n) || w.tied.has(n) || t == nil || t.Role != gotypes.Closure {
			continue
		}
		function := w.cleanupOf(n, t)
		root, ok := roots[function]
		if !ok {
			l := label{kind: cleanup, part: addCleanup, owner: function}
			root = w.addOutside(outside{label: w.labels.number(l)})
			w.name, w.typ = append(w.name, 0), append(w.typ, 0)
			roots[function] = root
			w.linkRoot(root - w.start)
		}
		s := step{dynamic: true}
		w.link(root, n, s, false)
		w.follow(n, s, false)
		w.run()
	}
}

// cleanupOf is the function of the program that a closure calls: before Go 1.26 the runtime wraps it in one of its own.
func (w *walk) cleanupOf(n uint32, t *gotypes.Type) string {
	function := t.Name
	if strings.HasPrefix(function, addCleanup+"[") {
		find := func(r ref) {
			if of := w.typeOf(r.to); of != nil && of.Role == gotypes.Closure {
				function = of.Name
			}
		}
		w.refs.each(n, func(r ref) { // it has the address of the variable
			find(r)
			w.refs.each(r.to, find)
		})
	}
	return function
}

// noteOfCleanups adds what the user should know of holders that are cleanups.
func (r *Report) noteOfCleanups() {
	if slices.ContainsFunc(r.Holders, func(h Holder) bool { return strings.HasPrefix(h.Name, addCleanup+"(") }) {
		r.Missing = append(r.Missing, doubtfulCleanups)
	}
}
