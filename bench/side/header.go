package side

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/gohone/hone/internal/machine"
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
	d := machine.Describe()
	kernel, _, _ := strings.Cut(d.Kernel, "-") // without what its builder added
	return []string{
		fmt.Sprintf("machine   %s, %d CPUs, %s/%s, kernel %s", d.CPUModel, d.CPUs, d.OS, d.Arch, kernel),
		fmt.Sprintf("load      %s (1, 5, 15 minutes; running/all; last pid)", firstLine("/proc/loadavg")),
		fmt.Sprintf("go        %s", d.GoVersion),
	}
}

// firstLine of a file; empty if there is none.
func firstLine(path string) string {
	text, _ := os.ReadFile(path)
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line)
}
