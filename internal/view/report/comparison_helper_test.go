package report

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
)

// verdictOf is a verdict from eight starts with twenty pairs each.
func verdictOf(m judge.Measure, word judge.Word, a, low, high float64) judge.Verdict {
	ratio := math.Sqrt(low * high)
	v := judge.Verdict{
		Measure: m, Word: word, A: a, B: a * ratio, Ratio: ratio, Low: low, High: high, Conf: 0.95,
		P: 0.0078, Level: 0.031, Looks: 3, Method: judge.SignFlip, Starts: 8, Pairs: 160, Alpha: 0.05, Delta: 0.01,
		Resolution: math.Sqrt(high/low) - 1, Detectable: math.Pow(high/low, 0.715) - 1,
	}
	if m.Level == judge.PerStart {
		v.Pairs = v.Starts
	}
	return v
}

// runsOf are the runs of variants with these sources.
func runsOf(sources ...string) []record.Run {
	var runs []record.Run
	for i, source := range sources {
		r := record.Run{
			Head: record.Head{
				Schema: record.RunSchema, ID: fmt.Sprintf("%c1b2c3d%d", 'a'+i, i), Comparison: "cc00ffee",
				Status:  ledger.Complete,
				Started: loadStart, Label: source + " -cache on", Args: []string{"-addr", "127.0.0.1:{port}"},
			},
			Target: "http://127.0.0.1:{port}/",
			Plan:   load.Plan{Connections: 10, Depth: 1, Timeout: 2 * time.Second},
			Slice:  50 * time.Millisecond, Slices: 160, Starts: 8, Arrangement: record.Ports,
			RightShare: 1, GeneratorBusy: 0.31 - 0.1*float64(i),
			Counts: load.Counts{Scheduled: 120000, Sent: 120000, Answered: 120000},
		}
		r.Binary = build.Binary{
			Variant:   build.Variant{Name: model.Letter(i), Source: source, Args: []string{"-cache", "on"}},
			Package:   "example.com/shop/cmd/server",
			GoVersion: "go1.26.8", Commit: "8c2f00d1aa99ee", Dirty: i > 0,
		}
		r.Environment = record.Environment{Hone: "v1.2.3", GeneratorCPUs: []int{1}, SubjectCPUs: []int{0}}
		r.Environment.Description = machine.Description{GoVersion: "go1.26.8", OS: "linux", Arch: "amd64",
			Kernel: "6.12.0", CPUModel: "AMD EPYC 7763", CPUs: 2, LoadAverage: 0.4}
		runs = append(runs, r)
	}
	return runs
}

// comparisonOf is a comparison of A with as many variants as there are lists of verdicts.
func comparisonOf(stopped string, contests ...[]judge.Verdict) *record.Comparison {
	c := &record.Comparison{
		Schema: record.ComparisonSchema, ID: "cc00ffee", Status: ledger.Complete, Started: loadStart,
		Elapsed: 31 * time.Second, Seed: 42,
		Arrangement: record.Ports, Budget: 60 * time.Second, Blocks: 8, BlockTime: 1750 * time.Millisecond,
		Stopped: stopped,
		Looks:   []judge.Look{{Blocks: 6, Used: 0.175}, {Blocks: 7, Used: 0.2}, {Blocks: 8, Used: 0.233}},
		Runs:    []string{"a1b2c3d0"},
	}
	c.SelfChecks = append(c.SelfChecks, compare.SelfCheckResult{Ratio: 1, Low: 0.996, High: 1.004, Clean: true})
	for i, verdicts := range contests {
		c.Runs = append(c.Runs, fmt.Sprintf("%c1b2c3d%d", 'b'+i, i+1))
		c.Contests = append(c.Contests, record.Contest{B: i + 1, Word: verdicts[0].Word, Verdicts: verdicts})
		c.SelfChecks = append(c.SelfChecks, compare.SelfCheckResult{Ratio: 1, Low: 0.995, High: 1.003, Clean: true})
	}
	c.Word = c.Contests[0].Word
	return c
}

// faster are the verdicts of buffered against raw, as it were.
func faster() []judge.Verdict {
	return []judge.Verdict{
		verdictOf(measure.CPU, judge.Faster, 13_900, 0.066, 0.074),
		verdictOf(measure.Throughput, judge.Faster, 75_000, 3.4, 3.8),
		verdictOf(measure.All[4], judge.Faster, 2.4e6, 0.21, 0.29),
		verdictOf(measure.Allocs, judge.Faster, 3, 0.32, 0.34),
		verdictOf(measure.PeakRSS, judge.Slower, 18e6, 1.05, 1.09),
	}
}

