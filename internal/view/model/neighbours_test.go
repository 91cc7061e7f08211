package model

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// Comparisons of services say which measure falls into two groups, and what would narrow the widest interval.
func TestWhatNeighboursAndWidthsSay(t *testing.T) {
	narrow := judge.Verdict{Measure: measure.OperationTime, Word: judge.Same, Resolution: 0.005}
	wide := judge.Verdict{Measure: measure.OperationTime, Word: judge.Undecided, Resolution: 0.02,
		Modes: &judge.Modes{Low: 0.993, High: 1.079, LowStarts: 11, HighStarts: 33, P: 0.001},
		Width: &judge.Width{Parts: []judge.WidthPart{{Of: judge.WidthOfStarts, Share: 0.6},
			{Of: judge.WidthOfOrders, Share: 0.36}, {Of: judge.WidthOfPairs, Share: 0.04}}, Starts: 40, Resolution: 0.01}}
	c := &record.Comparison{Elapsed: 10 * time.Second, Blocks: 20,
		Contests: []record.Contest{{A: 0, B: 1, Verdicts: []judge.Verdict{wide}}}}
	said := strings.Join(linesOf(slices.Concat(contestWidth(c), contestModes(c))), "\n")
	for _, want := range []string{"width: 60 % starts, 36 % link orders; about 20 s more give +-1 %",
		"note: time per operation of B: its starts fall into two groups"} {
		if !strings.Contains(said, want) {
			t.Errorf("%s\nlacks %q", said, want)
		}
	}
	wide.Word = judge.Slower
	if all := widthOf([]judge.Verdict{wide, narrow}, nil, time.Second); all != nil {
		t.Errorf("a difference, and one that is narrow: %v", all)
	}
}

func linesOf(all []Statement) (lines []string) {
	for _, s := range all {
		lines = append(lines, s.String())
	}
	return lines
}
