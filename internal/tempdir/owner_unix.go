//go:build unix

package tempdir

import (
	"io/fs"
	"os"
	"syscall"
)

// isMine says whether a file belongs to the user of this process.
func isMine(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
