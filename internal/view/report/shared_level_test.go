package report

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

// A measure that is undecided with an interval clear of zero has a sentence below the table that says why. One whose
// interval holds zero has none.
func TestUndecidedWithAnIntervalClearOfZeroIsExplained(t *testing.T) {
	const sentence = "throughput is undecided: its 95 % interval is right by itself, but 2 measures share the level"
	for _, c := range []struct {
		low, high float64
		want      bool
	}{{1.1, 1.6, true}, {0.9, 1.6, false}} {
		of := record.Contest{B: 1, Word: judge.Faster, Verdicts: []judge.Verdict{
			verdictOf(measure.CPU, judge.Faster, 13_900, 0.6, 0.7),
			verdictOf(measure.Throughput, judge.Undecided, 1000, c.low, c.high)}}
		b := &strings.Builder{}
		if err := Comparison(b, &record.Comparison{Word: of.Word, Contests: []record.Contest{of}}, runsOf("./a", "./b"),
			model.Full); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), sentence) != c.want {
			t.Errorf("interval %v ... %v: the sentence stands there: %v\n%s", c.low, c.high, !c.want, b)
		}
	}
}
