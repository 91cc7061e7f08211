package machine

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The machine's own clocks, while this test keeps a CPU busy until they have moved.
func TestGaugeOfThisMachine(t *testing.T) {
	g := OpenGauge()
	before := g.Read()
	if before.cpu.total == 0 || !before.load1.known {
		t.Fatalf("no /proc/stat or /proc/loadavg on Linux: %+v", before)
	}
	var d Disturbance
	for d.Busy == nil || *d.Busy < 5*tick || d.Steal == nil {
		d = g.Read().Since(before)
	}
	if d.Elapsed <= 0 || *d.Steal < 0 || *d.Steal > 1 || *d.Load1 < 0 {
		t.Errorf("disturbance %+v", d)
	}
	if _, err := os.ReadFile("/proc/pressure/cpu"); err == nil &&
		(d.CPUPressure == nil || *d.CPUPressure < 0 || *d.CPUPressure > 1) {
		t.Errorf("the kernel tells its CPU pressure, the gauge says %v", d.CPUPressure)
	}
	if text := d.String(); text == "" || text == (Disturbance{}).String() {
		t.Errorf("known conditions are written %q", text)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
}

// tree writes files below a fresh directory that stands for the root.
func tree(t *testing.T, files map[string]string) (root string, write func(name, text string)) {
	t.Helper()
	root = t.TempDir() + "/"
	write = func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
			os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		write(name, text)
	}
	return root, write
}

const mountsOfBoth = `31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
`

// A group without a quota inside one that has one: the kernel throttles the outer, and
// the readings add what any group with a quota lost.
func TestThrottlingOfControlGroups(t *testing.T) {
	for _, c := range []struct {
		name   string
		files  map[string]string
		writes map[string]string
		want   time.Duration // -1: unknown
	}{
		{"version 2, throttled by the group around it", map[string]string{
			"proc/self/cgroup":                        "0::/user/app\n",
			"proc/self/mountinfo":                     "30 23 0:26 / /sys/fs/cgroup rw shared:4 master:1 - cgroup2 cgroup2 rw,nsdelegate\n",
			"sys/fs/cgroup/user/app/cpu.stat":         "usage_usec 5\nnr_periods 0\nnr_throttled 0\nthrottled_usec 70\n",
			"sys/fs/cgroup/user/app/cpu.max":          "max 100000\n",
			"sys/fs/cgroup/user/cpu.stat":             "usage_usec 5\nnr_throttled 3\nthrottled_usec 2000\n",
			"sys/fs/cgroup/user/cpu.max":              "50000 100000\n",
			"sys/fs/cgroup/cpu.stat":                  "usage_usec 7\n",
			"sys/fs/cgroup/user/app/not/of/ours.stat": "",
		}, map[string]string{
			"sys/fs/cgroup/user/cpu.stat": "usage_usec 9\nnr_throttled 5\nthrottled_usec 14000\n",
		}, 12 * time.Millisecond},
		{"version 2 in a container, which sees its own top only", map[string]string{
			"proc/self/cgroup":       "0::/../other\n",
			"proc/self/mountinfo":    "30 23 0:26 /docker/x /sys/fs/cgroup rw - cgroup2 cgroup rw\n",
			"sys/fs/cgroup/cpu.stat": "throttled_usec 1\n",
			"sys/fs/cgroup/cpu.max":  "200000 100000\n",
		}, map[string]string{"sys/fs/cgroup/cpu.stat": "throttled_usec 8\n"}, 7 * time.Microsecond},
		{"version 1, mounted beside version 2", map[string]string{
			"proc/self/cgroup":                               "3:cpu,cpuacct:/a b\n0::/\n",
			"proc/self/mountinfo":                            mountsOfBoth,
			"sys/fs/cgroup/cpu,cpuacct/a b/cpu.stat":         "nr_periods 8\nnr_throttled 1\nthrottled_time 500\n",
			"sys/fs/cgroup/cpu,cpuacct/a b/cpu.cfs_quota_us": "20000\n",
			"sys/fs/cgroup/cpu,cpuacct/cpu.stat":             "nr_periods 0\nthrottled_time 0\n",
		}, map[string]string{"sys/fs/cgroup/cpu,cpuacct/a b/cpu.stat": "nr_throttled 2\nthrottled_time 1500\n"},
			time.Microsecond},
		{"no group has a quota: nothing can be throttled", map[string]string{
			"proc/self/cgroup":                   "3:cpu,cpuacct:/\n0::/\n",
			"proc/self/mountinfo":                mountsOfBoth,
			"sys/fs/cgroup/cpu,cpuacct/cpu.stat": "nr_throttled 0\nthrottled_time 0\n",
		}, nil, 0},
		{"no CPU controller in sight", map[string]string{
			"proc/self/cgroup":               "0::/\n",
			"proc/self/mountinfo":            mountsOfBoth,
			"sys/fs/cgroup/unified/cpu.stat": "usage_usec 5\n",
		}, nil, -1},
		{"no control groups", nil, nil, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, write := tree(t, c.files)
			g := openGauge(root)
			defer g.Close()
			before := g.Read()
			for name, text := range c.writes {
				write(name, text)
			}
			got := g.Read().Since(before).Throttled
			if c.want < 0 {
				if got != nil {
					t.Errorf("throttled for %v, want unknown", *got)
				}
				return
			}
			if got == nil || *got != c.want {
				t.Errorf("throttled for %v, want %v", got, c.want)
			}
		})
	}
}

// Pressure of a machine that is short of memory: some task waited for 30 ms, all for 10.
func TestPressure(t *testing.T) {
	const line = " avg10=0.00 avg60=0.00 avg300=0.00 total="
	root, write := tree(t, map[string]string{
		"proc/pressure/cpu":    "some" + line + "100\n",
		"proc/pressure/memory": "some" + line + "1000\nfull" + line + "500\n",
		"proc/pressure/io":     "some avg10=what\n",
	})
	g := openGauge(root)
	defer g.Close()
	before := g.Read()
	write("proc/pressure/memory", "some"+line+"31000\nfull"+line+"10500\n")
	write("proc/pressure/cpu", "some"+line+"50\n")
	after := g.Read()
	after.at = before.at.Add(100 * time.Millisecond)
	d := after.Since(before)
	if d.MemoryPressure == nil || *d.MemoryPressure != 0.3 || d.MemoryStall == nil || *d.MemoryStall != 0.1 {
		t.Errorf("memory pressure %v, stall %v, want 0.3 and 0.1", d.MemoryPressure, d.MemoryStall)
	}
	if d.CPUPressure != nil || d.IOPressure != nil || d.Steal != nil || d.Busy != nil || d.Load1 != nil {
		t.Errorf("a clock that ran backwards and files that are not there are unknown: %+v", d)
	}
	if want := "memory pressure 30.0 %"; d.String() != want || !d.Noticeable() {
		t.Errorf("%q, noticeable %v; want %q", d, d.Noticeable(), want)
	}
}

// BenchmarkGauge is what a reading before and after each slice costs.
func BenchmarkGauge(b *testing.B) {
	g := OpenGauge()
	defer g.Close()
	b.ReportAllocs()
	for b.Loop() {
		g.Read()
	}
}
