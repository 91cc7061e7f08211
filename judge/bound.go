package judge

import (
	"encoding/json"
	"math"
)

// Bound is a number that may be infinite, or NaN; JSON has null for that, which is read as +Inf.
type Bound float64

// MarshalJSON writes a number, or null.
func (b Bound) MarshalJSON() ([]byte, error) {
	if f := float64(b); !math.IsInf(f, 0) && !math.IsNaN(f) {
		return json.Marshal(f)
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Bound) UnmarshalJSON(text []byte) error {
	var f *float64
	if err := json.Unmarshal(text, &f); err != nil {
		return err
	}
	*b = Bound(math.Inf(1))
	if f != nil {
		*b = Bound(*f)
	}
	return nil
}
