package report

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/judge"
)

// upgraded is an upgrade that changed GOMAXPROCS: of two boxes the second has no result.
func upgraded() *tuning.Upgrade {
	cpu, p99 := measure.CPU, measure.Percentile("p99", 0.99)
	half := cgroup.Limits{CPUs: 0.5, Memory: 256 << 20}
	return &tuning.Upgrade{
		Toolchains: []string{"go1.24.9", "go1.25.5"},
		Missing:    []tuning.MissingToolchain{{Name: "go1.99.0", Reason: "get toolchain go1.99.0: not found"}},
		Boxes: []tuning.UpgradeBox{{
			Limits: half, Comparison: "c1",
			Rows: []tuning.UpgradeRow{
				{Toolchain: "go1.24.9", GOMAXPROCS: 16, Throttled: 0.42, CPUNanos: 18_000, P99: 84e6,
					PeakRSSBytes: 20e6},
				{Toolchain: "go1.25.5", GOMAXPROCS: 2, Throttled: 0.06, CPUNanos: 17_900, P99: 9e6, PeakRSSBytes: 15e6,
					Word: judge.Same, Verdicts: []judge.Verdict{
						{Measure: cpu, A: 18_000, B: 17_892, Ratio: 0.994, Low: 0.99, High: 1, Word: judge.Same},
						{Measure: p99, A: 84e6,
							B: 8.988e6, Ratio: 0.107, Low: 0.1, High: 0.12, Word: judge.Faster},
						{Measure: measure.PeakRSS, A: 20e6, B: 15e6, Ratio: 0.75, Word: judge.Undecided},
					}, Parts: &tuning.UpgradeParts{From: "go1.24.9", To: "go1.25.5", Measures: []tuning.Divided{{
						Measure: "CPU per request", Change: tuning.Cost{Share: 0.061, Low: 0.052, High: 0.07, Shown: true},
						Parts: []tuning.Part{
							{Name: "teagc", Does: "enables the Tea GC", Off: []string{"GOEXPERIMENT=noteagc"},
								Cost: tuning.Cost{Share: 0.048, Low: 0.039, High: 0.056, Shown: true}},
							{Name: "heapbase", Does: "moves the heap", Cost: tuning.Cost{Low: -0.01, High: 0.012}},
						}, Rest: 0.013}}}},
			},
			Outcome: &record.Outcome{
				Runs: []record.Run{{
					Head: record.Head{Command: spec.Line{"hone", "upgrade", "."},
						Binary:      build.Binary{GoVersion: "go1.24.9", IgnoresQuota: true},
						Environment: record.Environment{SubjectCPUs: make([]int, 16)}},
					Box: &record.Box{Limits: half, GOMAXPROCS: 16},
				}, {}},
				Comparison: &record.Comparison{ID: "c1", Contests: []record.Contest{{A: 0, B: 1}}},
			},
		}, {Limits: cgroup.Limits{Memory: 8 << 20},
			Failure: "program A was killed at the memory limit of the box (8 MiB)"}},
	}
}

// Of benchmarks each has a row, with the parts of what differs; what was tried for too short a time is said.
func TestUpgradeOfBenchmarks(t *testing.T) {
	time := judge.Verdict{Measure: measure.OperationTime, A: 100, B: 106, Ratio: 1.06, Low: 1.05, High: 1.07,
		Word: judge.Slower}
	divided := tuning.Divided{Measure: "time per operation", Change: tuning.Cost{Share: 0.06, Low: 0.05, High: 0.07},
		Parts: []tuning.Part{{Name: "teagc", Cost: tuning.Cost{Share: 0.05, Low: 0.04, High: 0.06, Shown: true}}}, Rest: 0.01}
	u := &tuning.Upgrade{Toolchains: []string{"go1.24.9", "go1.25.5"}, Benchmarks: []tuning.UpgradeBenchmark{
		{Toolchain: "go1.25.5", Name: "Parse-2", Verdicts: []judge.Verdict{time},
			Parts: &tuning.UpgradeParts{From: "go1.24.9", To: "go1.25.5", Measures: []tuning.Divided{divided}}},
		{Toolchain: "go1.25.5", Name: "Read-2", Verdicts: []judge.Verdict{time},
			Parts: &tuning.UpgradeParts{From: "go1.24.9", To: "go1.25.5", Failure: "too short a time"}},
		{Toolchain: "go1.25.5", Package: "example.com/lib\nfaster", Failure: "side B: does not build"}}}
	b := &strings.Builder{}
	if err := Upgrade(b, u, false); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"benchmark               toolchain  by go1.24.9  time per operation  against go1.24.9\n",
		"Parse-2                 go1.25.5   100 ns       106 ns              time per operation +6.0 % slower\n",
		"side B: does not build\n",
		"go1.24.9 -> go1.25.5 Parse-2: time per operation +6.0 % (+5.0 ... +7.0 %): teagc +5.0 % (+4.0 ... +6.0 %), rest +1.0 %\n",
		"go1.24.9 -> go1.25.5 Read-2: which part of the release it is, is not known: too short a time\n",
	} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("no %q in\n%s", part, b)
		}
	}
	if strings.Contains(b.String(), "\nfaster") || strings.Contains(b.String(), "next: ") {
		t.Errorf("a line of a stranger, or a command for nothing, in\n%s", b)
	}
}

func TestUpgrade(t *testing.T) {
	for markdown, want := range map[bool][]string{
		false: {
			"note: go1.99.0 is not in the table: get toolchain go1.99.0: not found\n",
			"box                toolchain  GOMAXPROCS  throttled  CPU per request  p99      peak memory  against go1.24.9\n",
			"0.5 CPUs, 256 MiB  go1.24.9   16          42 %       18.0 us          84.0 ms  20.0 MB",
			"                   go1.25.5   2           6.0 %      17.9 us          9.00 ms  15.0 MB      p99 latency -89.3 % faster; same: CPU per request; undecided: peak resident memory\n",
			"go1.24.9 -> go1.25.5 in the box of 0.5 CPUs, 256 MiB: CPU per request +6.1 % (+5.2 ... +7.0 %):",
			"teagc +4.8 % (+3.9 ... +5.6 %), rest +1.3 %; no effect shown: heapbase (", "teagc: enables the Tea GC; off with GOEXPERIMENT=noteagc\n",
			"note: GOMAXPROCS is 16, the number of CPUs that the program sees on this machine: by its toolchain, or by the go line",
			"note: in the box of 8 MiB: program A was killed at the memory limit of the box (8 MiB)\n",
			"next: hone show c1 (in the box of 0.5 CPUs, 256 MiB)\n",
		},
		true: {"| box | toolchain | GOMAXPROCS |", "|---|---|---|---|---|---|---|---|\n",
			"| 0.5 CPUs, 256 MiB | go1.24.9 | 16 | 42 % |"},
	} {
		b := &strings.Builder{}
		if err := Upgrade(b, upgraded(), markdown); err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(b.String(), part) {
				t.Errorf("no %q in\n%s", part, b)
			}
		}
	}
}
