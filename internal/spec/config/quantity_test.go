package config

import (
	"math"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/fail"
)

// The values of k8s.io/apimachinery v0.34, api/resource, TestQuantityParse, as far as they are not negative.
func TestQuantities(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "0.5": 0.5, "500m": 0.5, "1": 1, "1.5": 1.5, "100u": 1e-4, "3n": 3e-9, "256Mi": 256 << 20,
		"1Gi": 1 << 30, "1.5Gi": 1.5 * (1 << 30),
		"1G": 1e9, "128974848": 128974848, "129e6": 129e6, "129M": 129e6, "1e9": 1e9, "1E9": 1e9, "1E": 1e18,
		"1Ei": 1 << 60, "10k": 1e4, "+5": 5, ".5": 0.5,
	} {
		if got, err := ParseQuantity(text); math.Abs(got-want) > 1e-12*want || err != nil {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "m", "1mi", "1KB", "1 Gi", "0x10", "-1", "1_000", "NaN", "Inf", "infinity", "1ee",
		"1K", "5MiB"} {
		if got, err := ParseQuantity(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestLimits(t *testing.T) {
	if got, err := ParseLimits("500m", "256Mi"); got != (cgroup.Limits{CPUs: 0.5, Memory: 256 << 20}) || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	for _, c := range []struct{ cpus, memory, want, hint string }{
		{"x", "", `--cpus: "x" is not a quantity`, ""}, {"0", "", "a program without CPU time", "leave it out"},
		{"", "256m", "that is 0.256 bytes, m being a thousandth", "--memory 256Mi"},
		{"", "256", "want 1 MiB at least: 256Mi is", ""},
	} {
		_, err := ParseLimits(c.cpus, c.memory)
		if err == nil || fail.KindOf(err) != fail.BadInput || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(fail.HintOf(err), c.hint) {
			t.Errorf("%q, %q: %v (%s)", c.cpus, c.memory, err, fail.HintOf(err))
		}
	}
}

// FuzzQuantity: whatever is written, a quantity is a number that is not negative.
func FuzzQuantity(f *testing.F) {
	for _, s := range []string{"500m", "1e9", "1E", "256Mi", "1e400", "nan", "0x1p-2", "--1", "1Eimu"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if v, err := ParseQuantity(text); err == nil && !(v >= 0 && !math.IsInf(v, 0)) {
			t.Errorf("%q is %v", text, v)
		}
	})
}
