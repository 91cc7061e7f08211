//go:build !linux

package recorder

// atLowPriority starts at the priority of hone: here it belongs to a process, and cannot be
// raised again.
func atLowPriority(_ []int, start func() error) error { return start() }
