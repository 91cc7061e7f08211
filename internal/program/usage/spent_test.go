package usage

import (
	"testing"
)

func TestResidentUnits(t *testing.T) {
	if residentBytes("linux", 3) != 3072 || residentBytes("darwin", 3) != 3 {
		t.Error("ru_maxrss is in kB on Linux, in bytes on macOS")
	}
}
