package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// usage is what one process took.
type usage struct {
	user, system, real time.Duration
	residentKB         int64
	// hidden says that residentKB is a bound only: the kernel counts in a process's peak
	// what was resident before its exec, that is this process, which was no smaller.
	hidden bool
}

// measure runs a program and returns what it took and what it printed.
func measure(ctx context.Context, args []string) (usage, string, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	began := time.Now()
	err := cmd.Run()
	took := time.Since(began)
	if err != nil {
		return usage{}, "", fmt.Errorf("%w\n%s", err, stderr.Bytes())
	}
	own, child := new(syscall.Rusage), cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, own); err != nil {
		return usage{}, "", err
	}
	return usage{
		user: cmd.ProcessState.UserTime(), system: cmd.ProcessState.SystemTime(), real: took,
		residentKB: residentKB(child), hidden: child.Maxrss <= own.Maxrss,
	}, stdout.String(), nil
}

// residentKB is the peak in kB; macOS counts bytes.
func residentKB(u *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return u.Maxrss / 1024
	}
	return u.Maxrss
}

// table has a line for each program: medians, and the least and greatest user time.
func table(programs []contestant) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-10s %8s %8s %8s %12s   %s\n", "program", "user", "system", "real", "resident", "user, least to greatest")
	for _, p := range programs {
		user := sorted(p.runs, func(u usage) time.Duration { return u.user })
		system := sorted(p.runs, func(u usage) time.Duration { return u.system })
		took := sorted(p.runs, func(u usage) time.Duration { return u.real })
		resident := sorted(p.runs, func(u usage) int64 { return u.residentKB })
		memory := fmt.Sprintf("%d kB", median(resident))
		if slices.ContainsFunc(p.runs, func(u usage) bool { return u.hidden }) {
			memory = "<= " + memory
		}
		fmt.Fprintf(&b, "%-10s %7.2fs %7.2fs %7.2fs %12s   %.2f to %.2f s\n", p.name, median(user).Seconds(), median(system).Seconds(),
			median(took).Seconds(), memory, user[0].Seconds(), user[len(user)-1].Seconds())
	}
	return b.String()
}

func sorted[T cmp.Ordered](runs []usage, of func(usage) T) []T {
	all := make([]T, len(runs))
	for i, u := range runs {
		all[i] = of(u)
	}
	slices.Sort(all)
	return all
}

// median is the lower one of an even number.
func median[T any](sorted []T) T { return sorted[(len(sorted)-1)/2] }
