//go:build unix

package storedir

import (
	"io/fs"
	"syscall"
)

// ownerOf returns the user that a file belongs to.
func ownerOf(info fs.FileInfo) (uid int, known bool) {
	stat, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return 0, false
	}
	return int(stat.Uid), true
}

// linksOf is how many names a file has.
func linksOf(info fs.FileInfo) uint64 {
	stat, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return 1
	}
	return uint64(stat.Nlink) // of another size on other systems
}
