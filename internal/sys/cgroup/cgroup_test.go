package cgroup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// tree writes files below a directory that takes the place of /.
func tree(t *testing.T, files map[string]string) host {
	t.Helper()
	h := host{t.TempDir()}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(h.in(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(h.in(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

const mountOf2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n"

// A desktop by systemd: the terminal's own scope passes nothing on, the slice of the user's applications does.
var desktop = map[string]string{
	"proc/self/cgroup":    "0::/user.slice/user@1000.service/app.slice/term.scope\n",
	"proc/self/mountinfo": mountOf2,
	"sys/fs/cgroup/user.slice/user@1000.service/app.slice/term.scope/cgroup.subtree_control": "\n",
	"sys/fs/cgroup/user.slice/user@1000.service/app.slice/term.scope/cgroup.procs":           "77\n",
	"sys/fs/cgroup/user.slice/user@1000.service/app.slice/cgroup.subtree_control":            "cpu memory pids\n",
	"sys/fs/cgroup/user.slice/user@1000.service/app.slice/cgroup.procs":                      "",
	"sys/fs/cgroup/cgroup.subtree_control":                                                   "cpuset cpu io memory pids\n",
}

// A group of version 2 is made in the nearest group that passes its controllers on, with the limits in the kernel's
// words.
func TestVersion2(t *testing.T) {
	h := tree(t, desktop)
	g, err := h.place(Limits{CPUs: 0.5, Memory: 256 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if dirs := g.Dirs(); len(dirs) != 1 ||
		filepath.Dir(dirs[0]) != h.in("sys/fs/cgroup/user.slice/user@1000.service/app.slice") {
		t.Fatalf("it is at %v", dirs)
	}
	if err := g.Make(); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"cpu.max": "50000 100000", "memory.max": "268435456"} {
		if got, err := os.ReadFile(filepath.Join(g.CPU.Dir, file)); string(got) != want {
			t.Errorf("%s holds %q, %v; want %q", file, got, err, want)
		}
	}
	for file, text := range map[string]string{
		"cpu.stat":      "usage_usec 300\nnr_periods 12\nnr_throttled 9\nthrottled_usec 1500\nnr_bursts 0\n",
		"memory.events": "low 0\nhigh 0\nmax 7\noom 2\noom_kill 1\noom_group_kill 0\n",
		"memory.peak":   "268435456\n",
	} {
		if err := os.WriteFile(filepath.Join(g.CPU.Dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := Counters{Periods: 12, ThrottledPeriods: 9, Throttled: 1500 * time.Microsecond, OOMKills: 1,
		PeakMemory: 256 << 20}
	if got, err := g.Read(); got != want || err != nil {
		t.Errorf("counted %+v, %v; want %+v", got, err, want)
	}
}

// Version 1 has a directory for each controller, in the group of this process.
func TestVersion1(t *testing.T) {
	h := tree(t, map[string]string{
		"proc/self/cgroup":                          "3:cpu,cpuacct:/docker/77\n2:memory:/docker/77\n0::/\n",
		"proc/self/mountinfo":                       "32 31 0:29 /docker/77 /cg/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n33 31 0:30 /docker/77 /cg/memory rw - cgroup cgroup rw,memory\n",
		"cg/cpu,cpuacct/tasks":                      "",
		"cg/memory/memory.memsw.max_usage_in_bytes": "",
	})
	g, err := h.place(Limits{CPUs: 1.25, Memory: 100 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Dirs()) != 2 || filepath.Dir(g.CPU.Dir) != h.in("cg/cpu,cpuacct") ||
		filepath.Dir(g.Memory.Dir) != h.in("cg/memory") {
		t.Fatalf("it is at %v", g.Dirs())
	}
	if err := g.Make(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ dir, file, want string }{
		{g.CPU.Dir, "cpu.cfs_quota_us", "125000"}, {g.CPU.Dir, "cpu.cfs_period_us", "100000"},
		{g.Memory.Dir, "memory.limit_in_bytes", "104857600"},
	} {
		if got, _ := os.ReadFile(filepath.Join(c.dir, c.file)); string(got) != c.want {
			t.Errorf("%s holds %q, want %q", c.file, got, c.want)
		}
	}
	for name, text := range map[string]string{
		g.CPU.Dir + "/cpu.stat":                     "nr_periods 20\nnr_throttled 19\nthrottled_time 950000000\n",
		g.Memory.Dir + "/memory.oom_control":        "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n",
		g.Memory.Dir + "/memory.max_usage_in_bytes": "104857600\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := Counters{Periods: 20, ThrottledPeriods: 19, Throttled: 950 * time.Millisecond, OOMKills: 3,
		PeakMemory: 100 << 20}
	if got, err := g.Read(); got != want || err != nil {
		t.Errorf("counted %+v, %v; want %+v", got, err, want)
	}
}

// Where no group can be made the error names the group and what it lacks, and the hint what to do.
func TestWhereNoGroupCanBeMade(t *testing.T) {
	both := Limits{CPUs: 1, Memory: 64 << 20}
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no control groups": {nil, "this system shows no control groups"},
		"a container": {map[string]string{
			"proc/self/cgroup": "0::/\n", "proc/self/mountinfo": mountOf2,
			"sys/fs/cgroup/cgroup.subtree_control": "pids\n",
		}, "/sys/fs/cgroup passes no controller cpu, memory on to groups in it"},
		"no memory": {map[string]string{
			"proc/self/cgroup": "0::/\n", "proc/self/mountinfo": mountOf2,
			"sys/fs/cgroup/cgroup.subtree_control": "cpu pids\n",
		}, "/sys/fs/cgroup passes no controller memory on to groups in it"},
	} {
		_, err := tree(t, c.files).place(both)
		if err == nil || !strings.Contains(err.Error(), c.want) || fail.KindOf(err) != fail.Environment ||
			!strings.Contains(fail.HintOf(err), "systemd-run --user --scope") {
			t.Errorf("%s: %v (%s)", name, err, fail.HintOf(err))
		}
	}
	for _, l := range []Limits{{CPUs: 0.001}, {CPUs: -1}, {Memory: 256}, {CPUs: 1e9}} {
		if _, err := tree(t, desktop).place(l); fail.KindOf(err) != fail.BadInput {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

// The groups of hones that are gone are removed, those of living ones and those of others stay.
func TestSweep(t *testing.T) {
	h := tree(t, map[string]string{"proc/self/cgroup": "0::/\n", "proc/self/mountinfo": mountOf2})
	const gone = "2147483646" // above every PID (proc_sys_kernel(5), pid_max)
	mine := filepath.Base(mustPlace(t, tree(t, desktop)).CPU.Dir)
	for _, name := range []string{"hone-" + gone + "-1", mine, "hone-x", "system.slice"} {
		if err := os.MkdirAll(h.in("sys/fs/cgroup", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	h.sweep()
	for name, stays := range map[string]bool{"hone-" + gone + "-1": false, mine: true, "hone-x": true,
		"system.slice": true} {
		if _, err := os.Stat(h.in("sys/fs/cgroup", name)); (err == nil) != stays {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func mustPlace(t *testing.T, h host) Group {
	t.Helper()
	g, err := h.place(Limits{CPUs: 1})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestLimitsInWords(t *testing.T) {
	for want, l := range map[string]Limits{
		"": {}, "0.5 CPUs": {CPUs: 0.5}, "1 CPU, 1 GiB": {CPUs: 1, Memory: 1 << 30}, "256 MiB": {Memory: 256 << 20},
		"128000001 bytes": {Memory: 128_000_001},
	} {
		if got := l.String(); got != want {
			t.Errorf("%+v is %q, want %q", l, got, want)
		}
	}
	if err := errors.Join((Limits{CPUs: 0.25, Memory: 1 << 20}).Validate(), (Limits{}).Validate()); err != nil {
		t.Error(err)
	}
}

// FuzzCounters: whatever the files hold, no count is negative.
func FuzzCounters(f *testing.F) {
	f.Add("nr_periods 0\nnr_throttled 0\nthrottled_time 9223372036854775807\n")
	f.Add("throttled_usec 9223372036854775807\nthrottled_time -5")
	f.Fuzz(func(t *testing.T, text string) {
		if _, _, throttled := parseCPUStat(text); throttled < 0 {
			t.Errorf("throttled %v", throttled)
		}
	})
}
