package machine

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gohone/hone/internal/sys/cgroup"
)

// Of the groups that a process is in those with a quota count, as the kernel wrote it for a container with half a CPU.
func TestQuotasOfAProcess(t *testing.T) {
	root := t.TempDir() + "/"
	for name, text := range map[string]string{
		"proc/77/cgroup":      "0::/kubepods.slice/pod1/app\n",
		"proc/self/mountinfo": "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n",
		"sys/fs/cgroup/kubepods.slice/pod1/app/cpu.max":  "50000 100000\n",
		"sys/fs/cgroup/kubepods.slice/pod1/app/cpu.stat": "nr_periods 21\nnr_throttled 17\nthrottled_usec 1043210\n",
		"sys/fs/cgroup/kubepods.slice/pod1/cpu.max":      "max 100000\n",
		"sys/fs/cgroup/kubepods.slice/pod1/cpu.stat":     "nr_periods 99\nnr_throttled 99\nthrottled_usec 99\n",
	} {
		if err := os.MkdirAll(filepath.Dir(root+name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(root+name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := cgroup.Counters{Periods: 21, ThrottledPeriods: 17, Throttled: 1043210 * time.Microsecond}
	if got := quotasBelow(root, 77); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := quotasBelow(root, 78); got != (cgroup.Counters{}) {
		t.Errorf("of no process: %+v", got)
	}
}
