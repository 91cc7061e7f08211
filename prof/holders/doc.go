// Package holders says who holds the memory of a Go program, not who allocated it: which variable or field, if it were cleared,
// would free how much.
//
// It reads what runtime/debug.WriteHeapDump wrote (package heapdump) and the types of the program (package gotypes), and walks from
// the roots along all references. Retained is what a node of the dominator tree has below it (package dominator): what can be
// reached through it alone. What two variables hold together belongs to neither, and is named after both.
//
//   - space.go, refs.go: the objects and their references, as compact numbers
//   - heap.go, guess.go, stack.go: from the records of the dump to nodes and links
//   - types.go, walk.go: the type of each object, and the name of each reference
//   - paths.go: objects with references of the same names are one path
//   - find.go, text.go, profile.go: the holders, as text and as a profile in pprof's format
package holders