// explained is what the profiles say of that.
func explained() *diff.Explanation {
	return &diff.Explanation{
		Changes: []diff.Change{
			{
				Site: prof.Site{What: "Syscall under net.(*conn).Read", Function: "example.com/shop/framed.rawServe",
					File: "/tmp/0a1b/framed/raw.go", Line: 41},
				Path: "framed/raw.go", A: 10_000, B: 100, Delta: -9900, Share: -71, Low: -75, High: -67,
			},
			{
				Site: prof.Site{What: "framed.decode", Function: "example.com/shop/framed.decode",
					File: "/tmp/0a1b/framed/decode.go", Line: 7},
				Path: "framed/decode.go", A: 900, B: 1480, Delta: 580, Share: 4.2, Low: 1.1, High: 7.3,
			},
		},
		Total: -93, Explained: -66.8, Smaller: -20, More: 4, Unexplained: -6.2, Conf: 0.95, Asked: 31, SamplesA: 480,
		SamplesB: 450,
	}
}

// fewerAllocations are the places that allocate less.
func fewerAllocations() *diff.Explanation {
	return &diff.Explanation{
		Changes: []diff.Change{{
			Site: prof.Site{What: "allocation (runtime.mallocgc)", Function: "example.com/shop/framed.decode",
				File: "/tmp/0a1b/framed/decode.go", Line: 9},
			Path: "framed/decode.go", A: 2.5, B: 0.5, Delta: -2, Share: -66.7, Low: -66.8, High: -66.6,
		}},
		Total: -67, Explained: -66.7, Unexplained: -0.3, Conf: 0.95, Asked: 4,
	}
}

// open are verdicts that leave the question open, with what it would take.
func open(starts int) []judge.Verdict {
	v := verdictOf(measure.CPU, judge.Undecided, 500_000, 0.985, 1.035)
	v.Reason = "interval too wide: -1.5 ... +3.5 % (+-2.51 %), want +-1 %"
	v.Need = &judge.Need{Starts: starts, Factor: float64(8+starts) / 8}
	return []judge.Verdict{v, verdictOf(measure.Throughput, judge.Undecided, 2000, 0.93, 1.04)}
}

// tooFew are verdicts from two starts, which show nothing.
func tooFew() []judge.Verdict {
	v := verdictOf(measure.CPU, judge.Undecided, 500_000, 0.99, 1.02)
	v.Low, v.High, v.Resolution, v.Detectable = 0, math.Inf(1), math.Inf(1), math.Inf(1)
	v.Starts, v.Pairs, v.Looks = 2, 40, 1
	v.Reason = "too few starts: 2 starts of each variant, and fewer than 6 can never be significant at level 0.05"
	v.Need = &judge.Need{Starts: 4, Factor: 3}
	return []judge.Verdict{v}
}

// withGates holds gates against a comparison as the lab does.
func withGates(t *testing.T, c *record.Comparison, texts ...string) *record.Comparison {
	t.Helper()
	for _, text := range texts {
		g, err := gate.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, contest := range c.Contests {
			r := gate.Result{Gate: g, Variant: model.Letter(contest.B), Outcome: gate.Open,
				Reason: g.Measure.Name + " was not observed"}
			for _, v := range contest.Verdicts {
				if v.Measure.Key == g.Measure.Key {
					r.Outcome, r.Reason = g.Judge(v)
				}
			}
			c.Gates = append(c.Gates, r)
		}
	}
	return c
}

// story is a comparison with its runs.
type story struct {
	comparison *record.Comparison
	runs       []record.Run
}

