package load

import (
	"strings"
	"testing"
	"time"
)

// healthy is the tally of a measurement without blame.
func healthy() (Plan, Tally) {
	p := Plan{Connections: 100, Depth: 16, Timeout: 2 * time.Second}
	return p, Tally{Slices: 10, Slice: Slice{
		Counts:      Counts{Scheduled: 1000000, Sent: 1000000, Answered: 1000000},
		Connections: Connections{Live: 100},
		WorkerTime:  WorkerTime{WorkerCPU: 30 * time.Millisecond, WorkerWall: 100 * time.Millisecond},
	}}
}

// wantDoubt wants a doubt of that name first, with these words; no doubt at all without a name.
func wantDoubt(t *testing.T, got []Doubt, name string, fatal bool, words []string) {
	t.Helper()
	if name == "" {
		if len(got) != 0 {
			t.Fatalf("doubts without cause: %+v", got)
		}
		return
	}
	if len(got) == 0 || got[0].Name != name || got[0].Fatal != fatal {
		t.Fatalf("doubts %+v, want %s (fatal %v)", got, name, fatal)
	}
	for _, w := range words {
		if !strings.Contains(got[0].Text, w) {
			t.Errorf("text %q lacks %q", got[0].Text, w)
		}
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
		{"slow, and all answered in the end", func(t *Tally) {
			t.Stalled, t.Counts = 7, Counts{Scheduled: 151, Sent: 151, Answered: 151}
		}, "", false, nil},
		{"a reply withheld beside slow ones", func(t *Tally) {
			t.Stalled, t.Counts = 7, Counts{Scheduled: 151, Sent: 151, Answered: 150, Unanswered: 1}
		}, DoubtWithheld, true, []string{"7 of 100 connections", "1 unanswered"}},
		{"a small rest unanswered", func(t *Tally) {
			t.Counts = Counts{Scheduled: 100000, Sent: 100000, Answered: 99000, Unanswered: 1000}
		}, DoubtWithheld, false, []string{"1,000 requests still unanswered"}},
		{"nothing answered at all", func(t *Tally) {
			t.Counts = Counts{Scheduled: 100, Sent: 100, Unanswered: 100}
		}, DoubtNoAnswer, true, []string{"none answered"}},
		{"answers with the ids of others", func(t *Tally) {
			t.Counts = Counts{Scheduled: 400, Sent: 400, Answered: 48, Failed: 352, Lost: 352, Stray: 340, Causes: [NumCauses]uint64{WrongID: 340, Timeout: 352}}
		}, DoubtUnmatched, true, []string{"no outstanding request: 340", "352 of 400 requests had none", "48 answered"}},
		{"stalled, while answers have the ids of others", func(t *Tally) {
			t.Stalled, t.Counts = 100, Counts{Scheduled: 1600, Sent: 1600, Unanswered: 1600, Stray: 1500}
		}, DoubtUnmatched, true, []string{"1,600 of 1,600"}},
		{"wrong replies", func(t *Tally) {
			t.Counts = Counts{Scheduled: 100, Sent: 100, Answered: 90, Failed: 10, Causes: [NumCauses]uint64{WrongID: 4, Reset: 6}}
		}, DoubtWrong, true, []string{"10 of 100", "wrong id 4", "connection reset 6"}},
		{"wrong replies, and some to no request", func(t *Tally) {
			t.Counts = Counts{Scheduled: 100, Sent: 100, Answered: 90, Failed: 10, Stray: 3, Causes: [NumCauses]uint64{WrongID: 13}}
		}, DoubtWrong, true, []string{"10 of 100, and 3 that belong to no request"}},
		{"one wrong reply in a million", func(t *Tally) {
			t.Counts = Counts{Scheduled: 1e6, Sent: 1e6, Answered: 1e6 - 1, Failed: 1, Causes: [NumCauses]uint64{WrongStatus: 1}}
		}, DoubtWrong, false, []string{"1 of 1,000,000"}},
		{"connections lost", func(t *Tally) { t.Live = 93 }, DoubtLive, true, []string{"93 of 100"}},
		{"generator saturated", func(t *Tally) { t.WorkerCPU = t.WorkerWall }, DoubtSaturated, false, []string{"100 %"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, tally := healthy()
			c.spoil(&tally)
			doubts := Evidence{Plan: plan, Tally: tally}.Judge()
			wantDoubt(t, doubts, c.doubt, c.fatal, c.words)
			if got := Invalid(doubts) != nil; got != c.fatal {
				t.Errorf("Invalid = %v, want %v", got, c.fatal)
			}
		})
	}
}

// openLoop is the evidence of a faultless open loop of 10,000 requests in 10 s.
func openLoop() Evidence {
	p, t := healthy()
	t.Counts = Counts{Scheduled: 10_000, Sent: 10_000, Answered: 10_000}
	t.Duration = 10 * time.Second
	t.Response, t.Lag = newHistogram(), newHistogram()
	record(t.Response, int64(2*time.Millisecond), 10_000)
	record(t.Lag, int64(20*time.Microsecond), 10_000)
	return Evidence{Plan: p, Schedule: OpenLoop(1000, 10*time.Second), Tally: t, Pace: true}
}

