package service

import "github.com/gohone/hone/internal/sys/machine"

// watchShared has the growth of the machine's shared memory, until the function that it returns is called, count as
// this variant's. It takes a microsecond.
func (v *service) watchShared() (end func()) {
	before, known := machine.SharedMemory()
	if !known || !v.timed.Compared {
		return func() {}
	}
	return func() {
		if after, known := machine.SharedMemory(); known {
			v.sharedBytes += after - before
		}
	}
}