// stories are the comparisons that the golden files show, by the names of the files.
func stories(t *testing.T) map[string]story {
	two, three := runsOf("main:./cmd/server", "./cmd/server"),
		runsOf("v1.0:./cmd/server", "v1.1:./cmd/server", "./cmd/server")
	all := map[string]story{}

	c := comparisonOf(compare.StoppedDecided, faster())
	c.Contests[0].Why, c.Contests[0].WhyAllocs = explained(), fewerAllocations()
	all["faster"] = story{c, two}

	slower := verdictOf(measure.CPU, judge.Slower, 13_900, 1.02, 1.06)
	c = comparisonOf(compare.StoppedDecided, []judge.Verdict{slower,
		verdictOf(measure.Throughput, judge.Slower, 75_000, 0.95, 0.99)})
	c.SelfChecks[1] = compare.SelfCheckResult{Low: 1.02, High: 1.04, Conf: 0.99}
	noted := runsOf("main:./cmd/server", "./cmd/server")
	noted[1].Doubts = []load.Doubt{{Name: load.DoubtSaturated,
		Text: "the generator used 96 % of its CPU: throughput and latency are its own"}}
	noted[0].Environment.StealShare, noted[1].Warnings = 0.013,
		[]string{"the program wrote 70 kB to stderr; 64 kB of it were kept"}
	steal, other := 0.021, 340*time.Millisecond
	noted[1].Conditions = machine.Summary{Slices: 160, Noticeable: 12,
		Total: machine.Disturbance{Elapsed: 8 * time.Second, Steal: &steal, Others: &other}}
	c.Blocks, c.FirstStage, c.LinkOrders = 15, 8, 4
	c.Contests[0].Why = &diff.Explanation{Total: 4, Unexplained: 4, Asked: 31, SamplesA: 480, SamplesB: 450}
	all["slower"] = story{c, noted}

	all["same"] = story{comparisonOf(compare.StoppedDecided,
		[]judge.Verdict{verdictOf(measure.CPU, judge.Same, 500_000, 0.995, 1.006)}), two}

	bounded := open(23)
	bounded[0].EquivalenceLow, bounded[0].EquivalenceHigh = 0.989, 1.0313
	bounded[1] = verdictOf(measure.Throughput, judge.Undecided, 2000, 0.955, 1.02)
	bounded[1].EquivalenceLow, bounded[1].EquivalenceHigh = 0.961, 1.014
	for i, v := range bounded {
		bounded[i] = compare.Excluding(v, judge.DefaultExcluded)
	}
	all["no_change"] = story{comparisonOf(compare.StoppedBudget, bounded), two}

	c = comparisonOf(compare.StoppedBudget, open(23))
	c.Blocks, c.Looks = 34, append(c.Looks, judge.Look{Blocks: 34, Used: 1})
	all["undecided"] = story{c, two}
	c = comparisonOf(compare.StoppedBudget, open(1e9))
	all["undecided_out_of_reach"] = story{c, two}
	c = comparisonOf(compare.StoppedBudget, tooFew())
	c.Blocks, c.Looks, c.Budget = 2, []judge.Look{{Blocks: 2, Used: 1}}, 4*time.Second
	all["undecided_two_starts"] = story{c, two}

	c = comparisonOf(compare.StoppedDecided, faster())
	c.Contests[0] = record.Contest{B: 1, Word: judge.Invalid}
	c.Status, c.Word, c.Reason, c.Looks, c.SelfChecks, c.Stopped = ledger.Invalid, judge.Invalid,
		"replies withheld: 10 of 10 connections", nil, nil, ""
	bad := runsOf("main:./cmd/server", "./cmd/server")
	bad[1].Status, bad[1].Slices = ledger.Invalid, 0
	bad[1].Doubts = []load.Doubt{{Name: load.DoubtWithheld, Text: c.Reason, Fatal: true}}
	bad[0].Status, bad[0].Starts, bad[0].Slices = ledger.Partial, 1, 2
	all["invalid"] = story{c, bad}

	stopped := *c
	stopped.Status, stopped.Reason = ledger.Interrupted, "interrupted"
	cut := runsOf("main:./cmd/server", "./cmd/server")
	cut[0].Status, cut[1].Status, cut[0].Starts, cut[1].Starts, cut[1].Slices = ledger.Interrupted, ledger.Interrupted,
		4, 4, 158
	all["interrupted"] = story{&stopped, cut}

	c = comparisonOf(compare.StoppedBudget, faster(), open(23))
	for i := range c.Contests {
		for j := range c.Contests[i].Verdicts {
			c.Contests[i].Verdicts[j].Conf = 0.975
		}
	}
	c.Contests[0].Why = explained()
	// undecided: nothing to explain
	c.Contests[1].Why = &diff.Explanation{Total: 1, Unexplained: 1, Asked: 31, SamplesA: 480, SamplesB: 450}
	all["three"] = story{c, three}
	all["three_gates"] = story{withGates(t, comparisonOf(compare.StoppedBudget, faster(), open(23)), "cpu<+2%",
		"rate>-10%"), three}

	c = withGates(t, comparisonOf(compare.StoppedBudget,
		append(open(23), verdictOf(measure.Allocs, judge.Slower, 3, 1.3, 1.4),
			verdictOf(measure.PeakRSS, judge.Same, 18e6, 0.996, 1.008))), "allocs<=0", "cpu<+2%", "rss<+5MB",
		"rate>-10%",
		"p99<+5%")
	all["gates"] = story{c, two}
	all["gates_settled"] = story{withGates(t, comparisonOf(compare.StoppedGates, open(1e9)), "cpu<+5%"), two}

	stored := open(5)
	for i := range stored {
		stored[i].Indicative, stored[i].Method, stored[i].Need, stored[i].Reason = true, judge.Ranks, nil, ""
	}
	c = comparisonOf("", stored)
	c.Blocks, c.BlockTime, c.Looks, c.Budget = 0, 0, nil, 0
	all["indicative"] = story{c, two}
	return all
}
