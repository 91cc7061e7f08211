package advice

import (
	"strings"

	"github.com/gohone/hone/internal/text/units"
)

func percent(share float64) string { return units.Share(share) }

func digits(x float64) string { return units.Digits(x) }

func bytesText(x float64) string { return units.Bytes(x) }

// short is a function without the directories of its package: "zlib.NewWriter".
func short(function string) string {
	name := plain(function)
	return name[strings.LastIndexByte(name, '/')+1:]
}

// heaviest is the key of the largest value, the smallest of equal ones.
func heaviest[K int64 | string](values map[K]float64) (best K) {
	first := true
	for k, v := range values {
		if first || v > values[best] || v == values[best] && k < best {
			best, first = k, false
		}
	}
	return best
}
