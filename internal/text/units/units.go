// Package units writes numbers for people: three significant digits, a unit that fits,
// commas between thousands, changes with their sign.
package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Unit is one scale of a Family.
type Unit struct {
	Name  string
	Scale float64 // how many base units it holds
}

// Family is the units of one kind of value, the largest first.
type Family []Unit

// The families, by their base unit.
var (
	Nanoseconds = Family{{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}}
	Octets      = Family{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}}
	PerSecond   = Family{{"1/s", 1}}
	Percentage  = Family{{"%", 1}}
	Plain       = Family{{"", 1}}
)

// Pick returns the largest unit in which the larger of the values is written as 1 or
// more, so that two values can be read side by side.
func (f Family) Pick(values ...float64) Unit {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	largest = rounded(largest)
	for _, u := range f {
		if largest >= u.Scale {
			return u
		}
	}
	return f[len(f)-1]
}

// FamilyOf returns the family of a base unit's name, Plain for names without one.
func FamilyOf(name string) Family {
	switch name {
	case "ns":
		return Nanoseconds
	case "B":
		return Octets
	case "1/s", "/s", "requests/s":
		return PerSecond
	case "%":
		return Percentage
	default:
		return Plain
	}
}

// Nanos writes nanoseconds with three significant digits in a fitting unit.
func Nanos(ns float64) string { return Nanoseconds.Write(ns) }

// Bytes writes a number of bytes.
func Bytes(n float64) string { return Octets.Write(n) }

// Write writes a value with three significant digits in the unit that fits it.
func (f Family) Write(v float64) string {
	u := f.Pick(v)
	return strings.TrimSpace(Digits(v/u.Scale) + " " + u.Name)
}

// Count writes n with commas between groups of three digits.
func Count(n uint64) string { return commas(strconv.FormatUint(n, 10)) }

// Plural writes a count with its noun.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Count(uint64(n)) + " " + noun + "s"
}

// FirstOf are the first of some names, and how many more there are: "a, b and 3 more".
func FirstOf(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

func commas(digits string) string {
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// Rate writes a number per second, from 100/s on as a whole number.
func Rate(v float64) string {
	if math.Abs(v) < 100 {
		return Digits(v) + "/s"
	}
	return whole(v) + "/s"
}

// Percent writes a fraction as a signed percentage: -0.93 is "-93 %".
func Percent(fraction float64) string { return Signed(100*fraction) + " %" }

// Share writes a part of a whole without a sign, of 0 to 1: "27 %", "8.7 %", "0.4 %".
func Share(fraction float64) string {
	if math.Abs(fraction) >= 0.0995 {
		return fmt.Sprintf("%.0f %%", 100*fraction)
	}
	return fmt.Sprintf("%.1f %%", 100*fraction)
}

// Signed writes a percentage so that its last digit is worth reading.
func Signed(p float64) string {
	switch a := math.Abs(p); {
	case math.IsInf(p, 0):
		return fmt.Sprintf("%+f", p)
	case a >= 999.5:
		if p > 0 {
			return "+" + whole(p)
		}
		return whole(p)
	case a >= 99.95 || a >= 10 && math.Abs(p-math.Round(p)) < 0.05:
		return fmt.Sprintf("%+.0f", p)
	case a >= 1:
		return fmt.Sprintf("%+.1f", p)
	default:
		return fmt.Sprintf("%+.2f", p)
	}
}

// Span writes an interval of fractions as percentages: "-93.4 ... -92.6 %". Small or
// narrow ones get a second decimal.
func Span(low, high float64) string {
	bound := func(f float64) string {
		places := 1
		if math.Abs(f) < 0.01 || high-low < 0.002 {
			places = 2
		}
		return fmt.Sprintf("%+.*f", places, 100*f)
	}
	return bound(low) + " ... " + bound(high) + " %"
}

// Digits writes v with three significant digits, all digits of its whole part, and no
// exponent.
func Digits(v float64) string {
	switch a := math.Abs(rounded(v)); {
	case v == 0:
		return "0"
	case a >= 1000 || math.IsInf(v, 0):
		return whole(v)
	case a >= 100:
		return fmt.Sprintf("%.0f", v)
	case a >= 10:
		return fmt.Sprintf("%.1f", v)
	case a >= 1:
		return fmt.Sprintf("%.2f", v)
	case a >= 0.01:
		return fmt.Sprintf("%.3f", v)
	default:
		return small(v)
	}
}

// rounded is v with three significant digits: what decides how it is written, so that
// 999.7 is written as 1,000 is.
func rounded(v float64) float64 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return v
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 2, 64), 64)
	if err != nil { // beyond the largest number
		return v
	}
	return r
}

// small writes a number under 0.01 with two significant digits and no exponent.
func small(v float64) string {
	if math.IsNaN(v) {
		return "NaN"
	}
	two, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 1, 64), 64) // digits that it wrote itself
	if math.Abs(two) >= 0.01 {
		return fmt.Sprintf("%.3f", two)
	}
	return strconv.FormatFloat(two, 'f', -1, 64)
}

// whole writes v as a whole number with its sign, if negative, and commas.
func whole(v float64) string {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return fmt.Sprint(v)
	}
	digits := strconv.FormatFloat(math.Round(math.Abs(v)), 'f', 0, 64)
	if v < 0 && digits != "0" {
		return "-" + commas(digits)
	}
	return commas(digits)
}

// Seconds writes a duration as a user would say it.
func Seconds(d time.Duration) string {
	switch a := d.Abs(); {
	case a.Round(time.Millisecond) < time.Second:
		return d.Round(time.Millisecond).String()
	case a.Round(100*time.Millisecond) < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case a.Round(time.Second) < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	default:
		return d.Round(time.Second).String()
	}
}
