package host

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sys/unix"
)

var update = flag.Bool("update", false, "rewrite testdata/golden.txt")

// fixture is a machine of files. Its clock, its name and its file systems are made up.
func fixture(proc, sys string) system {
	return system{
		proc:     proc,
		sys:      sys,
		pageSize: 4096,
		now:      func() time.Time { return time.Unix(1795263460, 250e6) },
		uname: func(to *unix.Utsname) error {
			copy(to.Sysname[:], "Linux")
			copy(to.Release[:], "6.18.44")
			copy(to.Version[:], "#1 SMP")
			copy(to.Machine[:], "x86_64")
			copy(to.Nodename[:], "bench\xff")
			copy(to.Domainname[:], "(none)")
			return nil
		},
		statfs: func(path string, to *unix.Statfs_t) error {
			if path == "/mnt/broken" {
				return unix.EIO
			}
			*to = unix.Statfs_t{Bsize: 4096, Blocks: 1000 + uint64(len(path)), Bfree: 500, Bavail: 400, Files: 64,
				Ffree: 32}
			return nil
		},
		patience: time.Minute, // nothing in here waits
	}
}

func mustOpen(t *testing.T, sys system) *Collector {
	t.Helper()
	c, err := open(sys)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestMetricsOfAFixture(t *testing.T) {
	c := mustOpen(t, fixture("testdata/proc", "testdata/sys"))
	got := exposition(t, gather(t, c))
	if *update {
		if err := os.WriteFile("testdata/golden.txt", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		if i >= len(gotLines) || i >= len(wantLines) || gotLines[i] != wantLines[i] {
			t.Fatalf("line %d differs from testdata/golden.txt (-update rewrites it): %q", i+1,
				gotLines[min(i, len(gotLines)-1)])
		}
	}
	if again := exposition(t, gather(t, c)); again != got {
		t.Error("a second scrape of the same files differs from the first")
	}
}

// Each file of the fixture, gone or spoilt, costs the metrics of its sources and no others.
func TestASourceThatFailsCostsItsOwnMetricsOnly(t *testing.T) {
	all := series(gather(t, mustOpen(t, fixture("testdata/proc", "testdata/sys"))))
	cases := []struct {
		file   string
		source []string
		prefix []string
	}{
		{"stat", []string{"cpu", "stat"}, []string{"node_cpu_", "node_intr", "node_context", "node_forks", "node_boot",
			"node_procs"}},
		{"loadavg", []string{"loadavg"}, []string{"node_load"}},
		{"schedstat", []string{"schedstat"}, []string{"node_schedstat_"}},
		{"pressure", []string{"pressure"}, []string{"node_pressure_"}},
		{"meminfo", []string{"meminfo"}, []string{"node_memory_"}},
		{"vmstat", []string{"vmstat"}, []string{"node_vmstat_"}},
		{"diskstats", []string{"diskstats"}, []string{"node_disk_"}},
		{"self/mountinfo", []string{"filesystem"}, []string{"node_filesystem_"}},
		{"sys/fs/file-nr", []string{"filefd"}, []string{"node_filefd_"}},
		{"net/dev", []string{"netdev"}, []string{"node_network_"}},
		{"net/netstat", []string{"netstat"}, []string{"node_netstat_TcpExt", "node_netstat_IpExt"}},
		{"net/snmp", []string{"netstat"}, []string{"node_netstat_Tcp_", "node_netstat_Udp_", "node_netstat_UdpLite_",
			"node_netstat_Ip_", "node_netstat_Icmp_"}},
		{"net/softnet_stat", []string{"softnet"}, []string{"node_softnet_"}},
	}
	for _, tc := range cases {
		t.Run(tc.file, func(t *testing.T) {
			proc := filepath.Join(t.TempDir(), "proc")
			if err := os.CopyFS(proc, os.DirFS("testdata/proc")); err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(filepath.Join(proc, tc.file)); err != nil {
				t.Fatal(err)
			}
			c := mustOpen(t, fixture(proc, "testdata/sys"))
			got := series(gather(t, c))

			want := maps.Clone(all)
			maps.DeleteFunc(want, func(name string, _ float64) bool {
				for _, prefix := range tc.prefix {
					if strings.HasPrefix(name, prefix) {
						return true
					}
				}
				return strings.HasPrefix(name, durationName)
			})
			for _, s := range tc.source {
				want[successName+"{collector="+s+"}"] = 0
			}
			for name, value := range got {
				if strings.HasPrefix(name, durationName) {
					continue
				}
				if expected, ok := want[name]; !ok || expected != value {
					t.Errorf("%s is %v, expected: %v %v", name, value, ok, expected)
				}
				delete(want, name)
			}
			for name := range want {
				t.Errorf("%s went missing, though it is not of %s", name, tc.file)
			}
		})
	}
}

// None of these may end the process or make the whole scrape fail.
func TestSpoiltFiles(t *testing.T) {
	cases := []struct{ file, text, source string }{
		{"stat", "cpu0 many ticks\n", "cpu"},
		{"stat", "softirq 1 2\n", "stat"},
		{"loadavg", "0.1\n", "loadavg"},
		{"pressure/io", "some avg10=high\n", "pressure"},
		{"meminfo", "MemTotal 12 kB\n", "meminfo"},
		{"meminfo", "MemTotal: 12 MB\n", "meminfo"},
		{"meminfo", "MemTotal: -1 kB\n", "meminfo"},
		{"vmstat", "pgfault\n", "vmstat"},
		{"vmstat", "pgfault x\n", "vmstat"},
		{"diskstats", "8 0 sda x\n", "diskstats"},
		{"self/mountinfo", "27 1 254:0 /\n", "filesystem"},
		{"sys/fs/file-nr", "1 2\n", "filefd"},
		{"sys/fs/file-nr", "1 2 x\n", "filefd"},
		{"net/dev", "a\nb\n eth0: 1 2 3\n", "netdev"}, // procfs indexes sixteen fields
		{"net/netstat", "TcpExt: A B\nTcpExt: 1\n", "netstat"},
		{"net/snmp", "Tcp: A\n", "netstat"},
		{"net/snmp", "Tcp: A\nUdp: 1\n", "netstat"},
		{"net/snmp", "\n\n", "netstat"},
		{"net/snmp6", "Ip6InOctets many\n", "netstat"},
		{"net/sockstat", "TCP: inuse\n", "sockstat"},
		{"net/softnet_stat", "1 2 3\n", "softnet"},
	}
	for _, tc := range cases {
		t.Run(tc.file, func(t *testing.T) {
			proc := filepath.Join(t.TempDir(), "proc")
			if err := os.CopyFS(proc, os.DirFS("testdata/proc")); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(proc, tc.file), []byte(tc.text), 0o644); err != nil {
				t.Fatal(err)
			}
			c := mustOpen(t, fixture(proc, "testdata/sys"))
			got := series(gather(t, c))
			for name, value := range got {
				source, isSuccess := strings.CutPrefix(name, successName+"{collector=")
				source = strings.TrimSuffix(source, "}")
				shared := tc.file == "stat" && (source == "cpu" || source == "stat")
				if isSuccess && (value == 0) != (source == tc.source || shared) {
					t.Errorf("%s is %v with %q in %s", name, value, tc.text, tc.file)
				}
			}
		})
	}
}

func TestAMachineWithoutProc(t *testing.T) {
	if _, err := open(fixture(filepath.Join(t.TempDir(), "none"), "testdata/sys")); err == nil ||
		!strings.Contains(err.Error(), "open metrics of the host") {
		t.Errorf("error %v", err)
	}
}

func TestAMachineWithoutSys(t *testing.T) {
	c := mustOpen(t, fixture("testdata/proc", filepath.Join(t.TempDir(), "none")))
	got := series(gather(t, c))
	if got[successName+"{collector=diskstats}"] != 0 || got[successName+"{collector=cpu}"] != 1 {
		t.Error("without /sys the disks, and they only, cannot be read")
	}
	for name := range got {
		if strings.Contains(name, "throttles") {
			t.Errorf("%s without /sys", name)
		}
	}
}

// This very machine: all sources that every Linux has are read, and no counter goes back.
func TestThisMachine(t *testing.T) {
	c, err := New()
	if err != nil {
		t.Fatal(err)
	}
	first := gather(t, c)
	got := series(first)
	for name, success := range got {
		optional := strings.HasSuffix(name, "=schedstat}") || strings.HasSuffix(name, "=pressure}") // of some kernels
		if strings.HasPrefix(name, successName) && success != 1 && !optional {
			t.Errorf("%s is %v", name, success)
		}
	}
	for _, name := range []string{
		"node_memory_MemTotal_bytes{}", "node_boot_time_seconds{}", "node_time_seconds{}",
		"node_context_switches_total{}",
		"node_cpu_seconds_total{cpu=0,mode=idle}", "node_filefd_allocated{}",
		"node_network_receive_bytes_total{device=lo}",
		"node_netstat_Tcp_OutSegs{}", "node_vmstat_pgfault{}", "node_sockstat_TCP_inuse{}",
	} {
		if _, ok := got[name]; !ok {
			t.Errorf("no %s", name)
		}
	}
	later := gather(t, c)
	after := series(later)
	for _, f := range first {
		if f.GetType().String() != "COUNTER" {
			continue
		}
		for name, value := range got {
			if strings.HasPrefix(name, f.GetName()+"{") && after[name] < value &&
				!strings.HasPrefix(name, "node_softnet_") {
				t.Errorf("%s went from %v to %v", name, value, after[name])
			}
		}
	}
}

// Two scrapes at once: of hone's own store and of its endpoint.
func TestScrapesAtTheSameTime(t *testing.T) {
	c := mustOpen(t, fixture("testdata/proc", "testdata/sys"))
	var all [4]string
	var scrapes sync.WaitGroup
	for i := range all {
		scrapes.Go(func() { all[i] = exposition(t, gather(t, c)) })
	}
	scrapes.Wait()
	for _, one := range all {
		if one == "" || one != all[0] {
			t.Error("scrapes at the same time differ")
		}
	}
}

func TestClocksOfACPUDoNotGoBack(t *testing.T) {
	at := func(user, idle, iowait float64) cpuClocks { return cpuClocks{0: user, idleClock: idle, 4: iowait} }
	var held cpuClocks
	for _, step := range []struct {
		what      string
		now, want cpuClocks
	}{
		{"first reading", at(10, 100, 5), at(10, 100, 5)},
		{"idle and iowait fall by ticks", at(11, 99.5, 4.9), at(11, 100, 5)},
		{"and pass", at(12, 101, 5.2), at(12, 101, 5.2)},
		{"the CPU was away", at(1, 2, 0), at(1, 2, 0)},
	} {
		held = held.advance(step.now)
		if held != step.want {
			t.Errorf("%s: %v, want %v", step.what, held, step.want)
		}
	}
}

func BenchmarkScrapeOfThisMachine(b *testing.B) {
	c, err := New()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		out := make(chan prometheus.Metric)
		go func() {
			c.Collect(out)
			close(out)
		}()
		for range out {
		}
	}
}
