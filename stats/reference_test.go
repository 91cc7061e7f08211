package stats

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// readCases reads the cases of a file that testdata/reference.py wrote, and holds
// that the file says which SciPy it comes from.
func readCases[C any](t *testing.T, name string) []C {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		SciPy string
		Cases []C
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if file.SciPy == "" || len(file.Cases) == 0 {
		t.Fatalf("%s.json: SciPy version %q, %d cases", name, file.SciPy, len(file.Cases))
	}
	return file.Cases
}

// near says that got is want but for rounding: 1e-9 of it.
func near(got, want float64) bool {
	return got == want || math.Abs(got-want) <= 1e-9*math.Max(math.Abs(want), 1e-300)
}

func TestHodgesLehmannAgainstSciPy(t *testing.T) {
	for _, c := range readCases[struct {
		Name             string
		D                []float64
		Conf             float64
		Value, Low, High float64
		Bounded          bool
		Achieved         float64
	}](t, "hodgeslehmann") {
		got, err := HodgesLehmann(c.D, c.Conf)
		if err != nil {
			t.Fatal(err)
		}
		if !c.Bounded {
			c.Low, c.High = math.Inf(-1), math.Inf(1)
		}
		if got.Bounded() != c.Bounded || !near(got.Value, c.Value) || !near(got.Low, c.Low) ||
			!near(got.High, c.High) || !near(got.Conf, c.Achieved) {
			t.Errorf("%s at %v: got %+v, SciPy has %v (%v ... %v) at %v", c.Name, c.Conf, got, c.Value, c.Low, c.High,
				c.Achieved)
		}
		if got.Conf < c.Conf-0.005 {
			t.Errorf("%s: achieved %v for %v", c.Name, got.Conf, c.Conf)
		}
	}
}

func TestQuantileAndGeoMeanAgainstNumPy(t *testing.T) {
	for _, c := range readCases[struct {
		Name                      string
		X, P, Quantiles, Positive []float64
		GMean                     float64
	}](t, "quantile") {
		for i, p := range c.P {
			got, err := Quantile(c.X, p)
			if err != nil {
				t.Fatal(err)
			}
			if want := c.Quantiles[i]; math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
				t.Errorf("%s: quantile %v is %v, NumPy has %v", c.Name, p, got, want)
			}
		}
		if got, err := GeoMean(c.Positive); err != nil || !near(got, c.GMean) {
			t.Errorf("%s: geometric mean %v (%v), SciPy has %v", c.Name, got, err, c.GMean)
		}
	}
}

func TestNormalAgainstSciPy(t *testing.T) {
	for _, c := range readCases[struct{ Z, CDF float64 }](t, "normal") {
		if got := normalCDF(c.Z); !near(got, c.CDF) {
			t.Errorf("CDF(%v) = %v, SciPy has %v", c.Z, got, c.CDF)
		}
		// The inverse is as good as the CDF is steep: 1-p loses digits above 0.
		if got := normalQuantile(c.CDF); math.Abs(got-c.Z) > 1e-7*(1+math.Abs(c.Z)) {
			t.Errorf("quantile(%v) = %v, want %v", c.CDF, got, c.Z)
		}
	}
}
