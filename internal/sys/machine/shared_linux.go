package machine

import "golang.org/x/sys/unix"

// SharedMemory is how many bytes of memory hold files of tmpfs, memory that processes share, and the like, on the whole
// machine: what is in no process's resident set until one maps it. It takes one system call.
func SharedMemory() (bytes int64, known bool) {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0, false
	}
	return int64(info.Sharedram) * int64(info.Unit), true
}
