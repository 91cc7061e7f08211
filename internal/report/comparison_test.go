package report

import (
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/prof"
)

func verdict(word compare.Word, a, b, ratio, low, high float64) compare.Verdict {
	return compare.Verdict{
		Measure: compare.CPU, Word: word, A: a, B: b, Ratio: ratio, Low: low, High: high,
		Conf: 0.95, Pairs: 24, Starts: 4, Alpha: 0.05, Delta: 0.01,
	}
}

func TestSentence(t *testing.T) {
	open := verdict(compare.Undecided, 500, 505, 1.01, 0.97, 1.05)
	open.Reason, open.Need = "interval too wide", &compare.Need{Pairs: 60}
	for _, c := range []struct {
		v    compare.Verdict
		want string
	}{
		{verdict(compare.Faster, 13900, 970, 0.07, 0.066, 0.074),
			"B is faster than A: CPU per request 13.9 -> 0.970 us (-93 %, 95 % interval -93.4 ... -92.6 %, 24 pairs, 4 starts each)"},
		{verdict(compare.Slower, 970, 1940, 2, 1.9, 2.1),
			"B is slower than A: CPU per request 0.970 -> 1.94 us (+100 %, 95 % interval +90.0 ... +110.0 %, 24 pairs, 4 starts each)"},
		{verdict(compare.Same, 500, 501, 1.001, 0.995, 1.006),
			"B is the same as A within +-1 %: CPU per request 500 -> 501 ns (+0.10 %, 95 % interval -0.50 ... +0.60 %, 24 pairs, 4 starts each)"},
		{open,
			"undecided: CPU per request 500 -> 505 ns (+1.0 %, 95 % interval -3.0 ... +5.0 %, 24 pairs, 4 starts each); interval too wide; about 12 s more load would tell"},
	} {
		if got := Sentence(c.v, 200*time.Millisecond); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// A bad measurement is said in place of any verdict, with the doubt that rules it out.
func TestInvalidComparisonShowsNoNumbers(t *testing.T) {
	runs := []lab.Record{
		{ID: "aaaa0000", Label: "./a", Status: ledger.Invalid, Doubts: []load.Doubt{{Name: load.DoubtWithheld, Text: "replies withheld: 10 of 10", Fatal: true}}},
		{ID: "bbbb0000", Label: "./b", Status: ledger.Invalid},
	}
	c := &lab.ComparisonRecord{ID: "cccc0000", Status: ledger.Invalid, Reason: "replies withheld: 10 of 10", Word: compare.Invalid, Runs: []string{"aaaa0000", "bbbb0000"}}
	var b strings.Builder
	if err := Comparison(&b, c, runs); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if !strings.Contains(text, "no verdict (invalid): replies withheld") || !strings.Contains(text, "invalid: A: replies withheld") {
		t.Errorf("lacks the reason:\n%s", text)
	}
	for _, word := range []string{"faster", "slower", "->"} {
		if strings.Contains(text, word) {
			t.Errorf("%q in a report without a verdict:\n%s", word, text)
		}
	}
}

func TestComparisonNamesTheChanges(t *testing.T) {
	runs := []lab.Record{{ID: "aaaa0000", RightShare: 1, GeneratorBusy: 0.31}, {ID: "bbbb0000", RightShare: 1}}
	c := &lab.ComparisonRecord{
		ID: "cccc0000", Status: ledger.Complete, Word: compare.Faster,
		Verdicts:   []compare.Verdict{verdict(compare.Faster, 13900, 970, 0.07, 0.066, 0.074)},
		SelfChecks: []compare.SelfCheckResult{{Low: 0.99, High: 1.01, Clean: true}, {Low: 1.02, High: 1.04}},
		Changes: []prof.Change{{Site: prof.Site{What: "Syscall under net.(*conn).Read", File: "/src/framed/raw.go", Line: 41}, Share: -71},
			{Site: prof.Site{What: "framed.decode"}, Share: 4.2}},
	}
	var b strings.Builder
	if err := Comparison(&b, c, runs); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"measurement ok: generator at 31 % of its CPU, replies 100 % right, A/A clean (-1.0 ... +1.0 %), B/B NOT clean (+2.0 ... +4.0 %)\n",
		"why: -71 % Syscall under net.(*conn).Read  framed/raw.go:41\nbut: +4.2 % framed.decode\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q:\n%s", want, b.String())
		}
	}
}
