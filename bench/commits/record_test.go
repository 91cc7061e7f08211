package commits

import (
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/gotest"
	"github.com/gohone/hone/judge"
)

// Right is the sign of the truth, and where the truth may be no change, no difference.
func TestRight(t *testing.T) {
	faster, unchanged := figures.Ratio{Value: 0.98, Low: 0.97, High: 0.99},
		figures.Ratio{Value: 0.999, Low: 0.99, High: 1.01}
	for _, c := range []struct {
		truth         figures.Ratio
		word          judge.Word
		ratio, p      float64
		hone, classic bool
	}{
		{faster, judge.Faster, 0.9, 0.01, true, true},
		{faster, judge.Slower, 1.1, 0.05, false, false},
		{faster, judge.Undecided, 0.9, 0.06, false, false},
		{unchanged, judge.Same, 0.9, 0.06, true, true},
		{unchanged, judge.Faster, 0.9, 0.01, false, false},
	} {
		r := record{Truth: c.truth, Verdict: c.word, Classic: gotest.Classic{Ratio: c.ratio, P: c.p}}
		if r.right(r.verdictSign()) != c.hone || r.right(r.classicSign()) != c.classic {
			t.Errorf("%+v: right are hone %v and benchstat %v", c, r.right(r.verdictSign()), r.right(r.classicSign()))
		}
	}
}

// A commit that is measured is in the document, and is not measured again.
func TestDocument(t *testing.T) {
	c := commits[0]
	some := []record{{Repo: c.Repo, Commit: c.Name(), Benchmark: c.Benchmark, Rounds: 60, Seconds: 30,
		Verdict: judge.Faster,
		ByHone:  figures.Ratio{Value: 0.75, Low: 0.74, High: 0.76},
		Truth:   figures.Ratio{Value: 0.76, Low: 0.755, High: 0.765},
		Classic: gotest.Classic{Ratio: 0.9, P: 0.2}}}
	if got := missing(some); len(got) != len(commits)-1 || got[0] == c {
		t.Errorf("missing are %v", got)
	}
	b := &bed.Result{}
	document(b, some)
	text := b.Text()
	for _, line := range []string{
		"-24.00 (-24.50 ... -23.50) (60)  faster, -25.00 (-26.00 ... -24.00)  30       ~ (-10.00, p=0.200)",
		"overlap for 1 of 1; ", "hone was right 1 times, benchstat 0 times",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no %q in\n%s", line, text)
		}
	}
}
