// Package holders says who holds the memory of a Go program, not who allocated it: which variable or field, if it were
// cleared, would free how much.
//
// It reads what runtime/debug.WriteHeapDump wrote (package heapdump) and the types of the program (package gotypes),
// and walks from the roots along all references. Retained is what a node of the dominator tree has below it (package
// dominator): what can be reached through it alone. What two variables hold together belongs to neither, and is named
// after both.
//
//   - space.go, refs.go: the objects and their references, as compact numbers
//   - heap.go, segment.go, stack.go, local.go, onstack.go: from the records of the dump to nodes and links
//   - guess.go, types.go, walk.go: the type of each object, and the name of each reference
//   - paths.go, owners.go: objects with references of the same names are one path; what several roots hold
//   - records.go, goroutines.go: the runtime's records of goroutines and timers; where goroutines were started and wait
//   - weak.go: what goes with the values of package unique
//   - cleanups.go: what cleanups hold, of which a dump has no record
//   - origin.go: whether the program is the one that wrote the dump
//   - find.go, filled.go, count.go: the holders, where they are filled, and how many entries they have
//   - text.go, profile.go: as text, and as a profile in pprof's format
package holders
