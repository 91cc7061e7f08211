//go:build !linux

package turns

import (
	"runtime"
	"time"
)

// CanLive says whether test binaries can be kept alive and told over pipes: Windows and
// Plan 9 pass no more files to a process than three.
const CanLive = runtime.GOOS != "windows" && runtime.GOOS != "plan9" && runtime.GOOS != "js" && runtime.GOOS != "wasip1"

// cpuOf knows the CPU clock of another process on Linux only.
func cpuOf(int) (time.Duration, bool) { return 0, false }
