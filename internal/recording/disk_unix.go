//go:build linux || darwin || freebsd

package recording

import "golang.org/x/sys/unix"

// freeBytes is what an ordinary user can still write on the file system of dir.
func freeBytes(dir string) (uint64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	// Bavail is signed on some systems, and negative when root has eaten the reserve.
	return uint64(max(int64(st.Bavail), 0)) * uint64(st.Bsize), nil
}
