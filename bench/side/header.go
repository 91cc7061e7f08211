package side

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Header prints where and how the figures below it come about.
func Header(w io.Writer, found []Found, missing []string) {
	fmt.Fprintf(w, "date      %s\n", time.Now().UTC().Format("2006-01-02 15:04 UTC"))
	for _, line := range Machine() {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintf(w, "command   %s\n", strings.Join(os.Args, " "))
	for _, t := range found {
		fmt.Fprintf(w, "tool      %-14s %s %s\n", t.Name, t.Program, firstLine(t.Program+".version"))
	}
	for _, name := range missing {
		fmt.Fprintf(w, "missing   %s (bash bench/peers.sh installs it or says why not)\n", name)
	}
}

// Machine says what machine this is, a line for each fact.
func Machine() []string {
	return []string{
		fmt.Sprintf("machine   %s, %d CPUs, %s/%s, kernel %s",
			cpuModel(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, kernelVersion()),
		fmt.Sprintf("load      %s (1, 5, 15 minutes; running/all; last pid)", firstLine("/proc/loadavg")),
		fmt.Sprintf("go        %s", runtime.Version()),
	}
}

// firstLine of a file; empty if there is none.
func firstLine(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, _ := bufio.NewReader(f).ReadString('\n') // a line cut short is as good
	return strings.TrimSpace(line)
}

func cpuModel() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown CPU"
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown CPU"
}

// CPUTimes is the machine's account of all its CPUs since it booted.
type CPUTimes struct{ all, idle, steal float64 }

// ReadCPUTimes reads /proc/stat; zero where there is none.
func ReadCPUTimes() CPUTimes {
	fields := strings.Fields(firstLine("/proc/stat"))
	var t CPUTimes
	for i, f := range fields {
		x, err := strconv.ParseFloat(f, 64)
		if err != nil || i > 8 { // guest time behind it is part of user time
			continue
		}
		t.all += x
		switch i { // proc(5): cpu user nice system idle iowait irq softirq steal
		case 4:
			t.idle += x
		case 8:
			t.steal += x
		}
	}
	return t
}

// Since says how busy the machine was since before, and how much the host took away.
func (t CPUTimes) Since(before CPUTimes) string {
	all := t.all - before.all
	if all <= 0 {
		return "steal unknown"
	}
	return fmt.Sprintf("machine idle %.0f %%, steal %.1f %%",
		100*(t.idle-before.idle)/all, 100*(t.steal-before.steal)/all)
}

// kernelVersion is the kernel's version without what its builder added.
func kernelVersion() string {
	version, _, _ := strings.Cut(firstLine("/proc/sys/kernel/osrelease"), "-")
	return version
}
