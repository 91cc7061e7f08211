package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/fail"
)

// suffixes are those of Kubernetes' quantities (k8s.io/apimachinery, api/resource): thousandths and less, thousands,
// and powers of 1024.
var suffixes = map[string]float64{
	"n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
	"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40, "Pi": 1 << 50, "Ei": 1 << 60,
}

// ParseQuantity reads a quantity as Kubernetes writes them: 500m, 0.5, 256Mi, 1G, 1e9. It is not negative.
func ParseQuantity(text string) (float64, error) {
	digits := strings.TrimRight(text, "numkKMGTPEi")
	suffix := text[len(digits):]
	scale, known := suffixes[suffix]
	value, err := strconv.ParseFloat(digits, 64)
	if !known || err != nil || strings.ContainsAny(digits, "xX_pPnN") || math.IsInf(value*scale, 0) || value < 0 {
		return 0, fmt.Errorf("%q is not a quantity: write 500m, 0.5, 256Mi, 1G or 1e9", text)
	}
	return value * scale, nil
}

// ParseLimits reads limits as options give them; an empty text sets no limit. Errors are fail.BadInput.
func ParseLimits(cpus, memory string) (l cgroup.Limits, err error) {
	if cpus != "" {
		if l.CPUs, err = ParseQuantity(cpus); err != nil {
			return l, fail.New(fail.BadInput, "--cpus: %w", err)
		}
		if l.CPUs == 0 {
			return l, fail.New(fail.BadInput, "--cpus %s: a program without CPU time does nothing",
				cpus).WithHint("leave it out for no limit")
		}
	}
	if memory != "" {
		bytes, err := ParseQuantity(memory)
		if err != nil {
			return l, fail.New(fail.BadInput, "--memory: %w", err)
		}
		if l.Memory = int64(min(bytes, math.MaxInt64/2)); l.Memory == 0 || strings.HasSuffix(memory, "m") {
			return l, fail.New(fail.BadInput, "--memory %s: that is %v bytes, m being a thousandth", memory, bytes).
				WithHint("write Mi for mebibytes: --memory %sMi", strings.TrimRight(memory, "m"))
		}
	}
	if err := l.Validate(); err != nil {
		return l, fail.New(fail.BadInput, "%w", err)
	}
	return l, nil
}
