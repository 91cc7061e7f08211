// Package machine describes the machine of a measurement, and what other programs and the
// host took of it meanwhile.
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
