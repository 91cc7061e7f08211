//go:build !unix

package preflight

// OpenFiles is not known here.
func OpenFiles() (limit uint64, ok bool) { return 0, false }
