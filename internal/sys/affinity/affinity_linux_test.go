package affinity

import (
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/fail/failtest"
)

func TestPinSelf(t *testing.T) {
	cpus := twoCPUs(t)
	// Every thread answers, also one that did not exist before.
	everywhere := func() [][]int {
		var all [][]int
		_ = eachThread(os.Getpid(), func(tid int) (bool, error) {
			set, err := ThreadCPUs(tid)
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
	failtest.Want(t, err, fail.Environment, "[1000]")
	if after, err := AllowedCPUs(); err != nil || !slices.Equal(after, cpus) {
		t.Errorf("after a failed pin hone may run on %v, %v", after, err)
	}
}
