package tune

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/fail"
)

const mb = 1_000_000

// base is the program of the rounds as it is: 4 MB beside a heap of 16 MB.
var base = seen{name: "as it is", rss: 20 * mb, goal: 16 * mb, cycles: 900}

func TestSweepRecommendsUnderALimit(t *testing.T) {
	gains := []seen{
		{name: "GOGC=50", low: 1.2, high: 1.3, rss: 14 * mb, goal: 10 * mb, cycles: 1800},
		{name: "GOGC=200", low: 0.88, high: 0.92, rss: 34 * mb, goal: 30 * mb, cycles: 450},
		{name: "GOGC=400", low: 0.80, high: 0.84, rss: 60 * mb, goal: 56 * mb, cycles: 220},
		{name: "GOGC=800", low: 0.795, high: 0.843, rss: 112 * mb, goal: 108 * mb, cycles: 110},
	}
	for _, c := range []struct {
		what   string
		limit  uint64
		seen   []seen
		want   string
		reason string
	}{
		{"no limit", 0, gains, "", "with a limit"},
		{"room for all: what hardly gains more takes twice the memory", 200 * mb, gains, "GOGC=400",
			"less memory than GOGC=800"},
		{"room for some", 50 * mb, gains, "GOGC=200", "least CPU time"},
		{"less than it takes as it is", 15 * mb, gains, "GOGC=50", "least CPU time"},
		{"less than anything takes", 8 * mb, gains, "", "nothing that was tried keeps to 8.00 MB"},
		{"the interval covers zero", 200 * mb, []seen{{name: "GOGC=200", low: 0.97, high: 1.01, rss: 34 * mb,
			goal: 30 * mb, cycles: 450}}, "", "no setting that keeps to"},
		{"too few starts", 200 * mb, []seen{{name: "GOGC=200", rss: 34 * mb, goal: 30 * mb, cycles: 450}}, "",
			"no setting that keeps to"},
		{"no collection within a start", 200 * mb,
			[]seen{{name: "GOGC=off", low: 0.5, high: 0.6, rss: 34 * mb, goal: 90 * mb, cycles: 3}}, "",
			"no setting that keeps to"},
		{"the heap did not grow to its goal", 50 * mb,
			[]seen{{name: "GOGC=400", low: 0.5, high: 0.6, rss: 34 * mb, goal: 90 * mb, cycles: 30}}, "",
			"no setting that keeps to"},
	} {
		report := concludeSweep((&tuning.GCReport{LimitBytes: c.limit,
			Rounds: []*tuning.Round{roundOf(base, c.seen...)}}))
		if report.Recommended != c.want || !strings.Contains(report.Reason, c.reason) {
			t.Errorf("%s: recommended %q since %q, want %q since %q", c.what, report.Recommended, report.Reason, c.want,
				c.reason)
		}
	}
}

func TestSweepOfAProgramThatDoesNotCollect(t *testing.T) {
	still := base
	still.cycles = 0
	report := concludeSweep((&tuning.GCReport{LimitBytes: 100 * mb,
		Rounds: []*tuning.Round{roundOf(still, seen{name: "GOGC=400", low: 0.9, high: 0.95, rss: 20 * mb,
			goal: 16 * mb})}}))
	if report.Recommended != "" || !strings.Contains(report.Reason, "did not run") {
		t.Errorf("recommended %q since %q", report.Recommended, report.Reason)
	}
}

func TestFrontOfCPUTimeAgainstMemory(t *testing.T) {
	report := concludeSweep((&tuning.GCReport{Rounds: []*tuning.Round{roundOf(base,
		seen{name: "GOGC=50", low: 1.2, high: 1.3, rss: 14 * mb, goal: 10 * mb, cycles: 1800},
		seen{name: "GOGC=200", low: 0.88, high: 0.92, rss: 34 * mb, goal: 30 * mb, cycles: 450},
		// takes more of both than 200
		seen{name: "GOGC=300", low: 0.90, high: 0.94, rss: 40 * mb, goal: 30 * mb, cycles: 450},
		seen{name: "GOGC=off", low: 0.5, high: 0.6, rss: 50 * mb, goal: 30 * mb, cycles: 3}, // hardly collected
	)}}))
	var front []string
	for _, p := range report.Points {
		if p.Front {
			front = append(front, p.Name)
		}
	}
	if want := []string{"GOGC=50", "as it is", "GOGC=200"}; !slices.Equal(front, want) {
		t.Errorf("front %q, want %q", front, want)
	}
}

