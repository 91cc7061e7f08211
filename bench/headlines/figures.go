package headlines

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/internal/text/units"
)

func commas(n int) string            { return units.Count(uint64(n)) }
func rounded(x float64) string       { return figures.Rounded(x) }
func rate(hz float64) string         { return rounded(hz) + " requests/s" }
func micros(nanos float64) string    { return rounded(nanos/1e3) + " us" }
func kilobytes(b float64) string     { return rounded(b/1e3) + " kB" }
func megabytes(b float64) string     { return rounded(b/1e6) + " MB" }
func percent(share float64) string   { return rounded(100*share) + " %" }
func secondsOf(nanos float64) string { return fmt.Sprintf("%.2f s", nanos/1e9) }

// trimmed is a count, with decimals only if it has any.
func trimmed(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// short is a function's name without the path of its package.
func short(function string) string { return function[strings.LastIndexByte(function, '/')+1:] }

// fromTo has two figures that were measured together; the first is left out if it is 0.
func fromTo(a, b float64, text func(float64) string) string {
	if a == 0 {
		return text(b)
	}
	return text(a) + " -> " + text(b)
}
