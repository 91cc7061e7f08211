package compare

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof/diff"
	"github.com/gohone/hone/stats"
)

var update = flag.Bool("update", false, "write the golden files")

// simulated is a variant whose requests cost factor times as much as those of A.
type simulated struct {
	factor, between, within float64
	growth, allocs          float64
	pooled                  bool
}

func (s simulated) block(rng *rand.Rand, layout int) judge.Block {
	b := judge.Block{Layout: layout, A: judge.Sample{measure.Allocs.Key: 60, measure.HeapGrowth.Key: 0},
		B: judge.Sample{measure.Allocs.Key: 60 + s.allocs + rng.NormFloat64(),
			measure.HeapGrowth.Key: s.growth * (1 + 0.05*rng.NormFloat64())}}
	luck := s.between * rng.NormFloat64()
	for range 4 {
		p := judge.Pair{A: judge.Sample{measure.CPU.Key: 1000, measure.Throughput.Key: 500},
			B: judge.Sample{measure.CPU.Key: 1000 * s.factor * math.Exp(luck+s.within*rng.NormFloat64()),
				measure.Throughput.Key: 500 * math.Exp(s.within*rng.NormFloat64())}}
		if s.pooled {
			p.LatencyA, p.LatencyB = drawn(rng, 60), drawn(rng, 60*s.factor)
		}
		p.Disturbed = rng.IntN(9) == 0
		b.Pairs = append(b.Pairs, p)
	}
	return b
}

func drawn(rng *rand.Rand, median float64) stats.Distribution {
	counts := map[float64]uint64{}
	for range 150 {
		counts[math.Ceil(median*math.Exp(0.3*rng.NormFloat64()))]++
	}
	var d stats.Distribution
	for _, v := range slices.Sorted(maps.Keys(counts)) {
		d = append(d, stats.Bin{Value: v, Count: counts[v]})
	}
	return d
}

// simulate plays a comparison whose blocks take a second each to its end, and writes down what is decided.
func simulate(t *testing.T, seed uint64, full *strings.Builder) string {
	rng := rand.New(rand.NewPCG(56, seed))
	pick := func(of ...float64) float64 { return of[rng.IntN(len(of))] }
	q := Question{Gated: measure.CPU, Budget: time.Duration(pick(5, 9, 20, 40, 90)) * time.Second,
		Measures: []judge.Measure{measure.CPU, measure.Throughput, measure.Allocs, measure.HeapGrowth}}
	q.Linking = q.Budget / 8 * time.Duration(rng.IntN(2))
	pooled := seed%20 == 7
	if pooled {
		p99 := measure.Percentile("p99", 0.99)
		q.Measures = append(q.Measures, p99)
		if rng.IntN(2) == 0 {
			q.Beside = []judge.Measure{measure.Throughput, p99}
		}
	}
	q.Together, q.WholeBudget, q.OneStage = rng.IntN(4) == 0, rng.IntN(10) == 0, rng.IntN(6) == 0
	if rng.IntN(8) == 0 {
		q.Most = int(pick(3, 8, 15))
	}
	for _, text := range [][]string{nil, nil, nil, {"cpu<+5%"}, {"cpu<+2%", "allocs<=+5"}, {"allocs<=+1"},
		{"func(main.work)<+5%", "cpu<+5%"}, {"cpu<-3%"}}[rng.IntN(8)] {
		g, err := gate.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		q.Gates = append(q.Gates, g)
	}
	change, looks := pick(0, 0.2, 0.04), 0
	q.Function = func(i int, _ string, whole diff.Whole, alpha float64) (diff.FunctionRatio, error) {
		if looks++; looks < 3 {
			return diff.FunctionRatio{}, judge.ErrNotObserved
		}
		return ratioOf(change, 0.2/math.Sqrt(float64(looks))), nil
	}
	var variants []simulated
	blocks := [][]judge.Block{}
	for i := range 1 + rng.IntN(3) {
		variants = append(variants, simulated{pick(1, 1, 1.01, 1.03, 1.06, 1.3, 0.9, 0.5), pick(0.002, 0.01, 0.05),
			pick(0.004, 0.03), pick(0, 0, 0, 900), pick(0, 0, 3, 10), pooled})
		blocks, q.Variants = append(blocks, nil), append(q.Variants, fmt.Sprint("V", i))
	}
	interrupted := math.MaxInt
	if rng.IntN(8) == 0 {
		interrupted = 1 + rng.IntN(20)
	}
	r := NewReferee(q)
	rounds := 0
	for over := false; !over && rounds < 300 && rounds < interrupted; {
		rounds++
		layout := 0
		if r.Confirming() && r.OrdersMatter() {
			layout = rounds
		}
		for i, v := range variants {
			blocks[i] = append(blocks[i], v.block(rng, layout))
		}
		time.Sleep(time.Second)
		if r.Due(rounds, time.Second) {
			var err error
			if over, err = r.Look(blocks, time.Second); err != nil {
				t.Fatal(err)
			}
		}
	}
	short := fmt.Sprintf("%d: %q after %d blocks, %v of %v, split %d, looks %d, orders %v, notes %v\n", seed, r.Stopped,
		rounds, r.Elapsed(), r.Budget, r.Split(), len(r.Looks), r.OrdersMatter(), r.Notes())
	full.WriteString(short)
	for i := range variants {
		gains := r.Gains(i, blocks[i])
		ruling, err := r.Rule(i, blocks[i])
		text, bad := json.MarshalIndent([]any{gains, ruling, fmt.Sprint(err), r.Contest(i), r.FunctionsOpen()}, "", " ")
		if bad != nil {
			t.Fatal(bad)
		}
		full.Write(append(text, '\n'))
		short += fmt.Sprintf("  %s %s, gains %v", q.Variants[i], ruling.Word, gains)
		for _, v := range ruling.Verdicts {
			short += fmt.Sprintf(" | %s %s %.3f %.3f-%.3f of %d at %.4f", v.Measure.Key, v.Word, v.Ratio, v.Low, v.High,
				v.Starts, v.Alpha)
			if v.First != nil {
				short += fmt.Sprintf(", first %s of %d", v.First.Word, v.First.Starts)
			}
		}
		for _, g := range ruling.Gates {
			short += fmt.Sprintf(" | %s %s", g.Gate.Text, g.Outcome)
		}
		short += "\n"
	}
	return short
}

// What variants are called, after how many blocks, and what their gates say, stays as it is.
func TestDecisionsOnSimulatedVariants(t *testing.T) {
	var short, full strings.Builder
	path, seeds := os.Getenv("HONE_DECISIONS"), uint64(12)
	if path != "" { // all figures of more simulations, to compare two versions by
		seeds = 200
	}
	for seed := range seeds {
		synctest.Test(t, func(t *testing.T) {
			text := simulate(t, seed, &full)
			if seed < 12 {
				short.WriteString(text)
			}
		})
	}
	if path != "" {
		if err := os.WriteFile(path, []byte(full.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	golden := filepath.Join("testdata", "decisions.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(short.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if short.String() != string(want) {
		t.Errorf("other decisions than in %s:\n%s", golden, firstDifference(short.String(), string(want)))
	}
}

// firstDifference is the first line in which two texts differ, of both.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "got  " + a[i] + "\nwant " + b[i]
		}
	}
	return "one is longer"
}
