// Package report renders what lab returns as text for a terminal: verdicts, runs,
// history and progress. It computes nothing that a reader could take for a result.
package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// unit is a scale for one family of values.
type unit struct {
	name  string
	scale float64 // how many base units it holds
}

var (
	nanoUnits = []unit{{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}}
	byteUnits = []unit{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}}
	rateUnits = []unit{{"1/s", 1}}
	bareUnits = []unit{{"", 1}}
)

// pick returns the largest unit that leaves the larger of the values at 1 or more, so
// that two values can be read side by side.
func pick(units []unit, values ...float64) unit {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	for _, u := range units {
		if largest >= u.scale {
			return u
		}
	}
	return units[len(units)-1]
}

// unitsFor maps the unit of a measure to its family.
func unitsFor(name string) []unit {
	switch name {
	case "ns":
		return nanoUnits
	case "B":
		return byteUnits
	case "1/s", "/s", "requests/s":
		return rateUnits
	default:
		return bareUnits
	}
}

// Nanos writes nanoseconds with three significant digits in a fitting unit.
func Nanos(ns float64) string {
	u := pick(nanoUnits, ns)
	return digits(ns/u.scale) + " " + u.name
}

// Bytes writes a number of bytes.
func Bytes(n float64) string {
	u := pick(byteUnits, n)
	return digits(n/u.scale) + " " + u.name
}

// Count writes n with commas between groups of three digits.
func Count(n uint64) string {
	s := strconv.FormatUint(n, 10)
	var b strings.Builder
	for i, d := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// Rate writes a number per second.
func Rate(v float64) string {
	if v < 100 {
		return digits(v) + "/s"
	}
	return Count(uint64(math.Round(v))) + "/s"
}

// Percent writes a fraction as a signed percentage: -0.93 is "-93 %".
func Percent(fraction float64) string { return signed(100*fraction) + " %" }

// signed writes a percentage so that its last digit is worth reading.
func signed(p float64) string {
	switch a := math.Abs(p); {
	case math.IsInf(p, 0):
		return fmt.Sprintf("%+f", p)
	case a >= 1000:
		sign := "+"
		if p < 0 {
			sign = "-"
		}
		return sign + Count(uint64(math.Round(a)))
	case a >= 99.95 || a >= 10 && math.Abs(p-math.Round(p)) < 0.05:
		return fmt.Sprintf("%+.0f", p)
	case a >= 1:
		return fmt.Sprintf("%+.1f", p)
	default:
		return fmt.Sprintf("%+.2f", p)
	}
}

// span writes an interval of fractions as percentages: "-93.4 ... -92.6 %".
func span(low, high float64) string {
	places := 1
	if high-low < 0.002 {
		places = 2
	}
	return fmt.Sprintf("%+.*f ... %+.*f %%", places, 100*low, places, 100*high)
}

// digits writes v with three significant digits and no exponent.
func digits(v float64) string {
	a := math.Abs(v)
	switch {
	case v == 0:
		return "0"
	case a >= 1000:
		return Count(uint64(math.Round(a)))
	case a >= 100:
		return fmt.Sprintf("%.0f", v)
	case a >= 10:
		return fmt.Sprintf("%.1f", v)
	case a >= 1:
		return fmt.Sprintf("%.2f", v)
	case a >= 0.01:
		return fmt.Sprintf("%.3f", v)
	default:
		return fmt.Sprintf("%.2g", v)
	}
}

// between writes two values in the same unit: "13.9 -> 0.97 us".
func between(units []unit, a, b float64) string {
	u := pick(units, a, b)
	return strings.TrimSpace(digits(a/u.scale) + " -> " + digits(b/u.scale) + " " + u.name)
}

// seconds writes a duration as a user would say it.
func seconds(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	default:
		return d.Round(time.Second).String()
	}
}
