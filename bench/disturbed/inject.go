package disturbed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/internal/sys/machine"
)

// injected is what a disturbance did, by the case's own clocks.
type injected struct {
	// CPU is what programs that spin got, Stops how often something was stopped, Throttled in how many periods the
	// service's quota was used up, by the kernel's count.
	CPU       time.Duration `json:"cpu_ns,omitempty"`
	Stops     int           `json:"stops,omitempty"`
	Throttled uint64        `json:"throttled_periods,omitempty"`
	// Waited is the part of the slowest hundredth of the requests that the service waited for what it asks or writes
	// to, by its own clock.
	Waited float64 `json:"waited"`
	// For is how long the service lived.
	For time.Duration `json:"for_ns"`
}

// The least that an injection has to do.
const (
	leastSpun      = 0.1 // of one CPU
	leastStops     = 5
	leastThrottled = 20
	leastWaited    = 0.5
)

// failure says why an injection did not do what it is for; empty if it did.
func (i injected) failure(c cause) string {
	switch {
	case c == hog && i.CPU < time.Duration(leastSpun*float64(i.For)):
		return fmt.Sprintf("what spins got %v of CPU in %v", i.CPU, i.For)
	case (c == stopped || c == backend) && i.Stops < leastStops:
		return fmt.Sprintf("%d stops", i.Stops)
	case c == quota && i.Throttled < leastThrottled:
		return fmt.Sprintf("the quota was used up in %d periods", i.Throttled)
	case (c == backend || c == disk) && i.Waited < leastWaited:
		return fmt.Sprintf("the slowest requests waited for %.0f %% of their time", 100*i.Waited)
	}
	return ""
}

// stage is what stands around one run: helpers, and files that the service writes.
type stage struct {
	task
	helper, dir string
	// args are the service's.
	args     []string
	children []*proc.Child
	proxy    *proc.Child
}

func (s *stage) path(name string) string { return filepath.Join(s.dir, name) }

// set starts what the service needs: a backend with a proxy, or a collector.
func (s *stage) set(ctx context.Context) error {
	s.args = []string{"-pid", s.path("pid"), "-record", s.path("record")}
	switch s.Service {
	case relay:
		behind, err := proc.Serve(ctx, -1, proc.Command{Program: s.helper, Args: []string{"backend"}})
		if err != nil {
			return err
		}
		s.children = append(s.children, behind.Child)
		before, err := proc.Serve(ctx, -1, proc.Command{Program: s.helper, Args: []string{"proxy", "-to", behind.Addr}})
		if err != nil {
			return err
		}
		s.children, s.proxy = append(s.children, before.Child), before.Child
		s.args = append(s.args, "-backend", before.Addr)
	case journal:
		if err := unix.Mkfifo(s.path("pipe"), 0o600); err != nil {
			return fmt.Errorf("make a pipe: %w", err)
		}
		args := []string{"collect", "-path", s.path("pipe")}
		if s.Cause == disk {
			args = append(args, "-on", s.On.String(), "-off", s.Off.String())
		}
		if err := s.start(ctx, -1, args...); err != nil {
			return err
		}
		s.args = append(s.args, "-journal", s.path("pipe"))
	case through:
		s.args = append(s.args, "-through", s.path("through"))
	}
	return nil
}

func (s *stage) start(ctx context.Context, cpu int, args ...string) error {
	p, err := proc.Start(ctx, cpu, proc.Command{Program: s.helper, Args: args})
	if err == nil {
		s.children = append(s.children, p)
	}
	return err
}

