//go:build unix

package preflight

import "syscall"

// OpenFiles is how many files this process may open. It is the hard limit: the Go runtime
// has raised the soft one to it. Raising it here as well would pass the raised limit on
// to child processes, which the runtime takes care not to do.
func OpenFiles() (limit uint64, ok bool) {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return 0, false
	}
	return uint64(l.Max), true
}
