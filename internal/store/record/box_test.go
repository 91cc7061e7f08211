package record

import (
	"testing"
)

func TestMemoryLimitOf(t *testing.T) {
	for entry, want := range map[string]int64{"GOMEMLIMIT=256MiB": 256 << 20, "GOMEMLIMIT=268435456": 256 << 20,
		"GOMEMLIMIT=1GiB": 1 << 30, "GOMEMLIMIT=off": 0, "GOGC=100": 0, "GOMEMLIMIT=5B": 5} {
		if got := memoryLimitOf([]string{"A=b", entry}); got != want {
			t.Errorf("%s: %d, want %d", entry, got, want)
		}
	}
}
