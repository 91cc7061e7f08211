package vitals

import (
	"encoding/json"
	"math"
)

// Value is a number that may be absent, which is not the same as 0.
// The zero Value is absent.
type Value struct {
	number float64
	known  bool
}

// Of is a known value, absent if x is not finite.
func Of(x float64) Value {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return Value{}
	}
	return Value{x, true}
}

// Get returns the number, and whether there is one.
func (v Value) Get() (x float64, known bool) { return v.number, v.known }

// Known says that there is a number.
func (v Value) Known() bool { return v.known }

// Or is v, or the other where v is absent.
func (v Value) Or(other Value) Value {
	if v.known {
		return v
	}
	return other
}

// IsZero says that the value is absent, so that omitzero leaves it out of JSON.
func (v Value) IsZero() bool { return !v.known }

// MarshalJSON writes the number, or null.
func (v Value) MarshalJSON() ([]byte, error) {
	if !v.known {
		return []byte("null"), nil
	}
	return json.Marshal(v.number)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Value) UnmarshalJSON(text []byte) error {
	var x *float64
	if err := json.Unmarshal(text, &x); err != nil {
		return err
	}
	*v = Value{}
	if x != nil {
		*v = Of(*x)
	}
	return nil
}
