package load_test

import (
	"testing"

	"golang.org/x/sys/unix"
)

// allowedCPUs are the CPUs that this process may run on.
func allowedCPUs(t *testing.T) (cpus []int) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		t.Fatal(err)
	}
	for cpu := range 1024 {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
}
