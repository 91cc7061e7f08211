package judge

import (
	"encoding/json"
	"math"
	"testing"
)

func TestAnInfiniteBoundIsNull(t *testing.T) {
	for _, f := range []Bound{0.015, Bound(math.Inf(1))} {
		text, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		var back Bound
		if err := json.Unmarshal(text, &back); err != nil || back != f {
			t.Errorf("%v is %s is %v, %v", f, text, back, err)
		}
	}
}
