package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/results"
)

// document writes the document that the results make, of load from so many agents; 0 of hone's own.
func document(w io.Writer, records []record, agents int) {
	fmt.Fprint(w, "# Calibration of verdicts")
	if agents > 0 {
		fmt.Fprintf(w, " with agents\n\nThe load came from %d agents on the same machine, by turns ([more](scale-out.md)).", agents)
	}
	fmt.Fprintln(w)
	fmt.Fprint(w, intro)
	results.Origin(w, records)
	fmt.Fprint(w, "\n## Goals\n\n")
	goals(w, records)
	fmt.Fprint(w, "\n## Comparisons\n\n")
	comparisons(w, records)
	fmt.Fprint(w, "\n## The classic way beside it\n\n")
	classicWay(w, records)
	fmt.Fprint(w, "\n## The planted slow-downs\n\n")
	planted(w, records)
	fmt.Fprint(w, limits)
}

const intro = `
How often hone calls equal variants different or the same, and how often it finds a
slow-down that was planted, on four services under load. Made by
bench/calibrate from its file of results, a line for each comparison; do not edit.

- ` + "`framed`" + `: the framed server's stage batched, 100 connections, 16 requests outstanding on each.
- ` + "`http`" + `: the visitor counter on net/http, 50 connections.
- ` + "`collected`" + `: a web service that decodes JSON and keeps 30,000 orders, so that the collector is busy; 50 connections.
- ` + "`waiting`" + `: a web service that takes a lock and waits 2 ms for a backend, 100 connections.
- Both sides of a comparison are the same program with the flag -spin: N iterations more of a small
  loop for each request. Equal variants have none on either side. Which side is slow is drawn at random.
- All kinds of comparisons take turns in random order.
- What was tried to narrow the intervals: [decisions.md](decisions.md#a-busy-collector-gets-pairs-of-several-slices).
- In brackets: 95 % intervals, Wilson's of shares, Hodges and Lehmann's of the pooled slow-down.

`

const limits = `
## What this does not show

- One machine, and the days above. On another one the false alarms should hold, since the test does not
  assume how large the noise is; how small a slow-down is found within a budget will not.
- Four services in closed loops. An open loop, or a service that changes as it runs (a cache that fills) may do worse.
- A slow-down that is the same for every request, in one binary. A change of the source moves code
  as well, and that alone can make a difference of the same size, real on this build and gone on the next
  (` + "`--layouts`" + ` samples it).
- Power on CPU time per request only. Of throughput and p99 the false alarms are counted, and nothing was planted.
- The verdict at the first budget. If a comparison is repeated until its result pleases, the odds are others.
- The pooled slow-down leans away from none a little: a comparison ends when it has seen enough, and it sees
  enough sooner when luck adds to the difference.
- The classic way is held against false alarms only, not against its power.
`

// goals holds the results against what was promised.
func goals(w io.Writer, records []record) {
	aa, short := tallyOf(records, equal, ""), tallyOf(records, equalShort, "")
	alarms := results.Share{Of: aa.wrong + short.wrong, N: aa.n + short.n}
	results.Goal(w, "false alarms among equal variants, in 60 s and in 15 s", alarms, results.AtMost, alarmGoal)
	results.Goal(w, "false alarms on throughput among them", aa.throughput.plus(short.throughput), results.AtMost, alarmGoal)
	results.Goal(w, "false alarms on p99 among them", aa.p99.plus(short.p99), results.AtMost, alarmGoal)
	results.Goal(w, "equal variants called the same within 1 %, in 60 s", aa.of(aa.same), results.AtLeast, equal.Goal)
	for _, k := range kinds {
		if k.Planted > 0 {
			t := tallyOf(records, k, "")
			results.Goal(w, fmt.Sprintf("planted %g %% found, in %.0f s", 100*k.Planted, k.Budget.Seconds()), t.of(t.found), results.AtLeast, k.Goal)
		}
	}
}

