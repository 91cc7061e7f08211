package usage

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// TestWhichCallsTheKernelCounts holds the names of the measures against the kernel: the
// counters that read and write calls come from count read, write and their relatives, and
// sendfile as one of each. They do not count recv and send.
func TestWhichCallsTheKernelCounts(t *testing.T) {
	runtime.LockOSThread() // the counters are those of this thread
	defer runtime.UnlockOSThread()
	counters := func() (s sample) {
		text, err := os.ReadFile("/proc/thread-self/io")
		if err != nil {
			t.Skipf("this system counts no calls: %v", err)
		}
		parseIO(text, &s)
		return s
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(pair[0])
	defer unix.Close(pair[1])
	file, err := os.CreateTemp(t.TempDir(), "file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	here, there, disk, one := pair[0], pair[1], int(file.Fd()), make([]byte, 1)
	// so that one byte waits; it is not counted, as the last row shows
	fill := func() error { return unix.Send(there, one, 0) }
	var nothing counted
	calls := []struct {
		name          string
		reads, writes uint64
		call          func() error
	}{
		{"nothing", 0, 0, func() error { return nil }},
		{"send", 0, 0, fill},
		{"recv", 0, 0, func() error { _, _, err := unix.Recvfrom(here, one, 0); return err }},
		{"recvmsg", 0, 0, func() error { _, _, _, _, err := unix.Recvmsg(here, one, nil, 0); return err }},
		{"sendmsg", 0, 0, func() error { return unix.Sendmsg(there, one, nil, nil, 0) }},
		{"read", 1, 0, func() error { _, err := unix.Read(here, one); return err }},
		{"readv", 1, 0, func() error { _, err := unix.Readv(here, [][]byte{one}); return err }},
		{"pread", 1, 0, func() error { _, err := unix.Pread(disk, one, 0); return err }},
		{"write", 0, 1, func() error { _, err := unix.Write(here, one); return err }},
		{"writev", 0, 1, func() error { _, err := unix.Writev(here, [][]byte{one}); return err }},
		{"sendfile", 1, 1, func() error {
			at := int64(0)
			_, err := unix.Sendfile(here, disk, &at, 1)
			return err
		}},
	}
	for i, c := range calls {
		var got counted
		for try := range 5 { // the least: now and then Go's runtime writes from this thread, too, to wake its poller
			if err := fill(); err != nil {
				t.Fatal(err)
			}
			before := counters()
			if err := c.call(); err != nil {
				t.Fatal(fmt.Errorf("%s: %w", c.name, err))
			}
			after := counters()
			one := counted{after.ReadCalls - before.ReadCalls, after.WriteCalls - before.WriteCalls}
			if try == 0 {
				got = one
			}
			got = counted{min(got.reads, one.reads), min(got.writes, one.writes)}
		}
		if i == 0 {
			nothing = got // what reading the counters takes
		}
		if want := (counted{nothing.reads + c.reads, nothing.writes + c.writes}); got != want {
			t.Errorf("%s counts as %d reads and %d writes, want %d and %d", c.name, got.reads-nothing.reads,
				got.writes-nothing.writes, c.reads, c.writes)
		}
	}
}

type counted struct{ reads, writes uint64 }
