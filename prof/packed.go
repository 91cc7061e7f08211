package prof

// Packed is a call tree in columns: small as JSON, and quick to draw. Nodes are in preorder, so that the children of a
// node stand after it and before its next sibling; node 0 is the root.
type Packed struct {
	// Types are the sample types. Values has a list for each of them.
	Types []PackedType `json:"types"`
	// Strings are the names that Functions refer to.
	Strings []string `json:"strings"`
	// Functions are named by NameOf, FileOf and PackageOf as indices into Strings, with equal lengths. OriginOf is "u"
	// for the user's module, "d" for a dependency, "s" for the standard library, "r" for the runtime, "k" for the
	// collector, "o" for other code (native or unknown), one letter for each function.
	NameOf    []int  `json:"name_of"`
	FileOf    []int  `json:"file_of"`
	PackageOf []int  `json:"package_of"`
	OriginOf  string `json:"origin_of"`
	// Depth is how deep each node is, 0 for the root; Function is its function, -1 for the root; Line the line of the
	// call, or of the leaf, 0 where it is not known. Inlined has a "1" for calls that the compiler inlined, else "0".
	Depth    []int  `json:"depth"`
	Function []int  `json:"function"`
	Line     []int  `json:"line"`
	Inlined  string `json:"inlined"`
	// Self are the values of the samples that end in each node, a list for each of Types.
	Self [][]int64 `json:"self"`
	// Blamed are those of the default one of Types if the collector's background work is handed to those who allocate;
	// the nodes of the collector then have 0. Empty where that is not known: of other kinds than cpu, and without an
	// allocation profile.
	Blamed []int64 `json:"blamed,omitempty"`
	// Dropped is how many nodes were left out because they were too small; their values are in their callers.
	Dropped int `json:"dropped,omitempty"`
}

// PackedType is a sample type of a packed profile.
type PackedType struct {
	Name string `json:"name"`
	// Unit is nanoseconds, bytes or count.
	Unit string `json:"unit"`
	// Accumulates says that values grow with the number of requests, so that they can be shown per request.
	Accumulates bool `json:"accumulates"`
	Default     bool `json:"default,omitempty"`
}