// comparisons writes a row for each kind and service, and for each kind over all.
func comparisons(w io.Writer, records []record) {
	fmt.Fprintln(w, "Wrong is the wrong side, and for equal variants either side. An invalid measurement counts as one that")
	fmt.Fprintln(w, "found nothing. The time is hone's own, from its first build to its verdict, the median over the verdicts.")
	fmt.Fprintln(w)
	results.TableHead(w, "kind", "service", "planted", "budget", "comparisons", "found", "same", "undecided", "wrong", "invalid", "time", "pooled slow-down")
	failures := 0
	for _, k := range kinds {
		if k.Classic {
			continue
		}
		for _, service := range rowServices(records, k) {
			t := tallyOf(records, k, service)
			found, plantedBy := "-", "none"
			if k.Planted > 0 {
				found, plantedBy = t.of(t.found).String(), fmt.Sprintf("%g %%", 100*k.Planted)
			}
			results.TableRow(w, k.Name, cmp.Or(service, "all"), plantedBy, fmt.Sprintf("%.0f s", k.Budget.Seconds()), fmt.Sprint(t.n), found,
				t.of(t.same).String(), t.of(t.undecided).String(), t.of(t.wrong).String(), fmt.Sprint(t.invalid), t.median(), t.pooled())
		}
		failures += tallyOf(records, k, "").failed
	}
	if failures > 0 {
		fmt.Fprintf(w, "\n%d more came to no end (hone or a service failed) and were taken again.\n", failures)
	}
	times(w, records)
}

// times says when the comparisons of each service were made: the noise of a machine has its hours, and hone its versions.
func times(w io.Writer, records []record) {
	fmt.Fprintln(w)
	for _, s := range services {
		var all []time.Time
		for _, r := range records {
			if r.Service == s.Name && r.Comparison != nil {
				all = append(all, r.At)
			}
		}
		if len(all) > 0 {
			fmt.Fprintf(w, "- `%s` was measured from %s to %s.\n", s.Name,
				results.Moment(slices.MinFunc(all, time.Time.Compare)), results.Moment(slices.MaxFunc(all, time.Time.Compare)))
		}
	}
}

func classicWay(w io.Writer, records []record) {
	fmt.Fprintf(w, "Old, then new: %d samples of one process by `hone load`, then %d of another one of the same program, in as much\n", classicSamples, classicSamples)
	fmt.Fprintln(w, "time as a comparison of equal variants took; medians judged by the test that benchstat uses")
	fmt.Fprintf(w, "(golang.org/x/perf/benchmath, AssumeNothing, level %g). Every difference is a false alarm.\n\n", figures.RankLevel)
	results.TableHead(w, "service", "trials", "false alarms, CPU per request", "false alarms, requests/s", "time")
	for _, service := range rowServices(records, oldNew) {
		t := classicTallyOf(records, service)
		results.TableRow(w, cmp.Or(service, "all"), fmt.Sprint(t.n), results.Share{Of: t.cpu, N: t.n}.String(), results.Share{Of: t.rate, N: t.n}.String(), seconds(t.took))
	}
}

func planted(w io.Writer, records []record) {
	fmt.Fprintln(w, "What one iteration costs was measured in the service itself, by comparisons without a spin and with a large one,")
	fmt.Fprintln(w, "of a fixed length; the pooled slow-down above is what the comparisons themselves then say.")
	fmt.Fprintln(w)
	results.TableHead(w, "service", "CPU per request", "iteration, by itself", "large spin", "slow-down per iteration, median (least .. greatest)", "iterations for 1.5, 3, 5 %")
	for _, r := range records {
		p := r.Plant
		if p == nil {
			continue
		}
		var spins []string
		for _, k := range kinds {
			if k.Planted > 0 {
				spins = append(spins, fmt.Sprint(p.Spins[k.Name]))
			}
		}
		slopes := p.Slopes
		results.TableRow(w, r.Service, fmt.Sprintf("%.0f ns", p.BaseNanos), fmt.Sprintf("%.3f ns", p.LoopNanos), fmt.Sprint(p.LargeSpin),
			fmt.Sprintf("%.5f %% (%.5f .. %.5f)", 100*p.Slope, 100*slices.Min(slopes), 100*slices.Max(slopes)), strings.Join(spins, ", "))
	}
}

// rowServices are the services with results of a kind, and "" for all of them together if
// there are several.
func rowServices(records []record, k kind) []string {
	var names []string
	for _, s := range services {
		if slices.ContainsFunc(records, func(r record) bool { return r.Kind == k.Name && r.Service == s.Name }) {
			names = append(names, s.Name)
		}
	}
	if len(names) > 1 {
		names = append(names, "")
	}
	return names
}
