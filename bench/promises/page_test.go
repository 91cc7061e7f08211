package promises

import (
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
)

// The newest claim answers for a promise, in one row, with its goal, its peer and where it comes from.
func TestRowsOfThePage(t *testing.T) {
	dir := t.TempDir()
	for _, r := range []struct {
		what, figure, commit string
		held                 bool
	}{
		{"`hone bench`: false alarms among equal sides", "9 of 60", bed.NotRecorded, false},
		{"`hone bench`: planted slow-downs of 1.5 % found", "51 of 60 (85 %; by rounds); and more", bed.NotRecorded, true},
		{"`hone bench`: false alarms among equal sides", "2 of 60", "0123456789ab and changes", true},
	} {
		b := &bed.Result{Case: "benchwidth", Taken: bed.Taken{Date: "2026-11-25 21:36 UTC", Commit: r.commit}}
		b.Claim(r.what, "%s", r.figure).Want("at most 5 %", r.held).Against("benchstat 11 of 30; more")
		if err := b.Keep(dir); err != nil {
			t.Fatal(err)
		}
	}
	page, err := Page(dir, Stale{"benchmarks: a planted 1.5 % is found": true})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		"| alarms among equal benchmarks | 2 of 60 | at most 5 %: held | benchstat 11 of 30 | 2026-11-25 0123456 | benchwidth |",
		"| benchmarks: a planted 1.5 % is found | 51 of 60 (85 %; by rounds) | at most 5 %: held | benchstat 11 of 30 | " +
			"2026-11-25, *stale* | benchwidth |",
	} {
		if !strings.Contains(page, row+"\n") {
			t.Errorf("no row %s in\n%s", row, page)
		}
	}
	if !strings.Contains(page, "code of today: noop, itself, calibrate, layouts,") {
		t.Errorf("no word of what is not measured:\n%s", page)
	}
	if stale := StaleIn(page); len(stale) != 1 || !stale["benchmarks: a planted 1.5 % is found"] {
		t.Errorf("read back from the page: %v", stale)
	}
	if again, err := Page(dir, StaleIn(page)); err != nil || again != page {
		t.Errorf("the page changes with its own marks (%v)", err)
	}
}

// A README keeps its words, and gets date, figure and peer; one without the row is refused.
func TestReadme(t *testing.T) {
	dir := t.TempDir()
	for about, what := range map[string]string{
		"noop":   "hone on commits that change nothing, 15 to 30 s each: false alarms of the deciding measure",
		"cheats": "changes that only look faster, 15s each: plainly faster",
	} {
		b := &bed.Result{Case: about, Taken: bed.Taken{Date: "2026-12-01 01:02 UTC"}}
		b.Claim(what, "0 of $1; more").Against("benchstat 9")
		if err := b.Keep(dir); err != nil {
			t.Fatal(err)
		}
	}
	text := "| mine (`make bench CASE=noop`, 2026-11-28) | - | - |\n| 我的（`CASE=cheats`，2026-11-26） | old | |\n"
	want := "| mine (`make bench CASE=noop`, 2026-12-01) | 0 of $1 | benchstat 9 |\n" +
		"| 我的（`CASE=cheats`，2026-12-01） | 0 of $1 | benchstat 9 |\n"
	if got, err := Readme(dir, text); err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	if _, err := Readme(dir, "no table"); err == nil {
		t.Error("a README without its rows is taken")
	}
}

// Each headline is a promise, and no two promises have one text.
func TestPromises(t *testing.T) {
	texts := map[string]bool{}
	for _, p := range all {
		if texts[p.text] || len(p.claims) == 0 || strings.Contains(p.text, "|") {
			t.Errorf("%+v: twice, or not whole", p)
		}
		texts[p.text] = true
	}
	for _, h := range headlines {
		if !texts[h] {
			t.Errorf("the headline %q is not a promise", h)
		}
	}
}
