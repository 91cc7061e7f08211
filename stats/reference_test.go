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

func TestSignedRankAgainstSciPy(t *testing.T) {
	ways := map[string]int{}
	for _, c := range readCases[struct {
		Name, How string
		D         []float64
		Plus, P   float64
	}](t, "signedrank") {
		got, err := SignedRank(c.D)
		if err != nil {
			t.Fatal(err)
		}
		if got.Plus != c.Plus || !near(got.P, c.P) || got.Exact == (c.How == "normal") {
			t.Errorf("%s: got W+ %v p %v exact %v, SciPy (%s) has W+ %v p %v",
				c.Name, got.Plus, got.P, got.Exact, c.How, c.Plus, c.P)
		}
		ways[c.How]++
	}
	for _, how := range []string{"exact", "permutation", "normal"} {
		if ways[how] < 5 {
			t.Errorf("%d cases by %s, want at least 5 of each way", ways[how], how)
		}
	}
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
		if got.Bounded() != c.Bounded || !near(got.Value, c.Value) || !near(got.Low, c.Low) || !near(got.High, c.High) || !near(got.Conf, c.Achieved) {
			t.Errorf("%s at %v: got %+v, SciPy has %v (%v ... %v) at %v", c.Name, c.Conf, got, c.Value, c.Low, c.High, c.Achieved)
		}
		if got.Conf < c.Conf-0.005 {
			t.Errorf("%s: achieved %v for %v", c.Name, got.Conf, c.Conf)
		}
	}
}

func TestSignFlipAgainstSciPy(t *testing.T) {
	for _, c := range readCases[struct {
		Name    string
		D       []float64
		Mean, P float64
	}](t, "signflip") {
		got, err := SignFlip(c.D, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !near(got.P, c.P) || math.Abs(got.Mean-c.Mean) > 1e-12*(1+math.Abs(c.Mean)) || !got.Exact {
			t.Errorf("%s: got %+v, SciPy has mean %v p %v", c.Name, got, c.Mean, c.P)
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
