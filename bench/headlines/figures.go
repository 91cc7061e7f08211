package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// rounded is x with three digits, and commas between thousands.
func rounded(x float64) string {
	if x < 1000 {
		return number(x, math.Abs(x))
	}
	step := math.Pow(10, math.Floor(math.Log10(x))-2)
	return commas(int64(math.Round(x/step) * step))
}

// commas puts commas between thousands.
func commas(n int64) string {
	digits := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

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
