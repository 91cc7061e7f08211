//go:build !unix

package storedir

import "io/fs"

// LinksOf does not know of a second name.
func LinksOf(fs.FileInfo) uint64 { return 1 }
