//go:build !unix

package preflight

// openFiles is not known here.
func openFiles() (limit uint64, ok bool) { return 0, false }
