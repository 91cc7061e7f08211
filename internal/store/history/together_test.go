package history

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/judge"
)

// together stores a comparison of three services, whose slices were taken in turns while the
// machine drifted.
func (b *book) together(cpu [3]float64, rng *rand.Rand) (comparison string, runs [3]string) {
	b.Helper()
	c, err := b.BeginComparison(ledger.Comparison{Started: b.at})
	if err != nil {
		b.Fatal(err)
	}
	var drafts [3]*ledger.Draft
	for i := range drafts {
		drafts[i], err = b.BeginRun(ledger.Run{Comparison: c.ID(), Variant: string(rune('A' + i)), Started: b.at,
			Label: "."})
		if err != nil {
			b.Fatal(err)
		}
		runs[i] = drafts[i].ID()
	}
	var all [3][]packed.Slice
	for block := range 8 {
		for pair := range 6 {
			drift := math.Exp(0.3 * rng.NormFloat64()) // common to the pair, which has two slices of each
			for n := range 2 * len(all) {
				i := n % len(all)
				s := slice100(b.T, len(all[i]), block, cpu[i]*drift, rng)
				s.Pair, s.First = pair, i == 0
				all[i] = append(all[i], s)
			}
		}
	}
	for i, d := range drafts {
		if err := d.AddSlices(all[i]); err != nil {
			b.Fatal(err)
		}
		if err := d.Finish(ledger.Complete, "", json.RawMessage("{}")); err != nil {
			b.Fatal(err)
		}
	}
	doc := `{"schema":"hone.comparison/2","looks":[{"blocks":6,"used":0.7},{"blocks":8,"used":1}]}`
	if err := c.Finish(ledger.Comparison{Status: ledger.Complete, Word: "faster",
		Doc: json.RawMessage(doc)}); err != nil {
		b.Fatal(err)
	}
	return c.ID(), runs
}

// Runs of one comparison are compared by their pairs, in which the machine's drift is in
// both: ranks of all slices could not see the difference.
func TestRunsOfOneComparisonAreComparedByTheirPairs(t *testing.T) {
	b, rng := newBook(t), rand.New(rand.NewPCG(5, 6))
	comparison, runs := b.together([3]float64{20_000, 21_000, 22_000}, rng)
	c, err := Together(b.Ledger, runs[1], runs[2], judge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := verdictOn(t, c, "cpu")
	if c.Comparison != comparison || v.Indicative || v.Word != judge.Slower || v.Method != judge.SignFlip ||
		v.Looks != 2 ||
		v.Starts != 8 || v.Pairs != 48 || math.Abs(v.Ratio-22.0/21) > 0.01 || strings.Contains(v.Reason, "together") {
		t.Errorf("%+v", v)
	}
	if v.Alpha != judge.DefaultAlpha/2 {
		t.Errorf("level %v, want a half: the comparison had two contests", v.Alpha)
	}
	one, two := run(t, b, runs[0]), run(t, b, runs[1])
	if SharedComparison(one, two) != comparison || SharedComparison(one, one) != "" ||
		SharedComparison(one, ledger.Run{ID: "other"}) != "" {
		t.Error("the comparison that runs share is wrong")
	}
}

func run(t *testing.T, b *book, id string) ledger.Run {
	t.Helper()
	r, err := b.Ledger.Run(id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
