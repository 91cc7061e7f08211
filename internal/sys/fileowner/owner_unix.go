//go:build unix

// Package fileowner tells whose a file is.
package fileowner

import (
	"io/fs"
	"syscall"
)

// Of returns the number of the user that a file belongs to. known is false where the system
// does not say.
func Of(info fs.FileInfo) (uid int, known bool) {
	stat, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return 0, false
	}
	return int(stat.Uid), true
}
