package cgroup

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Fork starts a process in the group by fork, which gets attr completed. The caller has locked its goroutine to its
// thread.
//
// Version 2 takes the group with the clone (clone3(2), CLONE_INTO_CGROUP; Linux 5.7). In version 1, which can move
// single threads, the calling thread goes into the group, and a child starts in the group of the thread that forks it.
func (g Group) Fork(attr *syscall.SysProcAttr, fork func() error) error {
	for _, p := range []Part{g.CPU, g.Memory} {
		switch {
		case p.Dir == "":
		case p.Version1:
			if err := p.enter(); err != nil {
				return err
			}
			defer Part{Dir: filepath.Dir(p.Dir)}.enter() //nolint:errcheck // it came from there
		case !attr.UseCgroupFD:
			dir, err := os.OpenFile(p.Dir, unix.O_PATH|unix.O_DIRECTORY, 0)
			if err != nil {
				return fmt.Errorf("open control group: %w", err)
			}
			defer dir.Close()
			attr.UseCgroupFD, attr.CgroupFD = true, int(dir.Fd())
		}
	}
	return fork()
}

// enter moves the calling thread into a group of version 1.
func (p Part) enter() error {
	name := filepath.Join(p.Dir, "tasks")
	if err := os.WriteFile(name, []byte(strconv.Itoa(unix.Gettid())), 0); err != nil {
		return fmt.Errorf("enter control group: %w", err)
	}
	return nil
}
