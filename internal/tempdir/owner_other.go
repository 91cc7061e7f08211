//go:build !unix

package tempdir

import "io/fs"

// isMine is false: without owners no directory is known to be hone's own.
func isMine(fs.FileInfo) bool { return false }