// disturb waits until the service listens, disturbs it until ctx ends, and says what that did.
func (s *stage) disturb(ctx context.Context) (did injected, err error) {
	pid, err := s.await(ctx)
	if err != nil {
		return did, err
	}
	began := time.Now()
	defer func() { did.For, did.Waited = time.Since(began), waitedShare(s.path("record")) }()
	mine, rest, err := cpusOf(pid)
	if err != nil {
		return did, err
	}
	// What the service asks must not take its CPUs.
	for _, p := range s.children {
		if rest.Count() > 0 {
			bind(p.Pid(), &rest)
		}
	}
	var spinning []*proc.Child
	switch s.Cause {
	case hog:
		for _, cpu := range mine {
			if err := s.start(ctx, cpu, "spin", "-threads", fmt.Sprint(s.Strength), "-on", s.On.String(), "-off",
				s.Off.String()); err != nil {
				return did, err
			}
			spinning = append(spinning, s.children[len(s.children)-1])
		}
	case stopped:
		did.Stops = stopNowAndThen(ctx, pid, s.On, s.Off)
	case backend:
		did.Stops = stopNowAndThen(ctx, s.proxy.Pid(), s.On, s.Off)
	case quota:
		did.Throttled = throttledUntil(ctx, pid)
	case disk:
		if s.Service == through {
			if err := s.start(ctx, -1, "write", "-path", s.dir, "-threads", fmt.Sprint(s.Strength)); err != nil {
				return did, err
			}
			bind(s.children[len(s.children)-1].Pid(), &rest)
		}
	}
	<-ctx.Done()
	for _, p := range spinning {
		if used, err := proc.CPUTime(p.Pid()); err == nil {
			did.CPU += used
		}
	}
	return did, nil
}

// strike ends all helpers.
func (s *stage) strike() {
	for _, p := range s.children {
		p.Stop()
	}
}

// await is the number of the service's process when it listens.
func (s *stage) await(ctx context.Context) (pid int, err error) {
	for {
		if text, err := os.ReadFile(s.path("pid")); err == nil && len(text) > 0 {
			return strconv.Atoi(string(text))
		}
		select {
		case <-ctx.Done():
			return 0, errors.New("the service did not start")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// cpusOf are the CPUs on which a process may run, and the others.
func cpusOf(pid int) (mine []int, rest unix.CPUSet, err error) {
	var its unix.CPUSet
	if err := unix.SchedGetaffinity(pid, &its); err != nil {
		return nil, rest, fmt.Errorf("read the CPUs of the service: %w", err)
	}
	if err := unix.SchedGetaffinity(0, &rest); err != nil {
		return nil, rest, err
	}
	for cpu := range len(its) * 64 {
		if its.IsSet(cpu) {
			mine = append(mine, cpu)
			rest.Clear(cpu)
		}
	}
	return mine, rest, nil
}

// bind binds all threads of a process to some CPUs, as far as it is still there.
func bind(pid int, to *unix.CPUSet) {
	threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, t := range threads {
		if id, err := strconv.Atoi(t.Name()); err == nil {
			_ = unix.SchedSetaffinity(id, to)
		}
	}
}

// stopNowAndThen stops a process for on, and lets it go on for off, until ctx ends or it does; it goes on at the end.
func stopNowAndThen(ctx context.Context, pid int, on, off time.Duration) (n int) {
	defer func() { _ = syscall.Kill(pid, syscall.SIGCONT) }()
	for {
		select {
		case <-ctx.Done():
			return n
		case <-time.After(off):
		}
		if syscall.Kill(pid, syscall.SIGSTOP) != nil {
			return n
		}
		n++
		time.Sleep(on)
		if syscall.Kill(pid, syscall.SIGCONT) != nil {
			return n
		}
	}
}

// throttledUntil counts until ctx ends in how many periods a process had used up its quota.
func throttledUntil(ctx context.Context, pid int) (n uint64) {
	for {
		n = max(n, machine.Quotas(pid).ThrottledPeriods)
		select {
		case <-ctx.Done():
			return n
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// waitedShare reads the service's record: the part of the slowest requests that they waited.
func waitedShare(path string) float64 {
	text, _ := os.ReadFile(path)
	var whole, waited int64
	for one := range strings.Lines(string(text)) {
		var requests, slow, in int64
		if _, err := fmt.Sscanf(one, `{"requests":%d,"slow_ns":%d,"waited_ns":%d}`, &requests, &slow, &in); err == nil {
			whole, waited = whole+slow, waited+in
		}
	}
	if whole == 0 {
		return 0
	}
	return float64(waited) / float64(whole)
}
