package series

// SplitName splits the name of a benchmark in a series, PACKAGE.Name/sub. A name without the word Benchmark does not
// begin with a small letter, and what follows a dot in the path of a package does. pkg is all of a name without one.
func SplitName(name string) (pkg, benchmark string) {
	for i, c := range name {
		if c == '.' && i+1 < len(name) && (name[i+1] < 'a' || name[i+1] > 'z') {
			return name[:i], name[i+1:]
		}
	}
	return name, ""
}