// The second round has the settings that the first one shows to be worth it, within the limit.
func TestSecondRoundIsChosen(t *testing.T) {
	first := roundOf(base,
		seen{name: "GOGC=50", low: 1.2, high: 1.3, rss: 14 * mb, goal: 10 * mb, cycles: 1800},
		seen{name: "GOGC=200", low: 0.88, high: 0.92, rss: 34 * mb, goal: 30 * mb, cycles: 450},
		seen{name: "GOGC=300", low: 0.93, high: 0.94, rss: 40 * mb, goal: 36 * mb, cycles: 450},
		seen{name: "GOGC=400", low: 0.80, high: 0.84, rss: 60 * mb, goal: 56 * mb, cycles: 220},
		seen{name: "GOGC=800", low: 0.79, high: 0.83, rss: 112 * mb, goal: 108 * mb, cycles: 110},
	)
	for limit, want := range map[uint64][]int{0: {200, 400, 800}, 100 * mb: {50, 200, 400}, 16 * mb: {50},
		1 * mb: nil} {
		if got := choose(first, limit); !slices.Equal(got, want) {
			t.Errorf("limit %d: %v, want %v", limit, got, want)
		}
	}
	// What was left behind stays in the table, without a claim to the front.
	report := &tuning.GCReport{Rounds: []*tuning.Round{first,
		roundOf(base, seen{name: "GOGC=400", low: 0.80, high: 0.84, rss: 60 * mb, goal: 56 * mb, cycles: 220})}}
	concludeSweep(report)
	if len(report.Points) != 6 {
		t.Errorf("%d points, want 6", len(report.Points))
	}
	for _, p := range report.Points {
		if want := !p.AsIs && p.Name != "GOGC=400"; p.FirstRound != want || p.FirstRound && p.Front {
			t.Errorf("%s: first round only %v, front %v", p.Name, p.FirstRound, p.Front)
		}
	}
}

func TestPercents(t *testing.T) {
	t.Setenv("GOGC", "")
	for _, c := range []struct {
		env   []string
		asked []int
		want  []int
	}{
		{nil, nil, []int{50, 200, 400, 800}},
		{[]string{"GOGC=400"}, nil, []int{50, 100, 200, 800}},
		{[]string{"GOGC=400", "GOGC=50"}, []int{400, 50, 400}, []int{400}},
		{nil, []int{100}, nil},
		{nil, []int{-5}, nil},
	} {
		trial := Trial{Task: lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{{RunEnv: c.env}}}}}}
		got, err := trial.percents(c.asked)
		if !slices.Equal(got, c.want) || (err != nil) != (c.want == nil) ||
			err != nil && fail.KindOf(err) != fail.BadInput {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
	}
}

func TestSettingsOfTheCollector(t *testing.T) {
	all := append(gogc([]int{400}, 512<<20), withLimit(512<<20)...)
	if len(all) != 2 || all[0].Name != "GOGC=400 GOMEMLIMIT=460MiB" ||
		!slices.Equal(all[1].Env, []string{"GOGC=off", "GOMEMLIMIT=460MiB"}) {
		t.Errorf("%+v", all)
	}
	// 460 MiB at 100 MB/s are 5 s of load, and twice that with a spare for two collections: 3 of
	// each of two variants.
	a := tuning.AsIs{Readings: tuning.Readings{BytesPerSecond: 100 * mb}}
	if got := loadFor(a, all[1:], 16*time.Minute, 0); got.Round(time.Second) != 29*time.Second {
		t.Errorf("load %v", got)
	}
	if got := loadFor(a, all[1:], time.Minute, 0); got != time.Minute/16 {
		t.Errorf("load %v of a small budget", got)
	}
	if got := loadFor(a, nil, time.Minute, 3*time.Second); got != 3*time.Second {
		t.Errorf("load %v, asked for 3 s", got)
	}
}
