package subject

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/gohone/hone/internal/sys/affinity"
	"github.com/gohone/hone/internal/testkit/leaktest"
)

func TestSubjectIsPinnedAndHoneIsNot(t *testing.T) {
	leaktest.None(t)
	cpus := needTwoCPUs(t)
	_, forSubject := affinity.SplitCPUs(cpus)
	p := start(t, server(t, "127.0.0.1:{port}"), StartOptions{Resources: Resources{CPUs: forSubject}})
	if got := tell(t, p, "cpus"); got != fmt.Sprint(forSubject) {
		t.Errorf("subject runs on %s, want %v", got, forSubject)
	}
	if after, err := affinity.AllowedCPUs(); err != nil || !slices.Equal(after, cpus) {
		t.Errorf("hone may run on %v, %v; want %v", after, err, cpus)
	}
	_,
		err := Start(t.Context(), server(t, "127.0.0.1:0"),
		withGuard(StartOptions{Resources: Resources{CPUs: []int{1000}}}))
	wantFail(t, err, 7, "pin the subject to CPUs [1000]")
}

// needTwoCPUs are the CPUs that hone may use, at least two; elsewhere the test is skipped.
func needTwoCPUs(t *testing.T) []int {
	t.Helper()
	cpus, err := affinity.AllowedCPUs()
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "linux" || len(cpus) < 2 {
		t.Skip("no pinning on this machine")
	}
	return cpus
}
