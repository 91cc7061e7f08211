package quantity

import "strings"

// The units in which profiles, labels and filters are written, in base units, by their names in the singular: those
// that go tool pprof knows.
var (
	TimeUnits = map[string]float64{
		"ns": 1, "nanosecond": 1, "us": 1e3, "µs": 1e3, "microsecond": 1e3, "ms": 1e6, "millisecond": 1e6,
		"s": 1e9, "sec": 1e9, "second": 1e9, "hr": 3600e9, "hour": 3600e9,
	}
	byteUnits = map[string]float64{
		"b": 1, "byte": 1, "kb": 1 << 10, "kbyte": 1 << 10, "kilobyte": 1 << 10, "mb": 1 << 20, "mbyte": 1 << 20,
		"megabyte": 1 << 20,
		"gb":       1 << 30, "gbyte": 1 << 30, "gigabyte": 1 << 30, "tb": 1 << 40, "tbyte": 1 << 40,
		"terabyte": 1 << 40,
	}
)

// Singular is the name of a unit as the tables have it.
func Singular(unit string) string {
	unit = strings.ToLower(unit)
	if len(unit) > 2 { // us and ms are none of one u and one m
		unit = strings.TrimSuffix(unit, "s")
	}
	return unit
}

// UnitScale is what a unit is in base units.
func UnitScale(unit string) (float64, bool) {
	unit = Singular(unit)
	if unit == "" || unit == "count" {
		return 1, true
	}
	if scale, ok := TimeUnits[unit]; ok {
		return scale, true
	}
	scale, ok := byteUnits[unit]
	return scale, ok
}
