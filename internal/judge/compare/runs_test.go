package compare

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// runs are those of A and of B, which show their instructions.
func runs(a, b []float64) (blocks []judge.Block) {
	for i := range a {
		blocks = append(blocks, judge.Block{A: judge.Sample{measure.OperationInstructions.Key: a[i]},
			B: judge.Sample{measure.OperationInstructions.Key: b[i]}})
	}
	return blocks
}

func TestVerdictsOnRuns(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []float64
		want judge.Word
		says string
	}{
		{"as one side scatters", []float64{1000, 1004, 1002, 1001}, []float64{1003, 1005, 1004, 1002},
			judge.Same, "less than the runs of one side do"},
		{"within delta", []float64{1000, 1000.1}, []float64{1000.2, 1000.1}, judge.Same, "lies within"},
		{"4 % less", []float64{1234, 1235, 1233}, []float64{1180, 1181, 1180}, judge.Faster, "Student"},
		{"4 % more", []float64{1180, 1181, 1180}, []float64{1234, 1235, 1233}, judge.Slower, "Student"},
		{"more, but it scatters far", []float64{1000, 1300}, []float64{1100, 1350},
			judge.Undecided, "the runs of one side differ by 30.0 %"},
		{"equal", []float64{7, 7}, []float64{7, 7}, judge.Same, ""},
		{"nothing on either side", []float64{0, -0.1}, []float64{0.2, 0}, judge.Same, ""},
		{"from nothing", []float64{0, 0}, []float64{50, 50}, judge.Slower, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := DecideRuns(measure.OperationInstructions, runs(c.a, c.b), judge.Options{Delta: 0.001})
			if err != nil || v.Word != c.want || !strings.Contains(v.Reason, c.says) {
				t.Errorf("got %s, %q", v.Word, v.Reason)
			}
			if v.Need != nil && v.Word != judge.Undecided {
				t.Errorf("%s needs %+v", v.Word, v.Need)
			}
		})
	}
	if v, err := DecideRuns(measure.OperationInstructions, runs([]float64{1}, []float64{2}), judge.Options{}); err == nil {
		t.Errorf("one run has the verdict %+v", v)
	}
}
