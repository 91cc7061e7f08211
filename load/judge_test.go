package load

import (
	"strings"
	"testing"
	"time"
)

// healthy is the tally of a measurement without blame.
func healthy() (Plan, Tally) {
	p := Plan{Connections: 100, Depth: 16, Timeout: 2 * time.Second}
	return p, Tally{
		Counts:  Counts{Scheduled: 1000000, Sent: 1000000, Answered: 1000000},
		Slices:  10,
		MinLive: 100, WorkerCPU: 30 * time.Millisecond, WorkerWall: 100 * time.Millisecond,
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*Tally)
		doubt string // "" for none
		fatal bool
		words []string
	}{
		{"healthy", func(*Tally) {}, "", false, nil},
		{"stalled connections withhold replies", func(t *Tally) {
			t.Stalled, t.Counts = 100, Counts{Scheduled: 1600, Sent: 1600, Unanswered: 1600}
		}, DoubtWithheld, true, []string{"replies withheld", "100 of 100 connections", "1,600 sent", "0 answered"}},
		{"most of the window withheld at the end", func(t *Tally) {
			t.Counts = Counts{Scheduled: 1000, Sent: 1000, Answered: 850, Unanswered: 150}
		}, DoubtWithheld, true, []string{"150 unanswered"}},
		{"a small rest unanswered", func(t *Tally) {
			t.Counts = Counts{Scheduled: 100000, Sent: 100000, Answered: 99000, Unanswered: 1000}
		}, DoubtWithheld, false, []string{"1,000 requests still unanswered"}},
		{"nothing answered at all", func(t *Tally) {
			t.Counts = Counts{Scheduled: 100, Sent: 100, Unanswered: 100}
		}, DoubtNoAnswer, true, []string{"none answered"}},
		{"wrong replies", func(t *Tally) {
			t.Counts = Counts{Scheduled: 100, Sent: 100, Answered: 90, Failed: 10, Causes: [NumCauses]uint64{WrongID: 4, Reset: 6}}
		}, DoubtWrong, true, []string{"10 of 100", "wrong id 4", "connection reset 6"}},
		{"one wrong reply in a million", func(t *Tally) {
			t.Counts = Counts{Scheduled: 1e6, Sent: 1e6, Answered: 1e6 - 1, Failed: 1, Causes: [NumCauses]uint64{WrongStatus: 1}}
		}, DoubtWrong, false, []string{"1 of 1,000,000"}},
		{"connections lost", func(t *Tally) { t.MinLive = 93 }, DoubtLive, true, []string{"93 of 100"}},
		{"generator saturated", func(t *Tally) { t.WorkerCPU = t.WorkerWall }, DoubtSaturated, false, []string{"100 %"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, tally := healthy()
			c.spoil(&tally)
			doubts := Judge(plan, tally)
			if c.doubt == "" {
				if len(doubts) != 0 {
					t.Fatalf("doubts without cause: %+v", doubts)
				}
				return
			}
			if len(doubts) == 0 || doubts[0].Name != c.doubt || doubts[0].Fatal != c.fatal {
				t.Fatalf("doubts %+v, want %s (fatal %v)", doubts, c.doubt, c.fatal)
			}
			for _, w := range c.words {
				if !strings.Contains(doubts[0].Text, w) {
					t.Errorf("text %q lacks %q", doubts[0].Text, w)
				}
			}
			if got := Invalid(doubts) != nil; got != c.fatal {
				t.Errorf("Invalid = %v, want %v", got, c.fatal)
			}
		})
	}
}

func TestTallyKeepsTheLatestLevels(t *testing.T) {
	var tally Tally
	tally.Add(Slice{Counts: Counts{Sent: 10, Answered: 6, Unanswered: 4}, Live: 5, Duration: time.Second})
	tally.Add(Slice{Counts: Counts{Sent: 10, Answered: 13, Unanswered: 1}, Live: 3, Duration: time.Second})
	if tally.Sent != 20 || tally.Answered != 19 || tally.Unanswered != 1 {
		t.Errorf("counts %+v", tally.Counts)
	}
	if tally.MinLive != 3 || tally.Slices != 2 || tally.Duration != 2*time.Second {
		t.Errorf("tally %+v", tally)
	}
	if err := tally.Balance(); err == nil {
		t.Error("a tally without the scheduled requests balances")
	}
}
