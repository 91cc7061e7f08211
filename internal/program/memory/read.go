package memory

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"syscall"

	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/fail"
)

// Ask asks the runtime of a process.
type Ask func(context.Context) (Classes, error)

// A process goes on while it is read: its runtime is asked before and after the kernel, and what it says has to differ
// by less than moved of what is resident, in one of as many attempts.
const (
	attempts = 3
	moved    = 0.005
)

// Read makes the account of a process. ask may be nil: the runtime is not asked then. Errors are fail.Subject where the
// process is gone, fail.Environment where it may not be looked at, or the context's; an error of ask is only missing in
// the account.
func Read(ctx context.Context, pid int, ask Ask) (*Account, error) {
	if runtime.GOOS != "linux" {
		return nil, fail.New(fail.Environment, "the mappings of a process are read on Linux only")
	}
	var a *Account
	least := uint64(1 << 63)
	for range attempts {
		before, after, err := Classes{}, Classes{}, error(nil)
		if ask != nil {
			before, err = ask(ctx)
		}
		all, errMaps := mappings(pid)
		if errMaps != nil {
			return nil, errMaps
		}
		if ask != nil && err == nil {
			after, err = ask(ctx)
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("ask the runtime of PID %d: %w", pid, ctx.Err())
		}
		if err != nil {
			before, after = Classes{}, Classes{}
		}
		apart := apart(before, after)
		if a == nil || apart < least {
			executable, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
			a, least = New(all, executable, after), apart
			a.addCached(pid, all)
			if err != nil {
				a.miss("the runtime of the process: %v", err)
			}
		}
		if float64(apart) <= moved*float64(a.Resident) {
			break
		}
	}
	a.PID = pid
	if float64(least) > 3*moved*float64(a.Resident) {
		a.miss("exact figures: the heap moved by %s while it was read", size(least))
	}
	if g, known := cgroup.MemoryOf(pid); known {
		a.Group = &g
	}
	return a, nil
}

// apart is by how much two readings differ.
func apart(p, q Classes) uint64 {
	distance := func(x, y uint64) uint64 { return max(x, y) - min(x, y) }
	return distance(p.Objects, q.Objects) + distance(p.Unused, q.Unused) + distance(p.Free, q.Free) +
		distance(p.Stacks, q.Stacks)
}

// mappings reads those of a process.
func mappings(pid int) ([]Mapping, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps", pid))
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, fail.New(fail.Environment, "read mappings of PID %d: %w", pid, err).
			WithHint("run hone as the user that the program runs as, or as root")
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ESRCH), err == nil && len(text) == 0:
		return nil, fail.New(fail.Subject, "PID %d has ended, or is not a program", pid)
	case err != nil:
		return nil, fail.New(fail.Environment, "read mappings of PID %d: %w", pid, err)
	}
	return ParseSmaps(bytes.NewReader(text))
}

// Environment is that with which a process was started; nil where it cannot be read.
func Environment(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
}

// addCached adds the open files that are in the page cache.
func (a *Account) addCached(pid int, all []Mapping) {
	mapped := map[uint64]bool{}
	for _, m := range all {
		if m.Inode != 0 {
			mapped[m.Inode] = true
		}
	}
	c, err := cachedOf(pid, mapped)
	if err != nil {
		a.miss("the page cache of its open files: %v", err)
		return
	}
	if c.Bytes == 0 {
		return
	}
	a.Cached = c
	most := uint64(0)
	if largest := a.Part(a.Largest); largest != nil {
		most = largest.Reducible
	}
	if c.Bytes > max(most, leastBytes) {
		a.Largest = PageCache
	}
}
