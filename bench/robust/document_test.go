package robust

import (
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/golden"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// invented are two sessions: kills of which one fails for a known reason and one for none, pages
// without a failure, and two fuzz targets. Hostile servers and orphans are not tried yet.
func invented() []record {
	head := func(command string) record {
		return record{Entry: bed.Entry{At: noon, Session: &bed.Session{Schema: resultsSchema, Hone: "hone devel",
			Machine: []string{"machine   one", "load      1.2"}, Command: command}}}
	}
	rs := []record{head("go run ./robust")}
	add := func(k *kind, o outcome) {
		rs = append(rs, record{Entry: bed.Entry{At: noon.Add(time.Duration(len(rs)) * time.Minute)}, Kind: k.Name, Number: next(rs, k),
			Seconds: 2.5, Outcome: &o})
	}
	for i := range 20 {
		o := outcome{What: "run", Point: "killed after 5 of some 10 ms, 3 earlier runs", Hit: i%2 == 0}
		switch i {
		case 3:
			o.failf("2 git worktrees are left behind the next hone bench")
		case 4:
			o.What = "bench"
			o.failf("run b is lost")
			o.failf("run c is lost")
		}
		add(crashes, o)
	}
	rs = append(rs, head("go run ./robust -for 8h"))
	for range 3 {
		add(pages, outcome{What: "bit flipped", Point: "bit 1 of byte 2", Hit: true})
	}
	add(fuzzing, outcome{What: "stats FuzzA", Executions: 1_234_567})
	add(fuzzing, outcome{What: "stats FuzzA", Executions: 1_000_000})
	add(fuzzing, outcome{What: "bench/sidebyside FuzzB", Executions: 12})
	return rs
}

func TestDocument(t *testing.T) {
	known := []explanation{{Kind: "crash", What: "run", Text: "worktrees",
		Why: "Known: the next version removes them."}}
	got := &bed.Result{}
	bed.Origin(got, invented())
	document(got, invented(), known)
	golden.Check(t, "testdata/robustness.txt", got.Text())
}

func TestOnlyKnownFailuresAreExplained(t *testing.T) {
	known := []explanation{{Kind: "crash", What: "bench", Text: "worktree", Why: "x"},
		{Kind: "pages", Text: "lost", Why: "y"}}
	for _, c := range []struct {
		kind, what, failure, why string
	}{
		{"crash", "bench", "2 git worktrees are left", "x"},
		{"crash", "run", "2 git worktrees are left", ""},
		{"crash", "bench", "a run is lost", ""},
		{"pages", "anything", "a run is lost", "y"},
	} {
		e := explanationOf(known, c.kind, outcome{What: c.what}, c.failure)
		if (e == nil) != (c.why == "") || e != nil && e.Why != c.why {
			t.Errorf("%v: %v", c, e)
		}
	}
}
