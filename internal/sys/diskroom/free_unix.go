//go:build linux || darwin || freebsd

package diskroom

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Free returns the bytes that an ordinary user can still write on the file system
// of dir. If dir does not exist yet, its nearest existing parent counts.
func Free(dir string) (uint64, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return 0, fmt.Errorf("read free space: %w", err)
	}
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		dir = filepath.Dir(dir)
	}
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, fmt.Errorf("read free space of %s: %w", dir, err)
	}
	// Bavail is signed on some systems, and negative when root has eaten the reserve.
	return uint64(max(int64(st.Bavail), 0)) * uint64(st.Bsize), nil
}