func TestJudgeOfTheGeneratorsPace(t *testing.T) {
	short := func(e *Evidence) {
		e.Tally.Sent, e.Tally.Answered, e.Tally.Unsent = 9900, 9900, 100
	}
	lag := func(e *Evidence) { record(e.Tally.Lag, int64(5*time.Millisecond), 200) }
	// compared has so many requests of slices in which the generator was on time.
	compared := func(e *Evidence, scheduled, sent uint64) {
		short(e)
		lag(e)
		e.Pace, e.OnTime = false, &Counts{Scheduled: scheduled, Sent: sent}
	}
	for _, c := range []struct {
		name  string
		spoil func(*Evidence)
		doubt string // "" for none
		fatal bool
		words []string
	}{
		{"faultless", func(*Evidence) {}, "", false, nil},
		{"the target is slow", short, DoubtRate, true, []string{"9,900 of 10,000", "99.00 %", "all connections were busy"}},
		{"the generator is slow", func(e *Evidence) { short(e); lag(e) }, DoubtRate, true, []string{"generator was late"}},
		{"a comparison, late in some slices", func(e *Evidence) { compared(e, 6000, 6000) }, DoubtLag, false, nil},
		{"a comparison, late in most slices", func(e *Evidence) { compared(e, 4000, 4000) }, DoubtRate, false,
			[]string{"9,900 of 10,000", "generator was late"}},
		{"a comparison that lost much of its load", func(e *Evidence) {
			compared(e, 4000, 4000)
			e.Tally.Sent, e.Tally.Unsent = 8900, 1100
		}, DoubtRate, true, []string{"8,900 of 10,000"}},
		{"a comparison of slow targets", func(e *Evidence) {
			short(e)
			e.OnTime = &Counts{Scheduled: 10_000, Sent: 9900}
		}, DoubtRate, true, []string{"all connections were busy"}},
		{"late with every request", lag, DoubtLag, true, []string{"it sent requests 5.", "after they were due", "response time of 2.00 ms (p99)"}},
		{"late, but the target is later", func(e *Evidence) { lag(e); record(e.Tally.Response, int64(time.Second), 200) }, "", false, nil},
		{"busy, but in time", func(e *Evidence) { e.Tally.WorkerCPU = e.Tally.WorkerWall }, DoubtSaturated, false, nil},
		{"busy waiting", func(e *Evidence) { e.Tally.WorkerCPU = e.Tally.WorkerWall; e.Tally.Spin = e.Tally.WorkerWall / 2 }, "", false, nil},
		{"a closed loop at the generator's limit", func(e *Evidence) {
			e.Schedule, e.Tally.WorkerCPU = ClosedLoop(time.Second), e.Tally.WorkerWall
		}, DoubtSaturated, true, nil},
		{"stopped by its collector", func(e *Evidence) { e.Pauses = Pauses{Count: 9, Total: time.Second, Max: time.Second} }, DoubtPauses, true, nil},
		{"one long pause", func(e *Evidence) { e.Pauses = Pauses{Count: 1, Total: 2 * time.Millisecond, Max: 2 * time.Millisecond} }, DoubtPauses, false, nil},
		{"timeouts", func(e *Evidence) {
			e.Plan.RequestTimeout = time.Second
			e.Tally.Answered, e.Tally.Failed, e.Tally.Causes[Timeout] = 5000, 5000, 5000
		}, DoubtWithheld, true, []string{"5,000 of 10,000", "within 1s"}},
		{"errors that the user allows", func(e *Evidence) {
			e.MaxWrongShare = 0.02
			e.Tally.Answered, e.Tally.Failed, e.Tally.Causes[WrongStatus] = 9900, 100, 100
		}, DoubtWrong, false, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := openLoop()
			c.spoil(&e)
			wantDoubt(t, e.Judge(), c.doubt, c.fatal, c.words)
		})
	}
}

func TestTallyKeepsTheLatestGauges(t *testing.T) {
	var tally Tally
	tally.Add(Slice{Counts: Counts{Sent: 10, Answered: 6, Unanswered: 4}, Connections: Connections{Live: 5},
		Duration: time.Second})
	tally.Add(Slice{Counts: Counts{Sent: 10, Answered: 13, Unanswered: 1}, Connections: Connections{Live: 3},
		Duration: time.Second})
	if tally.Sent != 20 || tally.Answered != 19 || tally.Unanswered != 1 {
		t.Errorf("counts %+v", tally.Counts)
	}
	if tally.Live != 3 || tally.Slices != 2 || tally.Duration != 2*time.Second {
		t.Errorf("tally %+v", tally)
	}
	if err := tally.Balance(); err == nil {
		t.Error("a tally without the scheduled requests balances")
	}
}
