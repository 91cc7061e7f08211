package quantity

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/text/units"
)

// Scale writes values of a profile for people, in one unit or in one that fits each.
type Scale struct {
	family units.Family
	fixed  *units.Unit
	base   float64 // what a value is in the family's base unit
}

// In returns how to write values of a profile's unit; wanted is a unit's name, or
// empty.
func In(unit, wanted string) (Scale, error) {
	v := Scale{family: units.Plain, base: 1}
	if scale, ok := TimeUnits[Singular(unit)]; ok {
		v.family, v.base = units.Nanoseconds, scale
	} else if scale, ok := byteUnits[Singular(unit)]; ok {
		v.family, v.base = units.Octets, scale
	}
	if wanted == "" {
		return v, nil
	}
	for i, u := range v.family {
		if u.Name == wanted {
			v.fixed = &v.family[i]
			return v, nil
		}
	}
	if wanted == unit || wanted == "count" && len(v.family) == 1 {
		return v, nil
	}
	names := ""
	for _, u := range v.family {
		names += " " + u.Name
	}
	if len(v.family) == 1 {
		names = " count"
	}
	return v, fmt.Errorf("unit %q does not fit %s; there are%s", wanted, unit, names)
}

// Text writes one value.
func (v Scale) Text(value int64) string {
	if v.fixed == nil && len(v.family) == 1 {
		return strconv.FormatInt(value, 10)
	}
	if v.fixed != nil {
		return strconv.FormatFloat(float64(value)*v.base/v.fixed.Scale, 'f', -1, 64) + " " + v.fixed.Name
	}
	return v.Number(float64(value))
}

// Number writes a value that is not a whole number, such as one per request.
func (v Scale) Number(x float64) string {
	x *= v.base
	u := v.family.Pick(x)
	return strings.TrimSpace(units.Digits(x/u.Scale) + " " + u.Name)
}

// Share writes a part of a total as a percentage, without its sign, as go tool pprof does.
func Share(part, total int64) string {
	if total == 0 {
		return "0 %"
	}
	p := math.Abs(100 * float64(part) / float64(total))
	if p > 99.95 && p < 100.05 {
		return fmt.Sprintf("%.0f %%", p)
	}
	return fmt.Sprintf("%.3g %%", p)
}
