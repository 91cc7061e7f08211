package headlines

import (
	"errors"
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/golden"
	"github.com/gohone/hone/internal/sys/machine"
)

// invented are sections with everything that one can have. No number in them was measured.
func invented() []part {
	return []part{
		{
			section: section{Name: "whole", Title: "A system",
				About: "Published: by hand.\nRatios are to the rung above.\n"},
			Rows: []row{
				{What: "first", Published: "1,000 requests/s", Here: "2,000 requests/s"},
				{What: "second", Published: "1,500 requests/s", PublishedRatio: 1.5, Here: "2,000 -> 2,980 requests/s",
					Ratio: figures.Ratio{Value: 1.49, Low: 1.45, High: 1.54}},
				{What: "third", Published: "2,000 requests/s", PublishedRatio: 4.0 / 3,
					Here: "2,980 -> 2,100 requests/s", Ratio: figures.Ratio{Value: 0.7047, Low: 0.69, High: 0.72},
					Note: "a | in a note"},
				{What: "fourth", Published: "2,020 requests/s", PublishedRatio: 1.01, Here: "2,100 -> 2,110 requests/s",
					Ratio: figures.Ratio{Value: 1.005}},
				{What: "fifth", Here: "refused", Note: "two\nlines"},
			},
			Took: 61 * time.Second, CPUs: 64,
			Disturbed: []machine.Disturbance{{Elapsed: time.Second, Others: new(3200 * time.Millisecond),
				Steal: new(0.0042)}},
			Repeated: []string{"hone: measurement invalid: the cat sat on it"},
		},
		{
			section: section{Name: "cut", Title: "Another", About: "Published: never."},
			Rows:    []row{{What: "first", Here: "1 us"}},
			Err:     errors.New("run hone run: exit status 3\nthe program `x` died"), Took: time.Second,
		},
		{section: section{Name: "none", Title: "A third", About: "Nothing."}, Err: errors.New("build it: no compiler"),
			Took: time.Second},
	}
}

func TestResult(t *testing.T) {
	r := &bed.Result{}
	for _, p := range invented() {
		p.show(r)
	}
	golden.Check(t, "testdata/result.txt", r.Text())
}

func TestAgreement(t *testing.T) {
	for _, c := range []struct {
		published float64
		here      figures.Ratio
		want      string
	}{
		{0, figures.Ratio{Value: 2, Low: 1.9, High: 2.1}, ""},
		{2, figures.Ratio{}, ""},
		{2, figures.Ratio{Value: 2}, "too few rounds for an interval"},
		{1.46, figures.Ratio{Value: 1.5, Low: 1.4, High: 1.6}, "fits the published ratio"},
		{1, figures.Ratio{Value: 1.01, Low: 0.99, High: 1.03}, "fits the published ratio"},
		{1.08, figures.Ratio{Value: 1.05, Low: 0.97, High: 1.1}, "undecided: no change is in the interval, too"},
		{1.17, figures.Ratio{Value: 0.9, Low: 0.88, High: 0.92}, "the opposite of what was published"},
		{0.5, figures.Ratio{Value: 1.2, Low: 1.1, High: 1.3}, "the opposite of what was published"},
		{1.46, figures.Ratio{Value: 1.01, Low: 0.99, High: 1.03}, "no difference shown here"},
		{1, figures.Ratio{Value: 1.2, Low: 1.1, High: 1.3}, "a difference here, none published"},
		{1.46, figures.Ratio{Value: 13, Low: 12, High: 14}, "the same way, by more"},
		{0.4, figures.Ratio{Value: 0.1, Low: 0.09, High: 0.11}, "the same way, by more"},
		{1.46, figures.Ratio{Value: 1.2, Low: 1.1, High: 1.3}, "the same way, by less"},
		{0.4, figures.Ratio{Value: 0.8, Low: 0.7, High: 0.9}, "the same way, by less"},
	} {
		if got := agreement(c.published, c.here); got != c.want {
			t.Errorf("published %v, here %v: %q, want %q", c.published, c.here, got, c.want)
		}
	}
}
