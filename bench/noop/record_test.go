package noop

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/gotest"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/judge"
)

// What was measured is not measured again: each commit once, each planted slow-down so many times.
func TestMissing(t *testing.T) {
	noOps, err := corpus.NoOps()
	if err != nil {
		t.Fatal(err)
	}
	c := config{n: 50, each: 2}
	want := c.wanted(noOps)
	planted := 0
	for _, s := range slices.Concat(corpus.Libraries, corpus.Services) {
		if s.Hot != "" {
			planted += 2 * len(plants)
		}
	}
	if len(want) != 50+planted || want[0].Repo == want[1].Repo {
		t.Fatalf("%d trials, want %d and %d", len(want), 50, planted)
	}
	var records []record
	for _, x := range []trial{want[0], want[7], want[50], want[51], want[52]} {
		records = append(records, record{Repo: x.Repo, Commit: x.Name(), Kind: x.Kind, Planted: x.planted,
			Said: &honecli.Said{}})
	}
	left := missing(records, want)
	if len(left) != len(want)-5 || left[0] != want[1] || slices.Contains(left, want[7]) ||
		slices.Contains(left, want[50]) {
		t.Errorf("%d of %d are left", len(left), len(want))
	}
	c.only = []string{"google/uuid"}
	if got := c.wanted(noOps); len(got) == 0 || slices.ContainsFunc(got,
		func(x trial) bool { return x.Repo != "google/uuid" }) {
		t.Errorf("of one repository: %v", got)
	}
}

// The document counts alarms of any kind, at either stage, and what was found of what was planted.
func TestDocument(t *testing.T) {
	var records []record
	for i := range 600 {
		s := honecli.Said{Word: judge.Same, First: judge.Same, Ratio: 1, Low: 0.99, High: 1.01, Seconds: 20}
		r := record{Repo: "google/uuid", Commit: fmt.Sprint(i), Kind: corpus.Unused, OtherText: i%2 == 0, Said: &s,
			Classic: &gotest.Classic{Ratio: 1.02, P: float64(i) / 100}}
		switch i {
		case 0:
			s.Word, s.First, s.Confirmed, s.Different = judge.Slower, judge.Slower, true, []string{"time"}
		case 1:
			s.First, s.TakenBack = judge.Faster, "another order"
		case 2:
			s.Different = []string{"bytes"}
			r.Repo, r.Kind, r.Classic = "traefik/whoami", corpus.Documents, nil
		}
		records = append(records, r)
	}
	for i := range 20 {
		s := honecli.Said{Word: judge.Slower, First: judge.Slower, Confirmed: i > 0, Ratio: 1.05, Low: 1.04, High: 1.06,
			Seconds: 24}
		records = append(records, record{Repo: "tidwall/gjson", Commit: "c", Planted: 0.05, Iterations: 250, Said: &s})
	}
	res := &bed.Result{}
	document(res, records)
	for _, line := range []string{
		"deciding measure: 1 of 600, 95 % upper limit 0.79 %; goal at most 1, limit at most 1 %: held",
		"of any measure, function or gate: 2 of 600, 95 % upper limit 1.05 %; goal at most 1, limit at most 1 %: missed",
		"2 repositories; the machine code differs in 300 of 600; the first stage called 2 different, of which 1 were taken back",
		"planted 5 % found, 15 to 30 s each: 19 of 20, 95.0 % (76.4 ... 99.1); goal at least 97 %: missed",
		"time to the confirmed verdict on 5 %: 24.0 (24.0 .. 24.0) s; estimate",
		"false alarms: 5 of 599",
		"google/uuid 0     unused     slower       slower",
		"another order",
	} {
		if !strings.Contains(res.Text(), line) {
			t.Errorf("no %q in\n%s", line, res.Text())
		}
	}
}

// Of commits that hone was free not to measure the document counts why it did not, and how far the others were bounded.
// Those that were all measured have a line of their own.
func TestDecided(t *testing.T) {
	var records []record
	for i := range 40 {
		s := honecli.Said{Word: judge.Same, First: judge.Same}
		switch {
		case i < 20:
			s.Unmeasured = honecli.SameCode
		case i < 30:
			s.Unmeasured = honecli.NotExecuted
		case i < 38:
			s.Word, s.Excluded = judge.NoChange, 0.019
		default:
			s.Word = judge.Undecided
		}
		records = append(records, record{Repo: "google/uuid", Commit: fmt.Sprint(i), LeavesOut: true, Said: &s})
	}
	records = append(records, record{Repo: "google/uuid", Commit: "old", Said: &honecli.Said{Word: judge.Undecided}})
	res := &bed.Result{}
	document(res, records)
	for _, line := range []string{
		"undecided: 2 of 40, 5.0 % (1.4 ... 16.5); goal at most 5 %: held",
		"more than 2 % is excluded: 38 of 40, 95.0 % (83.5 ... 98.6); goal at least 90 %: held",
		"because the code is the same: 20 of 40", "nothing that differs is executed: 10 of 40",
		"undecided 2 of 10, 20.0 %", "earlier commits, all measured: alarms 0 of 1", "limit at most 1 %: missed",
	} {
		if !strings.Contains(res.Text(), line) {
			t.Errorf("no %q in\n%s", line, res.Text())
		}
	}
	c := config{more: 3}
	if got := c.first([]trial{{i: 1}, {i: 2}, {planted: 0.05}, {i: 3}, {i: 4}}); len(got) != 4 {
		t.Errorf("%d trials, want 3 and a planted one", len(got))
	}
}

// Services take turns, and what was compared is not compared again.
func TestItself(t *testing.T) {
	c := config{n: 5, only: []string{"traefik/whoami", "m3ng9i/ran"}}
	s := honecli.Said{Word: judge.Same}
	left := c.left([]record{{Repo: "m3ng9i/ran", Said: &s}, {Repo: "traefik/whoami", Said: &s}})
	if want := []string{"traefik/whoami", "m3ng9i/ran", "traefik/whoami"}; !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
	wide := honecli.Said{Word: judge.NoChange, Excluded: 0.03, Low: 0.98, High: 1.02}
	res := &bed.Result{}
	documentItself(res, []record{{Repo: "m3ng9i/ran", Said: &wide}, {Repo: "m3ng9i/ran", Said: &s}})
	for _, line := range []string{"1 of 2, 50.0 % (9.5 ... 90.5); goal at least 95 %: missed", "undecided 0 of 2"} {
		if !strings.Contains(res.Text(), line) {
			t.Errorf("no %q in\n%s", line, res.Text())
		}
	}
}
