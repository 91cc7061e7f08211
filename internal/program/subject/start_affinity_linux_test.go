package subject

import (
	"fmt"
	"os"
	"testing"

	"github.com/gohone/hone/internal/sys/affinity"
)

// The subject's threads run elsewhere for a while, and then where they did.
func TestSpreadOver(t *testing.T) {
	cpus := needTwoCPUs(t)
	_, forSubject := affinity.SplitCPUs(cpus)
	p := start(t, server(t, "127.0.0.1:{port}"), StartOptions{Resources: Resources{CPUs: forSubject}})
	runsOn := func(want []int) {
		t.Helper()
		set := affinity.Set(want)
		tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", p.PID()))
		for _, task := range tasks {
			tid := number(t, task.Name())
			if got, err := affinity.ThreadCPUs(tid); err == nil && got != set {
				t.Errorf("thread %d does not run on %v", tid, want)
			}
		}
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
