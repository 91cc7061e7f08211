package machine

import (
	"math"
	"strings"
	"testing"
	"time"
)

// FuzzCountersOfTheKernel: whatever the files hold, what is called known is a sound
// number.
func FuzzCountersOfTheKernel(f *testing.F) {
	f.Add("some avg10=1.43 avg60=0.79 avg300=4.51 total=4275909335\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n")
	f.Add("nr_periods 0\nnr_throttled 0\nthrottled_time 9223372036854775807\n")
	f.Add("usage_usec 1\nthrottled_usec 9223372036854775807\n")
	f.Add("0.12 0.48 1.15 4/95 28643\n")
	f.Add("NaN 1\nInf\n-1")
	f.Add("cpu  1345680 103399 525106 2261033 14316 0 227397 47538 0 0\ncpu0 1 2\n")
	f.Fuzz(func(t *testing.T, text string) {
		some, full := parsePressure(text)
		if (some.known && !strings.Contains(text, "some")) || (full.known && !strings.Contains(text, "full")) {
			t.Errorf("pressure out of nothing: %v %v", some, full)
		}
		if c := parseThrottled(text); c.n < 0 || (!c.known && c.n != 0) {
			t.Errorf("throttled %v", c)
		}
		if c := parseLoad1(text); c.n < 0 || math.IsNaN(c.n) || math.IsInf(c.n, 0) {
			t.Errorf("load %v", c)
		}
		share, known := parseCPUTimes(text).stealSince(CPUTimes{})
		if share < 0 || share > 1 || (!known && share != 0) {
			t.Errorf("steal %v %v", share, known)
		}
	})
}

func TestQuota(t *testing.T) {
	for _, c := range []struct {
		cpuMax, cfsQuota string
		want             bool
	}{
		{"max 100000\n", "", false}, {"50000 100000\n", "", true}, {"", "-1\n", false}, {"", "20000\n", true},
		{"", "", false},
	} {
		if got := hasQuota(c.cpuMax, c.cfsQuota); got != c.want {
			t.Errorf("hasQuota(%q, %q) = %v", c.cpuMax, c.cfsQuota, got)
		}
	}
	if c := parseThrottled("throttled_usec 9223372036854775807\n"); c.known {
		t.Errorf("a time that overflows is taken for %v", time.Duration(c.n))
	}
}
