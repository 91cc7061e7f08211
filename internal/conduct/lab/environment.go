package lab

import "github.com/gohone/hone/internal/sys/machine"

// Environment is what a later reader has to know about where a run was taken.
type Environment struct {
	Hone string `json:"hone"` // version of hone
	machine.Description
	GeneratorCPUs []int `json:"generator_cpus,omitempty"`
	SubjectCPUs   []int `json:"subject_cpus,omitempty"`
	// StealShare is the share of the machine's CPU time that the hypervisor took
	// while the measurement ran, 0 to 1.
	StealShare float64 `json:"steal_share"`
}
