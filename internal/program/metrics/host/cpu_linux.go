package host

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"
)

// cpuClocks are the clocks of one CPU in seconds, in the order of /proc/stat (proc_stat(5)).
type cpuClocks [10]float64

// idleClock is the index of the time without work.
const idleClock = 3

// cpuModes names the clocks but for the last two. The times of guests are in user and nice,
// too, and therefore have a metric of their own.
var cpuModes = [8]string{"user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"}

const (
	cpuHelp   = "Seconds the CPU spent in each mode."
	guestHelp = "Seconds the CPU spent running guests, by the mode that has them as well."
)

func (m *machine) readCPU(s *scrape) error {
	stat, err := m.stat()
	if err != nil {
		return err
	}
	for id, now := range stat.CPU {
		held := m.clocks[id].advance(clocksOf(now))
		m.clocks[id] = held
		cpu := label{"cpu", strconv.FormatInt(id, 10)}
		for i, mode := range cpuModes {
			s.counter("node_cpu_seconds_total", cpuHelp, held[i], cpu, label{"mode", mode})
		}
		s.counter("node_cpu_guest_seconds_total", guestHelp, held[8], cpu, label{"mode", "user"})
		s.counter("node_cpu_guest_seconds_total", guestHelp, held[9], cpu, label{"mode", "nice"})
	}
	for _, t := range m.throttles {
		t.read(s)
	}
	return nil
}

func clocksOf(c procfs.CPUStat) cpuClocks {
	return cpuClocks{c.User, c.Nice, c.System, c.Idle, c.Iowait, c.IRQ, c.SoftIRQ, c.Steal, c.Guest, c.GuestNice}
}

// advance returns the clocks to show for a reading. The kernel's idle and iowait clocks go
// back by some ticks now and then (proc_stat(5)), which Prometheus would take for a restart
// and turn into a jump of all the CPU time since boot. So a clock stands until it is passed,
// unless it fell so far that the CPU was offline: then it began at 0 again. 3 s is node_exporter's
// limit.
func (held cpuClocks) advance(now cpuClocks) cpuClocks {
	if held[idleClock]-now[idleClock] >= 3 {
		return now
	}
	for i := range held {
		held[i] = max(held[i], now[i])
	}
	return held
}

// throttle is a file that counts how often heat slowed a core, or a package, down.
// Virtual machines have none.
type throttle struct {
	path       string
	name, help string
	labels     []label
}

// findThrottles lists the counters of all cores and packages, one of each: the CPUs of a
// core have the same numbers.
func findThrottles(sys string) []throttle {
	cpus, err := filepath.Glob(filepath.Join(sys, "devices/system/cpu/cpu[0-9]*"))
	if err != nil {
		return nil
	}
	var all []throttle
	seen := map[string]bool{}
	add := func(key string, t throttle) {
		if _, err := os.Stat(t.path); err == nil && !seen[key] {
			seen[key] = true
			all = append(all, t)
		}
	}
	for _, cpu := range cpus {
		pack, err1 := readText(filepath.Join(cpu, "topology/physical_package_id"))
		core, err2 := readText(filepath.Join(cpu, "topology/core_id"))
		if errors.Join(err1, err2) != nil {
			continue // offline
		}
		add("core "+pack+"/"+core, throttle{
			path:   filepath.Join(cpu, "thermal_throttle/core_throttle_count"),
			name:   "node_cpu_core_throttles_total",
			help:   "Times that this core was slowed down because of its heat.",
			labels: []label{{"package", pack}, {"core", core}},
		})
		add("package "+pack, throttle{
			path:   filepath.Join(cpu, "thermal_throttle/package_throttle_count"),
			name:   "node_cpu_package_throttles_total",
			help:   "Times that this package was slowed down because of its heat.",
			labels: []label{{"package", pack}},
		})
	}
	return all
}

// read sends the count, or nothing while its CPU is offline.
func (t throttle) read(s *scrape) {
	text, err := readText(t.path)
	if err != nil {
		return
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		s.counter(t.name, t.help, float64(n), t.labels...)
	}
}

// readText reads a small file without the white space around its text.
func readText(path string) (string, error) {
	text, err := os.ReadFile(path)
	return strings.TrimSpace(string(text)), err
}
