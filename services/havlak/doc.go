// Package havlak is a reference program: it finds the loops of a control-flow graph with
// Havlak's algorithm, and how they nest. Each stage finds the same loops at another cost,
// by the layout of its data alone:
//
//	first   first.go   maps and lists, all data made anew for each call
//	slices  slices.go  slices instead of maps, data reused between calls
//	final   final.go   int32 arrays in order of the search, one arena
//
// cpp/ has the first two layouts in C++, the second of them under the name final, to
// measure beside. README.md says what was published and what the layouts are.
//
// The algorithm is that of Paul Havlak, "Nesting of reducible and irreducible loops", ACM
// Transactions on Programming Languages and Systems 19(4), 1997, without its rewriting of
// the graph, on the sets of Robert Tarjan, "Testing flow graph reducibility", 1974. What
// it computes can be said without it: number the nodes in the order of a depth-first
// search from the entry. The loop of a header h is the strongly connected component of h
// among the descendants of h in the search's tree, if that is more than one node or h has
// an edge to itself. It is irreducible if an edge enters it elsewhere than at h. Loops
// nest. For a reducible graph they are the natural loops, whatever the search's order; for
// others the order of the edges decides which entry is the header.
package havlak
