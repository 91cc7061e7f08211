package usage

import (
	"fmt"
	"os"
	"time"

	"github.com/gohone/hone/internal/sys/processes"
)

// OfReaped are what all that was reaped has used: of calls the kernel has added it to the guard's own.
func OfReaped(cpu time.Duration) Counters {
	var own, all sample
	if readIO(os.Getpid(), &all) != nil {
		return Counters{CPU: cpu}
	}
	for _, tid := range processes.Numbers("/proc/self/task") {
		var thread sample
		if text, err := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/io", tid)); err == nil {
			parseIO(text, &thread)
		}
		own.addCalls(thread.Counters)
	}
	all.Counters = all.Since(own.Counters)
	all.CPU = cpu
	return all.Counters
}
