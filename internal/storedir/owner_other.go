//go:build !unix

package storedir

import "io/fs"

// ownerOf does not know.
func ownerOf(fs.FileInfo) (uid int, known bool) { return 0, false }

// linksOf does not know of a second name.
func linksOf(fs.FileInfo) uint64 { return 1 }
