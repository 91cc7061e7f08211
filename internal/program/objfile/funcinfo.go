package objfile

// Inlined are references to the functions whose code stands in a function as well, from its description
// (goobj.FuncInfo): sizes and flags, the line where it starts, the list of its files, and the list of what was inlined.
// What is not a description as it says there has none.
func Inlined(description []byte) []Ref {
	const (
		filesAt  = 16 // bytes: arguments, variables, kind and flags, line
		nodeSize = 4 * 6
		funcAt   = 4 * 3 // parent, file, line; then the function, and where it begins
	)
	if len(description) < filesAt {
		return nil
	}
	rest := description[filesAt:]
	files, rest, ok := number(rest)
	if !ok || uint64(len(rest)) < 4*uint64(files) {
		return nil
	}
	nodes, rest, ok := number(rest[4*files:])
	if !ok || uint64(len(rest)) < nodeSize*uint64(nodes) {
		return nil
	}
	all := make([]Ref, nodes)
	for i := range all {
		all[i] = readRef(rest[i*nodeSize+funcAt:])
	}
	return all
}

// number reads the number that a list begins with.
func number(b []byte) (n uint32, rest []byte, ok bool) {
	if len(b) < 4 {
		return 0, nil, false
	}
	return little.Uint32(b), b[4:], true
}
