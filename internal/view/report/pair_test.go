package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
	"pgregory.net/rapid"
)

// ofRatio are the measures whose change is always a ratio.
var ofRatio = slices.DeleteFunc(slices.Clone(measure.All), measure.OfGrowth)

// drawVerdict draws what a comparison may say of a measure. The middle of B by itself may contradict the change.
func drawVerdict(t *rapid.T, measures []judge.Measure) judge.Verdict {
	m := rapid.SampledFrom(measures).Draw(t, "measure")
	size := rapid.Float64Range(-4, 12)
	v := judge.Verdict{
		Measure: m, Word: rapid.SampledFrom([]judge.Word{judge.Faster, judge.Slower, judge.Same,
			judge.Undecided}).Draw(t, "word"),
		A: math.Pow(10, size.Draw(t, "a")), B: math.Pow(10, size.Draw(t, "b")),
		Ratio: math.Exp(rapid.Float64Range(-7, 7).Draw(t,
			"change") * rapid.SampledFrom([]float64{1, 0.1, 0.001}).Draw(t, "of")),
		Starts: 8, Pairs: 160, Conf: 0.95,
	}
	v.Low, v.High = v.Ratio*0.9, v.Ratio*1.1
	v.B = v.LedTo(v.B)
	return v
}

// printed is the range of values that a printed number may stand for.
type printed struct{ low, high float64 }

func readNumber(t *rapid.T, text string) printed {
	text, below := strings.CutPrefix(text, "<")
	digits := strings.ReplaceAll(text, ",", "")
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		t.Fatalf("%q is not a number", text)
	}
	places := 0
	if _, fraction, ok := strings.Cut(digits, "."); ok {
		places = len(fraction)
	}
	half := 0.5 * math.Pow(10, -float64(places))
	if below {
		return printed{0, v + half}
	}
	return printed{v - half, v + half}
}

// agree fails where no two values of the printed pair have the printed change, or where the
// pair goes one way and the change the other.
func agree(t *rapid.T, line, pairText, change string) {
	before, after, ok := strings.Cut(pairText, " -> ")
	if !ok {
		t.Fatalf("no pair in %q", line)
	}
	after, _, _ = strings.Cut(after, " ")
	a, b := readNumber(t, before), readNumber(t, after)
	p := readNumber(t, strings.TrimSuffix(change, " %"))
	const slack = 1e-9 // of the arithmetic above
	low, high := 100*(max(0, b.low)/a.high-1), math.Inf(1)
	if a.low > 0 {
		high = 100 * (b.high/a.low - 1)
	}
	if p.high < low-slack || p.low > high+slack {
		t.Fatalf("%s\n%q means %v ... %v %%, and beside it stands %q", line, pairText, low, high, change)
	}
	if change[0] == '+' && b.high < a.low || change[0] == '-' && b.low > a.high ||
		change[0] != '+' && change[0] != '-' {
		t.Fatalf("%s\n%q goes another way than %q", line, pairText, change)
	}
}

// TestPairsAndChangesAgree: whatever was measured, the values that are printed beside a
// change have that change, to their digits, and its sign: in the sentence, the table, the
// table of stored runs and that of benchmarks.
func TestPairsAndChangesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawVerdict(t, ofRatio)
		sentence := model.Sentence(v, "A", "B")
		_, rest, _ := strings.Cut(sentence, ": "+v.Measure.Name+" ")
		pairText, rest, _ := strings.Cut(rest, " (")
		change, _, _ := strings.Cut(rest, ", ")
		if strings.Contains(change, ",") || !strings.HasSuffix(change, "%") { // a comma of a number
			change = rest[:strings.Index(rest, " %")+2]
		}
		agree(t, sentence, pairText, change)

		row := model.MeasureOf(v).Cells.All()
		agree(t, strings.Join(row, "|"), row[2]+" -> "+row[3], row[4])

		stored := &strings.Builder{}
		if err := Stored(stored, &history.Stored{A: ledger.Run{ID: "a"}, B: ledger.Run{ID: "b"},
			Verdicts: []judge.Verdict{v}}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(stored.String()) {
			if rest, ok := strings.CutPrefix(line, v.Measure.Name+"  "); ok {
				var cells []string
				for _, cell := range strings.Split(rest, "  ") {
					if cell = strings.TrimSpace(cell); cell != "" {
						cells = append(cells, cell)
					}
				}
				agree(t, line, cells[0], cells[1])
			}
		}

		w := drawVerdict(t, measure.OfBenchmarks)
		cells := benchRow{name: "Benchmark", verdict: w}.cells()
		agree(t, strings.Join(cells[:], "|"), cells[1], cells[2])
	})
}

// The case that was seen: two middles that fell, and a change that rose.
func TestThePairFollowsTheChange(t *testing.T) {
	v := judge.Verdict{Measure: measure.CPU, A: 3800, Ratio: 0.685}
	v.B = v.LedTo(2410)
	if got := model.MeasureOf(v).Cells.All(); got[2] != "3.80" || got[3] != "2.60" || got[4] != "-31.5 %" {
		t.Errorf("got %q", got)
	}
	none := judge.Verdict{Measure: measure.Allocs, A: 5, Ratio: 0.002}
	none.B = none.LedTo(0)
	if got := model.ValuesOf(none).String(); got != "5.00 -> <0.010" {
		t.Errorf("got %q", got)
	}
}
