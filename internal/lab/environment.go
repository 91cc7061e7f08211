package lab

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Environment is what a later reader has to know about the machine.
type Environment struct {
	Hone          string  `json:"hone"` // version of hone
	GoVersion     string  `json:"go_version"`
	OS            string  `json:"os"`
	Arch          string  `json:"arch"`
	Kernel        string  `json:"kernel,omitempty"`
	CPUModel      string  `json:"cpu_model,omitempty"`
	CPUs          int     `json:"cpus"`
	GeneratorCPUs []int   `json:"generator_cpus,omitempty"`
	SubjectCPUs   []int   `json:"subject_cpus,omitempty"`
	LoadAverage   float64 `json:"load_average"` // over one minute, at the start
	// StealShare is the share of the machine's CPU time that the hypervisor took
	// while the measurement ran, 0 to 1.
	StealShare float64 `json:"steal_share"`
}

func describeMachine(version string) Environment {
	return Environment{
		Hone: version, GoVersion: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
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

// cpuTimes are the machine's CPU times in clock ticks (proc_stat(5), line "cpu").
type cpuTimes struct{ steal, total uint64 }

func readCPUTimes() cpuTimes { return parseCPUTimes(readText("/proc/stat")) }

func parseCPUTimes(stat string) cpuTimes {
	line, _, _ := strings.Cut(stat, "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return cpuTimes{}
	}
	var t cpuTimes
	// Fields 9 and 10 (guest) are contained in user and nice already.
	for i, f := range fields[1:9] {
		n, err := strconv.ParseUint(f, 10, 64)
		if err != nil {
			return cpuTimes{}
		}
		t.total += n
		if i == 7 {
			t.steal = n
		}
	}
	return t
}

// stealSince is the share of CPU time stolen since t, 0 to 1; 0 where unknown.
func (t cpuTimes) stealSince(earlier cpuTimes) float64 {
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
