package main

import (
	"fmt"
	"io"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/results"
	"github.com/gohone/hone/internal/compare"
)

// The goals that the results are held against.
const (
	halfGoal  = 0.007
	alarmGoal = 0.05
	foundGoal = 0.90
)

// document is what the results of one budget make; nothing else goes into it.
type document struct{ budget time.Duration }

func (d document) write(w io.Writer, records []record) {
	fmt.Fprintf(w, `# Calibration of hone bench

How wide the intervals of hone bench are, how often it calls a benchmark different from itself, and how
often it finds a slow-down of %.1f %% that was planted. Made by bench/benchwidth from bench/benchwidth/results.jsonl,
a line for each measurement; do not edit.

- Six benchmarks of public libraries (bench/benchwidth/subject). In `+"`YAML` and `Pprof`"+` the collector is busy.
- An operation is %d calls of the library. Planted are %d calls on one side, which is drawn at random.
- hone: `+"`hone bench --budget %v`"+` on the benchmark alone. It ends before its budget where the verdict is
  there and its interval useful. Equal sides have `+"`--delta %v`"+`: "the same" is within +-%.1f %%, and needs an interval as narrow.
- benchstat: in the same time, %s, judged by the test of benchstat.
- All kinds and both ways take turns in random order. In brackets: 95 %% intervals (Wilson), or the least and the greatest.

`, 100*(float64(unitsOf[planted])/fastUnits-1), fastUnits, unitsOf[planted], d.budget, equalDelta, 100*equalDelta, classicWords)
	results.Origin(w, records)
	fmt.Fprint(w, "\n## Goals\n\n")
	d.goals(w, records)
	fmt.Fprint(w, "\n## hone\n\n")
	results.TableHead(w, "benchmark", "kind", "measurements", "half-width, %", "pairs", "seconds", "alarms", "found", "same", "slow side over the other")
	d.rows(w, records, byHone)
	fmt.Fprint(w, "\n## benchstat\n\n")
	results.TableHead(w, "benchmark", "kind", "measurements", "seconds", "alarms", "found", "slow side over the other")
	d.rows(w, records, byBenchstat)
	fmt.Fprint(w, limits)
}

const classicWords = "ten samples of one process (`-test.count=10`), then ten of another one"

const limits = `
## What this does not show

- One machine, and the days above.
- One binary on both sides. A change of the source moves code as well (` + "`--layouts`" + `).
- Operations that are one after the other and do the same. A benchmark whose operations differ has wider intervals.
`

// goals holds hone's results against what was promised.
func (d document) goals(w io.Writer, records []record) {
	aa, plants := d.tally(records, byHone, equal, ""), d.tally(records, byHone, planted, "")
	narrow := results.Share{N: aa.n}
	for _, half := range aa.half {
		if half <= 100*halfGoal {
			narrow.Of++
		}
	}
	fmt.Fprintf(w, "- half-width of the interval among equal sides: %s %%; goal at most %.1f %%, held in %s of %d\n",
		figures.Spread("%.2f", aa.half), 100*halfGoal, narrow, narrow.N)
	results.Goal(w, "false alarms among equal sides", results.Share{Of: aa.alarms, N: aa.n}, results.AtMost, alarmGoal)
	results.Goal(w, "planted slow-downs found", results.Share{Of: plants.found, N: plants.n}, results.AtLeast, foundGoal)
	classicAA, classicPlants := d.tally(records, byBenchstat, equal, ""), d.tally(records, byBenchstat, planted, "")
	fmt.Fprintf(w, "- benchstat in the same time: false alarms %s of %d; planted slow-downs found %s of %d, and %d called faster\n",
		results.Share{Of: classicAA.alarms, N: classicAA.n}, classicAA.n, results.Share{Of: classicPlants.found, N: classicPlants.n}, classicPlants.n,
		classicPlants.alarms-classicPlants.found)
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
		t.half, t.pairs, t.seconds = append(t.half, 100*r.Half), append(t.pairs, float64(r.Pairs)), append(t.seconds, r.Seconds)
		t.slower = append(t.slower, r.slowdown())
		if r.alarm() {
			t.alarms++
		}
		if r.found() {
			t.found++
		}
		if r.Verdict == compare.Same {
			t.same++
		}
	}
	return t
}

// rows writes a row for each benchmark and kind.
func (d document) rows(w io.Writer, records []record, way string) {
	for _, benchmark := range benchmarks {
		for _, kind := range kinds {
			t := d.tally(records, way, kind, benchmark)
			if t.n == 0 {
				continue
			}
			alarms, found := results.Share{Of: t.alarms, N: t.n}.String(), "-"
			if kind == planted {
				alarms, found = "-", results.Share{Of: t.found, N: t.n}.String()
			}
			row := []string{benchmark, kind, fmt.Sprint(t.n)}
			if way == byHone {
				row = append(row, figures.Spread("%.2f", t.half), figures.Spread("%.0f", t.pairs))
			}
			row = append(row, figures.Spread("%.1f", t.seconds), alarms, found)
			if way == byHone {
				row = append(row, results.Share{Of: t.same, N: t.n}.String())
			}
			results.TableRow(w, append(row, figures.Spread("%.4f", t.slower))...)
		}
	}
}
