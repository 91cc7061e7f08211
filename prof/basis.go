package prof

import (
	"errors"
	"fmt"
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
	switch b := Basis(name); b {
	case "":
		return PerRequest, nil
	case PerRequest, PerSecond, Raw:
		return b, nil
	}
	return "", fmt.Errorf("unknown basis %q; there are %s, %s, %s", name, PerRequest, PerSecond, Raw)
}

// divisor is how many units of the basis a capture covers, scaled so that CPU times come
// out as the clock has them.
func (c Capture) divisor(b Basis) (float64, error) {
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
		return float64(c.Operations) * c.seen(), nil
	}
}
