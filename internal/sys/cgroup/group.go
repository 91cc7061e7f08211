package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Group is a control group with limits: a directory for each controller, one and the same in version 2. It can be sent
// to another process. The zero value stands for none.
type Group struct {
	Limits
	CPU    Part
	Memory Part
}

// Part is where a controller of a group is. Dir is empty where the controller has no limit to hold.
type Part struct {
	Dir      string
	Version1 bool
}

// Exists says whether it is a group at all.
func (g Group) Exists() bool { return len(g.Dirs()) > 0 }

// Dirs are its directories.
func (g Group) Dirs() (all []string) {
	for _, p := range []Part{g.CPU, g.Memory} {
		if p.Dir != "" && !slices.Contains(all, p.Dir) {
			all = append(all, p.Dir)
		}
	}
	return all
}

// Make makes the group and sets its limits. After an error nothing is left of it.
func (g Group) Make() error {
	for _, dir := range g.Dirs() {
		if err := os.Mkdir(dir, 0o755); err != nil {
			_ = g.Remove()
			return fmt.Errorf("make control group: %w", err)
		}
	}
	if err := g.limit(); err != nil {
		_ = g.Remove()
		return err
	}
	return nil
}

// limit writes the limits. Of memory nothing may go to swap, as in Kubernetes: a program that swaps is slow instead of
// ended.
func (g Group) limit() error {
	var errs []error
	if p := g.CPU; p.Dir != "" {
		period := strconv.FormatInt(Period.Microseconds(), 10)
		if p.Version1 {
			errs = append(errs, p.write("cpu.cfs_period_us", period), p.write("cpu.cfs_quota_us", g.quota()))
		} else {
			errs = append(errs, p.write("cpu.max", g.quota()+" "+period))
		}
	}
	if p := g.Memory; p.Dir != "" {
		limit, swap, none := strconv.FormatInt(g.Limits.Memory, 10), "memory.swap.max", "0"
		if p.Version1 {
			errs = append(errs, p.write("memory.limit_in_bytes", limit))
			swap, none = "memory.memsw.limit_in_bytes", limit
		} else {
			errs = append(errs, p.write("memory.max", limit))
		}
		if _, err := os.Stat(filepath.Join(p.Dir, swap)); err == nil { // kernels without swap have no such file
			errs = append(errs, p.write(swap, none))
		}
	}
	return errors.Join(errs...)
}

func (p Part) write(file, value string) error {
	if err := os.WriteFile(filepath.Join(p.Dir, file), []byte(value), 0o644); err != nil {
		return fmt.Errorf("set limit of control group: write %s: %w", value, err)
	}
	return nil
}

// removePatience is how long Remove waits for the processes of a group to vanish that got KILL.
const removePatience = 2 * time.Second

// Remove ends what is left in the group and removes it; a group that is gone already is not an error.
func (g Group) Remove() error {
	var errs []error
	for _, dir := range g.Dirs() {
		errs = append(errs, removeDir(dir))
	}
	return errors.Join(errs...)
}

func removeDir(dir string) error {
	for end := time.Now().Add(removePatience); ; time.Sleep(5 * time.Millisecond) {
		err := syscall.Rmdir(dir)
		switch {
		case err == nil || errors.Is(err, fs.ErrNotExist):
			return nil
		case !errors.Is(err, syscall.EBUSY) || time.Now().After(end):
			return &fs.PathError{Op: "remove control group", Path: dir, Err: err}
		}
		for _, pid := range processesIn(dir) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// processesIn are those in a group, without those in groups below it.
func processesIn(dir string) (pids []int) {
	text, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	if err != nil {
		return nil
	}
	for word := range strings.FieldsSeq(string(text)) {
		if pid, err := strconv.Atoi(word); err == nil && pid > 1 {
			pids = append(pids, pid)
		}
	}
	return pids
}
