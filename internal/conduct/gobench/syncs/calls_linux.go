package syncs

import "golang.org/x/sys/unix"

// call is a system call as a thread enters it.
type call struct {
	number uint64
	args   [6]uint64
}

// did counts a call that has succeeded, if it waits for a disk. Descriptors are taken for those of one process: a
// benchmark that opens files in several, some with O_SYNC, may be counted wrongly.
func (t *tracer) did(c call, result uint64) {
	switch c.number {
	case unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_SYNC, unix.SYS_SYNCFS, unix.SYS_SYNC_FILE_RANGE:
		t.calls++
	case unix.SYS_MSYNC:
		if c.args[2]&unix.MS_SYNC != 0 {
			t.calls++
		}
	case unix.SYS_OPENAT:
		t.synced[result] = c.args[2]&unix.O_DSYNC != 0 // a part of O_SYNC
	case unix.SYS_WRITE, unix.SYS_PWRITE64, unix.SYS_WRITEV, unix.SYS_PWRITEV:
		if t.synced[c.args[0]] {
			t.calls++
		}
	case unix.SYS_PWRITEV2:
		if t.synced[c.args[0]] || c.args[5]&(unix.RWF_DSYNC|unix.RWF_SYNC) != 0 {
			t.calls++
		}
	case unix.SYS_CLOSE:
		delete(t.synced, c.args[0])
	}
}
