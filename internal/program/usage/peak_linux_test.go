package usage

import (
	"os"
	"testing"
)

func TestHighWater(t *testing.T) {
	for text, want := range map[string]int64{
		"Name:\tsh\nVmPeak:\t    2800 kB\nVmHWM:\t    1612 kB\nVmRSS:\t 900 kB\n": 1612 << 10,
		"Name:\tsh\nState:\tZ (zombie)\n":                                         0,
		"":                                                                        0, "\nVmHWM:": 0, "\nVmHWM:\t12": 0,
		"\nVmHWM:\tmany kB\n": 0, "\nVmHWM:\t-1 kB\n": 0, "\nVmHWM:\t9223372036854775807 kB\n": 0,
	} {
		if got := parseHighWater([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if highWater(os.Getpid()) < 1<<20 {
		t.Errorf("a Go program of %d bytes", highWater(os.Getpid()))
	}
}

func FuzzHighWater(f *testing.F) {
	f.Add([]byte("Name:\tsh\nVmHWM:\t    1612 kB\nVmRSS:\t 900 kB\n"))
	f.Add([]byte("\nVmHWM: kB\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if got := parseHighWater(text); got < 0 || got%1024 != 0 {
			t.Errorf("%q: %d", text, got)
		}
	})
}
