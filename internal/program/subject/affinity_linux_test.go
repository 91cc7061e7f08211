package subject

import (
	"os"
	"runtime"
	"slices"
	"testing"
)

func TestPinSelf(t *testing.T) {
	cpus := twoCPUs(t)
	// Every thread answers, also one that did not exist before.
	everywhere := func() [][]int {
		var all [][]int
		_ = eachThread(os.Getpid(), func(tid int) (bool, error) {
			set, err := threadCPUs(tid)
			var list []int
			for cpu := range 1024 {
				if set.IsSet(cpu) {
					list = append(list, cpu)
				}
			}
			all = append(all, list)
			return false, err
		})
		return all
	}
	procs := runtime.GOMAXPROCS(0)
	restore, err := PinSelf(cpus[:1])
	if err != nil {
		t.Fatal(err)
	}
	if got := runtime.GOMAXPROCS(0); got < leastProcs {
		t.Errorf("GOMAXPROCS is %d on one CPU, want %d", got, leastProcs)
	}
	running, end := make(chan struct{}), make(chan struct{})
	for range 4 { // locked goroutines make threads of their own
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			running <- struct{}{}
			<-end
		}()
	}
	for range 4 {
		<-running
	}
	for _, got := range everywhere() {
		if !slices.Equal(got, cpus[:1]) {
			t.Errorf("a thread runs on %v, want %v", got, cpus[:1])
		}
	}
	restore()
	if got := runtime.GOMAXPROCS(0); got != procs {
		t.Errorf("after restore GOMAXPROCS is %d, want %d", got, procs)
	}
	for _, got := range everywhere() {
		if !slices.Equal(got, cpus) {
			t.Errorf("after restore a thread runs on %v, want %v", got, cpus)
		}
	}
	close(end)
	_, err = PinSelf([]int{1000})
	wantFail(t, err, 7, "[1000]")
	if after, err := AllowedCPUs(); err != nil || !slices.Equal(after, cpus) {
		t.Errorf("after a failed pin hone may run on %v, %v", after, err)
	}
}

// The subject's threads run elsewhere for a while, and then where they did.
func TestSpreadOver(t *testing.T) {
	cpus := twoCPUs(t)
	_, forSubject := SplitCPUs(cpus)
	p := start(t, server(t, "127.0.0.1:{port}"), StartOptions{CPUs: forSubject})
	runsOn := func(want []int) {
		t.Helper()
		set := cpuSet(want)
		_ = eachThread(p.pid, func(tid int) (bool, error) {
			if got, err := threadCPUs(tid); err == nil && got != set {
				t.Errorf("thread %d does not run on %v", tid, want)
			}
			return false, nil
		})
	}
	restore, err := p.SpreadOver(cpus)
	if err != nil {
		t.Fatal(err)
	}
	runsOn(cpus)
	restore()
	runsOn(forSubject)
	if _, err := p.SpreadOver([]int{1000}); err == nil {
		t.Error("it runs on a CPU that is not there")
	}
	runsOn(forSubject)
}
