package record

import (
	"os"
	"strings"

	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/redact"
)

// Environment is what a later reader has to know about where a run was taken.
type Environment struct {
	Hone string `json:"hone"` // version of hone
	machine.Description
	// Variables are those of hone's own environment that change what go builds, and how it runs: KEY=value.
	Variables     []string `json:"variables,omitempty"`
	GeneratorCPUs []int    `json:"generator_cpus,omitempty"`
	SubjectCPUs   []int    `json:"subject_cpus,omitempty"`
	// StealShare is the share of the machine's CPU time that the hypervisor took
	// while the measurement ran, 0 to 1.
	StealShare float64 `json:"steal_share"`
}

// Changing are the variables that change what go builds and how programs run (go help environment; runtime).
var Changing = []string{"GOFLAGS", "GOEXPERIMENT", "GOAMD64", "GOARM64", "GOARCH", "GOOS", "CGO_ENABLED", "GODEBUG",
	"GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GOTOOLCHAIN"}

// EnvironmentHere describes this machine for what hone measures; version is hone's.
func EnvironmentHere(version string) Environment {
	e := Environment{Hone: version, Description: machine.Describe()}
	for _, name := range Changing {
		if value := os.Getenv(name); value != "" {
			e.Variables = append(e.Variables, redact.Args([]string{name + "=" + value})[0])
		}
	}
	return e
}

// IsChanging says whether an entry of an environment, KEY=value, is of one of those.
func IsChanging(entry string) bool {
	for _, name := range Changing {
		if strings.HasPrefix(entry, name+"=") {
			return true
		}
	}
	return false
}
