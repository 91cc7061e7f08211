//go:build !linux

package machine

// SharedMemory is not known on other systems.
func SharedMemory() (bytes int64, known bool) { return 0, false }
