package prof

import (
	"errors"
	"fmt"
	"strings"
)

// Basis is what costs are divided by.
type Basis string

// The bases: requests served while the profile was taken, seconds that it covers, or
// nothing.
const (
	PerRequest Basis = "request"
	PerSecond  Basis = "second"
	Raw        Basis = "raw"
)

// ParseBasis reads a basis; the empty one is PerRequest.
func ParseBasis(name string) (Basis, error) {
	return parseChoice("basis", name, PerRequest, PerRequest, PerSecond, Raw)
}

// parseChoice reads the name of one of all; the empty one is that of usual.
func parseChoice[T ~string](what, name string, usual T, all ...T) (T, error) {
	if name == "" {
		return usual, nil
	}
	var names []string
	for _, choice := range all {
		if string(choice) == name {
			return choice, nil
		}
		names = append(names, string(choice))
	}
	return "", fmt.Errorf("unknown %s %q; there are %s", what, name, strings.Join(names, ", "))
}

// Divisor is how many units of the basis a capture covers, scaled so that CPU times come
// out as the clock has them.
func (c Capture) Divisor(b Basis) (float64, error) {
	switch b {
	case PerSecond:
		d := c.Duration.Seconds()
		if d <= 0 && c.Profile != nil {
			d = float64(c.Profile.DurationNanos) / 1e9
		}
		if d <= 0 {
			return 0, errors.New("the profile does not say how long it took")
		}
		return d * c.seen(), nil
	case Raw:
		return 1, nil
	default:
		if c.Operations == 0 {
			return 0, errors.New("it is not known how many requests were served while the profile was taken")
		}
		return c.Requests(), nil
	}
}

// Requests is what the profile's values are divided by for the cost of a request: Operations, scaled so that CPU
// times come out as the clock has them. 0 where the requests are not known.
func (c Capture) Requests() float64 { return float64(c.Operations) * c.seen() }

// Per is what a value is per: "per request", "per second", or nothing.
func (b Basis) Per() string {
	if b == Raw {
		return ""
	}
	return " per " + string(b)
}
