package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// sizes are the units of ParseBytes; what ends in another comes before it.
var sizes = []struct {
	name  string
	bytes float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1},
}

// ParseBytes reads a size with its unit: 512MiB, 1.5 GB, 100B.
func ParseBytes(text string) (uint64, error) {
	for _, size := range sizes {
		digits, found := strings.CutSuffix(strings.TrimSpace(text), size.name)
		if !found {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
		if bytes := n * size.bytes; err == nil && bytes >= 1 && bytes < math.MaxInt64 {
			return uint64(bytes), nil
		}
		break
	}
	return 0, fmt.Errorf("%q is not a size: want a number of 1 byte or more with its unit, such as 512MiB", text)
}
