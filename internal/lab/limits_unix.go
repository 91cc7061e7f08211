//go:build unix

package lab

import "syscall"

// openFilesLimit is how many files this process may open: the hard limit, since the
// Go runtime raises the soft one to it.
func openFilesLimit() (uint64, error) {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return 0, err
	}
	return uint64(l.Max), nil
}
