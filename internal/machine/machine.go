// Package machine describes the machine that a measurement was taken on, and what it
// took away from it meanwhile.
package machine

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Description is what a later reader of a measurement has to know about the machine.
// What a system does not tell stays empty.
type Description struct {
	GoVersion   string  `json:"go_version"` // that hone was built with
	OS          string  `json:"os"`
	Arch        string  `json:"arch"`
	Kernel      string  `json:"kernel,omitempty"`
	CPUModel    string  `json:"cpu_model,omitempty"`
	CPUs        int     `json:"cpus"`
	LoadAverage float64 `json:"load_average"` // over one minute, when it was described
}

// Describe describes this machine.
func Describe() Description {
	return Description{
		GoVersion: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		Kernel:      strings.TrimSpace(readText("/proc/sys/kernel/osrelease")),
		CPUModel:    cpuModel(readText("/proc/cpuinfo")),
		CPUs:        runtime.NumCPU(),
		LoadAverage: firstFloat(readText("/proc/loadavg")),
	}
}

// cpuModel finds the first "model name" of /proc/cpuinfo.
func cpuModel(cpuinfo string) string {
	for line := range strings.Lines(cpuinfo) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// CPUTimes are the machine's CPU times in clock ticks (proc_stat(5), line "cpu").
type CPUTimes struct{ steal, total uint64 }

// ReadCPUTimes reads them; they are zero where the system does not tell.
func ReadCPUTimes() CPUTimes { return parseCPUTimes(readText("/proc/stat")) }

func parseCPUTimes(stat string) CPUTimes {
	line, _, _ := strings.Cut(stat, "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return CPUTimes{}
	}
	var t CPUTimes
	// Fields 9 and 10 (guest) are contained in user and nice already.
	for i, f := range fields[1:9] {
		n, err := strconv.ParseUint(f, 10, 64)
		if err != nil {
			return CPUTimes{}
		}
		t.total += n
		if i == 7 {
			t.steal = n
		}
	}
	return t
}

// StealSince is the share of the CPU time since earlier that the hypervisor took, 0 to
// 1; 0 where unknown.
func (t CPUTimes) StealSince(earlier CPUTimes) float64 {
	if t.total <= earlier.total || t.steal < earlier.steal {
		return 0
	}
	return float64(t.steal-earlier.steal) / float64(t.total-earlier.total)
}

// readText returns a file's text, or "" where there is none (other systems).
func readText(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(b)
}

func firstFloat(s string) float64 {
	first, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	f, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	return f
}
