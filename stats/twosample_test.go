package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// readR reads the cases of a file that testdata/reference.R wrote.
func readR[C any](t *testing.T, name string) []C {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		R     string
		Cases []C
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if file.R == "" || len(file.Cases) < 4 {
		t.Fatalf("%s.json: R version %q, %d cases", name, file.R, len(file.Cases))
	}
	return file.Cases
}

func TestHolmAgainstR(t *testing.T) {
	for _, c := range readR[struct{ P, Holm []float64 }](t, "holm") {
		got, err := Holm(c.P)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if !near(got[i], c.Holm[i]) {
				t.Errorf("%v: adjusted p[%d] is %v, R has %v", c.P, i, got[i], c.Holm[i])
			}
		}
	}
}

func TestHolmProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 30).Draw(t, "p")
		before := slices.Clone(p)
		got, err := Holm(p)
		if err != nil || !slices.Equal(p, before) {
			t.Fatalf("%v, argument modified: %v", err, !slices.Equal(p, before))
		}
		for i, v := range got {
			if v < p[i] || v > 1 || v > float64(len(p))*p[i] {
				t.Fatalf("p[%d] = %v of %d becomes %v", i, p[i], len(p), v)
			}
			for j := range got {
				if p[i] < p[j] && v > got[j] {
					t.Fatalf("the order of %v turns: %v", p, got)
				}
			}
		}
	})
	for _, bad := range [][]float64{nil, {0.1, 1.1}, {math.NaN()}, {-0.1}} {
		if _, err := Holm(bad); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}

// Of 10 tests with no effect, one adjusted p is at most 0.05 in 5 % of families, not in 40 %.
func TestHolmKeepsTheLevelOfTheFamily(t *testing.T) {
	r := rand.New(rand.NewPCG(1979, 6))
	const families = 4000
	false1, plain := 0, 0
	for range families {
		p := make([]float64, 10)
		for i := range p {
			p[i] = r.Float64()
		}
		adjusted, err := Holm(p)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Min(adjusted) <= 0.05 {
			false1++
		}
		if slices.Min(p) <= 0.05 {
			plain++
		}
	}
	if share := float64(false1) / families; math.Abs(share-0.049) > 0.014 || plain < families/3 {
		t.Errorf("a false rejection in %v of the families, without adjustment in %d of %d", share, plain, families)
	}
}

func TestMannWhitneyAgainstRAndSciPy(t *testing.T) {
	type pair struct {
		A, B  []float64
		Exact *bool
		U, P  float64
	}
	cases := append(readR[pair](t, "mannwhitney"), readCases[pair](t, "mannwhitney_ties")...)
	for i, c := range cases {
		got, err := MannWhitney(c.A, c.B)
		if err != nil {
			t.Fatal(err)
		}
		if exact := c.Exact == nil || *c.Exact; got.Exact != exact {
			t.Errorf("case %d: exact %v, the reference %v", i, got.Exact, exact)
		}
		if got.U != c.U || !near(got.P, c.P) {
			t.Errorf("case %d (%d and %d values): U %v p %v, the reference has %v and %v", i, len(c.A), len(c.B), got.U,
				got.P, c.U, c.P)
		}
	}
}

func TestShiftAgainstR(t *testing.T) {
	for i, c := range readR[struct {
		A, B                   []float64
		Conf, Value, Low, High float64
	}](t, "shift") {
		got, err := Shift(c.A, c.B, c.Conf)
		if err != nil {
			t.Fatal(err)
		}
		if !near(got.Value, c.Value) || !near(got.Low, c.Low) || !near(got.High, c.High) || got.Conf < c.Conf-1e-9 {
			t.Errorf("case %d at %v: %+v, R has %v (%v ... %v)", i, c.Conf, got, c.Value, c.Low, c.High)
		}
	}
}

func TestTwoSampleProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := sample(t), sample(t)
		test := func(a, b []float64) MannWhitneyResult {
			r, err := MannWhitney(a, b)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		shift := func(a, b []float64) Estimate {
			e, err := Shift(a, b, 0.9)
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
		r, back := test(a, b), test(b, a)
		if !(r.P > 0 && r.P <= 1) || r.U+back.U != float64(len(a)*len(b)) || math.Abs(r.P-back.P) > 1e-12 {
			t.Fatalf("there %+v and back %+v", r, back)
		}
		if cubed := test(mapped(a, cube), mapped(b, cube)); cubed != r {
			t.Fatalf("only ranks may matter: %+v became %+v", r, cubed)
		}
		e := shift(a, b)
		mirrored := shift(b, a)
		if mirrored.Value != -e.Value || mirrored.Low != -e.High || mirrored.High != -e.Low ||
			math.Abs(mirrored.Conf-e.Conf) > 1e-12 {
			t.Fatalf("there %+v and back %+v", e, mirrored)
		}
		var all []float64
		for _, x := range a {
			for _, y := range b {
				all = append(all, y-x)
			}
		}
		if median, _ := Median(all); median != e.Value || !(e.Low <= e.Value && e.Value <= e.High) {
			t.Fatalf("%+v, the median of the list is %v", e, median)
		}
		// The interval is the inverted test: a shift within it is not rejected. Ties only
		// make the interval wider.
		if outside := e.Low > 0 || e.High < 0; outside && r.Exact && r.P > 1-e.Conf+0.02 {
			t.Fatalf("%+v, but p = %v", e, r.P)
		}
	})
}

func cube(v float64) float64 { return v * v * v }

func TestTwoSampleCoverageAndLevel(t *testing.T) {
	const rounds, truth = 1000, 0.7
	for _, n := range [][2]int{{5, 6}, {12, 9}, {60, 40}} {
		r := rand.New(rand.NewPCG(uint64(n[0]), 4))
		covered, alarms, conf := 0.0, 0.0, 0.0
		for range rounds {
			a, b, null := make([]float64, n[0]), make([]float64, n[1]), make([]float64, n[1])
			for i := range a {
				a[i] = r.ExpFloat64()
			}
			for i := range b {
				null[i] = r.ExpFloat64()
				b[i] = null[i] + truth
			}
			e, err := Shift(a, b, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			conf = e.Conf
			if e.Low <= truth && truth <= e.High {
				covered += 1. / rounds
			}
			if test, err := MannWhitney(a, null); err != nil || test.P <= 1-e.Conf+1e-12 {
				alarms += 1. / rounds
			}
		}
		t.Logf("%v values: covers %.3f, false alarms %.3f at %.4f", n, covered, alarms, conf)
		slack := 4 * math.Sqrt(conf*(1-conf)/rounds)
		if math.Abs(covered-conf) > slack || math.Abs(alarms-(1-conf)) > slack {
			t.Errorf("%v values: covers %.3f, false alarms %.3f, at %.4f", n, covered, alarms, conf)
		}
	}
}

func TestTwoSampleEdges(t *testing.T) {
	if _, err := MannWhitney(nil, []float64{1}); err == nil {
		t.Error("no error for an empty sample")
	}
	if _, err := Shift([]float64{1, math.NaN()}, []float64{1}, 0.9); err == nil {
		t.Error("no error for NaN")
	}
	if _, err := Shift([]float64{-math.MaxFloat64}, []float64{math.MaxFloat64}, 0.9); err == nil {
		t.Error("no error for a difference that overflows")
	}
	for _, n := range []int{3, 30} { // exact and normal
		same := make([]float64, n)
		if r, err := MannWhitney(same, same); err != nil || r.P != 1 {
			t.Errorf("%d equal values: %+v, %v", n, r, err)
		}
	}
	// 2/C(7,3) = 0.057: 3 and 4 values cannot bound a 95 % interval.
	if e, err := Shift([]float64{1, 2, 3}, []float64{4, 5, 6, 7}, 0.95); err != nil || e.Bounded() || e.Conf != 1 {
		t.Errorf("3 and 4 values: %+v, %v", e, err)
	}
}

func TestStudentAgainstSciPy(t *testing.T) {
	for _, c := range readCases[struct {
		T, CDF float64
		DF     int
	}](t, "student") {
		if got := studentCDF(c.T, c.DF); math.Abs(got-c.CDF) > 1e-10*c.CDF {
			t.Errorf("CDF(%v) with %d degrees of freedom is %v, SciPy has %v", c.T, c.DF, got, c.CDF)
		}
		if c.T > 2 || c.CDF == 0 {
			continue // 1-p loses digits, and beyond the smallest float64 there are none
		}
		if got := studentQuantile(c.CDF, c.DF); math.Abs(got-c.T) > 1e-8*(math.Abs(c.T)+1) {
			t.Errorf("quantile(%v) with %d degrees of freedom is %v, want %v", c.CDF, c.DF, got, c.T)
		}
	}
}
