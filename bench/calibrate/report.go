package calibrate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
)

// document makes the result of the records, of load from so many agents; 0 of hone's own.
func document(r *bed.Result, records []record, agents int) {
	goals(r, records, agents)
	comparisons(r, records)
	classicWay(r, records)
	planted(r, records)
}

// goals holds the results against what was promised.
func goals(r *bed.Result, records []record, agents int) {
	by := ""
	if agents > 0 {
		by = fmt.Sprintf(", load from %d agents", agents)
	}
	aa, short := tallyOf(records, equal, ""), tallyOf(records, equalShort, "")
	alarms := bed.Share{Of: aa.wrong + short.wrong, N: aa.n + short.n}
	r.Goal("`hone compare`: false alarms among equal variants, in 60 s and in 15 s"+by, alarms, bed.AtMost, alarmGoal)
	r.Goal("`hone compare`: false alarms on throughput among them"+by, aa.throughput.plus(short.throughput), bed.AtMost,
		alarmGoal)
	r.Goal("`hone compare`: false alarms on p99 among them"+by, aa.p99.plus(short.p99), bed.AtMost, alarmGoal)
	r.Goal("`hone compare`: equal variants called the same within 1 %, in 60 s"+by, aa.of(aa.same), bed.AtLeast,
		equal.Goal)
	for _, k := range kinds {
		if k.Planted > 0 {
			t := tallyOf(records, k, "")
			r.Goal(fmt.Sprintf("`hone compare`: planted %g %% found, in %.0f s", 100*k.Planted, k.Budget.Seconds()),
				t.of(t.found), bed.AtLeast, k.Goal)
		}
	}
}

// comparisons writes a row for each kind and service, and for each kind over all.
func comparisons(r *bed.Result, records []record) {
	table := r.Table("Comparisons", "kind", "service", "planted", "budget", "found", "same", "no change", "undecided", "wrong",
		"invalid", "time", "pooled slow-down")
	table.Say("Wrong is the wrong side, and for equal variants either side. An invalid measurement counts as one that found nothing. The time is hone's own, the median over the verdicts.")
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
			table.Row(k.Name, cmp.Or(service, "all"), plantedBy, fmt.Sprintf("%.0f s", k.Budget.Seconds()), found,
				t.of(t.same).String(), t.of(t.noChange).String(), t.of(t.undecided).String(), t.of(t.wrong).String(), fmt.Sprint(t.invalid),
				t.median(), t.pooled())
		}
		failures += tallyOf(records, k, "").failed
	}
	if failures > 0 {
		table.Say("%d more came to no end (hone or a service failed) and were taken again.", failures)
	}
	times(table, records)
}

// times says when the comparisons of each service were made: the noise of a machine has its hours, and hone its
// versions.
func times(table *bed.Table, records []record) {
	for _, s := range services {
		var all []time.Time
		for _, r := range records {
			if r.Service == s.Name && r.Comparison != nil {
				all = append(all, r.At)
			}
		}
		if len(all) > 0 {
			table.Say("%s was measured from %s to %s.", s.Name,
				bed.Moment(slices.MinFunc(all, time.Time.Compare)), bed.Moment(slices.MaxFunc(all, time.Time.Compare)))
		}
	}
}

func classicWay(r *bed.Result, records []record) {
	table := r.Table("The classic way", "service", "false alarms, CPU per request", "false alarms, requests/s", "time")
	table.Say("Old, then new: %d samples of one process by hone load, then %d of another one of the same program, in as much time as a comparison of equal variants took; "+
		"medians judged by the test that benchstat uses (golang.org/x/perf/benchmath, AssumeNothing, level %g).",
		classicSamples, classicSamples, figures.RankLevel)
	for _, service := range rowServices(records, oldNew) {
		t := classicTallyOf(records, service)
		table.Row(cmp.Or(service, "all"), bed.Share{Of: t.cpu, N: t.n}.String(), bed.Share{Of: t.rate, N: t.n}.String(),
			seconds(t.took))
	}
}

func planted(r *bed.Result, records []record) {
	table := r.Table("The planted slow-downs", "service", "CPU per request", "iteration, by itself", "large spin",
		"slow-down per iteration", "iterations for 1.5, 3, 5, 30 %")
	table.Say("What one iteration costs was measured in the service itself, by comparisons without a spin and with a large one, of a fixed length.")
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
		table.Row(r.Service, fmt.Sprintf("%.0f ns", p.BaseNanos), fmt.Sprintf("%.3f ns", p.LoopNanos),
			fmt.Sprint(p.LargeSpin),
			fmt.Sprintf("%.5f %% (%.5f .. %.5f)", 100*p.Slope, 100*slices.Min(slopes), 100*slices.Max(slopes)),
			strings.Join(spins, ", "))
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
