//go:build unix

package storedir

import (
	"io/fs"
	"syscall"
)

// LinksOf is how many names a file has.
func LinksOf(info fs.FileInfo) uint64 {
	stat, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return 1
	}
	return uint64(stat.Nlink) // of another size on other systems
}
