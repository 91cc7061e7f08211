package benchwidth

import (
	"fmt"

	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/judge"
)

// The goals that the results are held against.
const (
	halfGoal  = 0.007
	alarmGoal = 0.05
	foundGoal = 0.90
)

// document is what the results of one budget make; nothing else goes into it.
type document struct{ budget time.Duration }

func (d document) write(r *bed.Result, records []record) {
	d.goals(r, records)
	d.rows(r.Table("hone", "benchmark", "kind", "half-width, %", "pairs", "seconds", "alarms", "found", "same",
		"slow side over the other"), records, byHone)
	d.rows(r.Table("benchstat", "benchmark", "kind", "seconds", "alarms", "found", "slow side over the other"), records,
		byBenchstat)
}

// goals holds hone's results against what was promised.
func (d document) goals(r *bed.Result, records []record) {
	aa, plants := d.tally(records, byHone, equal, ""), d.tally(records, byHone, planted, "")
	narrow := bed.Share{N: aa.n}
	for _, half := range aa.half {
		if half <= 100*halfGoal {
			narrow.Of++
		}
	}
	r.Claim("`hone bench` of equal sides: half-width of the interval", "%s %%", figures.Spread("%.2f", aa.half))
	r.Share(fmt.Sprintf("`hone bench` of equal sides: half-width of at most %.1f %%", 100*halfGoal), narrow)
	classicAA, classicPlants := d.tally(records, byBenchstat, equal, ""), d.tally(records, byBenchstat, planted, "")
	alarms := r.Goal("`hone bench`: false alarms among equal sides", bed.Share{Of: aa.alarms, N: aa.n}, bed.AtMost, alarmGoal)
	if classicAA.n > 0 {
		alarms.Against("benchstat %s", bed.Share{Of: classicAA.alarms, N: classicAA.n})
	}
	found := r.Goal("`hone bench`: planted slow-downs of 1.5 % found", bed.Share{Of: plants.found, N: plants.n}, bed.AtLeast,
		foundGoal)
	if classicPlants.n > 0 {
		found.Against("benchstat %s, and %d called faster", bed.Share{Of: classicPlants.found, N: classicPlants.n},
			classicPlants.alarms-classicPlants.found)
	}
}

// tally is what measurements of one kind came to.
type tally struct {
	n, alarms, found, same       int
	half, pairs, seconds, slower []float64
}

// tally counts the measurements of a way and a kind, of one benchmark or of all.
func (d document) tally(records []record, way, kind, benchmark string) (t tally) {
	for _, r := range (record{Way: way, Kind: kind, Benchmark: benchmark, Budget: d.budget}).like(records) {
		t.n++
		t.half, t.pairs, t.seconds = append(t.half, 100*r.Half), append(t.pairs, float64(r.Pairs)),
			append(t.seconds, r.Seconds)
		t.slower = append(t.slower, r.slowdown())
		if r.alarm() {
			t.alarms++
		}
		if r.found() {
			t.found++
		}
		if r.Verdict == judge.Same {
			t.same++
		}
	}
	return t
}

// rows writes a row for each benchmark and kind.
func (d document) rows(table *bed.Table, records []record, way string) {
	for _, benchmark := range benchmarks {
		for _, kind := range kinds {
			t := d.tally(records, way, kind, benchmark)
			if t.n == 0 {
				continue
			}
			alarms, found := bed.Share{Of: t.alarms, N: t.n}.String(), "-"
			if kind == planted {
				alarms, found = "-", bed.Share{Of: t.found, N: t.n}.String()
			}
			row := []string{benchmark, kind}
			if way == byHone {
				row = append(row, figures.Spread("%.2f", t.half), figures.Spread("%.0f", t.pairs))
			}
			row = append(row, figures.Spread("%.1f", t.seconds), alarms, found)
			if way == byHone {
				row = append(row, bed.Share{Of: t.same, N: t.n}.String())
			}
			table.Row(append(row, figures.Spread("%.4f", t.slower))...)
		}
	}
}
