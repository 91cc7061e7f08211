package gobench

import (
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/conduct/gobench/changes"
	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/conduct/gobench/turns"
	"github.com/gohone/hone/internal/store/benchmarks"
)

// pkg is a package that both sides have, with its test binaries once built.
type pkg struct {
	path     string // import path on side B
	found    [2]sources.Listed
	binaries [2]process.Program // as the user's flags link them
	recipes  [2]recipe
	layouts  [][2]process.Program // the same, in other orders of their functions
	turns    [2]turns.Added       // how to tell the binaries
	tests    changes.Tests
	overlays [2]sources.Overlay // that the binaries were built with

	unchanged []string           // patterns of the benchmarks that are not measured
	hasOthers bool               // beside them
	functions []string           // of benchmarks, on both sides
	counted   [2]process.Program // with coverage counters where only these say what is executed
	counting  [2]process.Program // with counters in all packages that changed; made where a gain is checked
	tested    bool               // as its benchmarks are run
	notices   []string           // tests that fail on B then, and only then
	static    *static            // what the others may execute of what differs; nil where that is not known
	unknown   error              // why it is not
	elsewhere []string           // patterns of the benchmarks that other jobs measure
}

// pair matches the packages of both sides. tests is the side whose tests both get, if any. gone are those of A whose
// benchmarks B does not have, as a package or at all.
func pair(a, b []sources.Listed, tests string) (both []*pkg, gone []sources.Listed, notes []benchmarks.Note) {
	key := sources.Listed.Key
	if slices.ContainsFunc(b, func(l sources.Listed) bool {
		return slices.ContainsFunc(a, func(o sources.Listed) bool { return o.ImportPath == l.ImportPath })
	}) {
		key = func(l sources.Listed) string { return l.ImportPath }
	}
	old := map[string]sources.Listed{}
	for _, l := range a {
		old[key(l)] = l
	}
	without := 0
	for _, l := range b {
		was, there := old[key(l)]
		delete(old, key(l))
		oldHas, has := there && was.HasBenchmarks(), l.HasBenchmarks()
		switch {
		case there && tests == "A":
			has = oldHas
		case there && tests == "B":
			oldHas = has
		}
		switch {
		case !has && !oldHas:
			without++
		case !there:
			notes = append(notes, benchmarks.Note{Package: l.ImportPath,
				Text: "new on side B: nothing to compare with"})
		case !has:
			gone = append(gone, was)
		case !oldHas:
			notes = append(notes, benchmarks.Note{Package: l.ImportPath, Text: "has no benchmarks on side A"})
		default:
			both = append(both, &pkg{path: l.ImportPath, found: [2]sources.Listed{was, l}})
		}
	}
	for _, l := range a {
		if _, left := old[key(l)]; left && l.HasBenchmarks() {
			gone = append(gone, l)
		}
	}
	if without > 0 {
		notes = append(notes, benchmarks.Note{Text: fmt.Sprintf("packages without benchmarks: %d", without)})
	}
	return both, gone, notes
}
