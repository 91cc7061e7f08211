package figures

import (
	"math"
	"testing"
)

// The yield of dyestuff (Davies 1947, "Statistical methods in research and production", table 6.1), with the components
// that lme4's manual has of it: 1764 between batches and 2451 within.
func TestOneWayAgreesWithDavies(t *testing.T) {
	v := OneWay([][]float64{
		{1545, 1440, 1440, 1520, 1580}, {1540, 1555, 1490, 1560, 1495}, {1595, 1550, 1605, 1510, 1560},
		{1445, 1440, 1595, 1465, 1545}, {1595, 1630, 1515, 1635, 1625}, {1520, 1455, 1450, 1480, 1445},
	})
	if math.Abs(v.Between-1764.05) > 0.01 || math.Abs(v.Within-2451.25) > 0.01 || math.Abs(v.Share()-0.4185) > 0.0001 {
		t.Errorf("%+v, share %v", v, v.Share())
	}
	if v := OneWay([][]float64{{1}, {2}}); !math.IsNaN(v.Share()) {
		t.Errorf("groups of one value: %+v", v)
	}
	if v := OneWay([][]float64{{1, 3}, {3, 1}}); v.Between != 0 {
		t.Errorf("equal groups: %+v", v)
	}
}
