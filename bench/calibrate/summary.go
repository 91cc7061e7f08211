package calibrate

import (
	"fmt"
	"math"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/stats"
)

// tally is what became of the comparisons of one kind.
type tally struct {
	// n counts all that ended, invalid ones too: those are not found, but no alarm either.
	n, found, same, noChange, undecided, invalid int
	// wrong counts the wrong side, and for equal variants either side.
	wrong  int
	failed int
	// throughput and p99 count the verdicts on these measures, in all and those that call the
	// sides different.
	throughput, p99 alarms
	took            []float64 // seconds, of those with a verdict
	logs            []float64 // of the slow-down, of those with an estimate
}

// tallyOf counts the comparisons of a kind; of all services if service is empty.
func tallyOf(records []record, k kind, service string) tally {
	var t tally
	for _, r := range records {
		if r.Comparison != nil && r.Kind == k.Name && (service == "" || r.Service == service) {
			t.add(*r.Comparison)
		}
	}
	return t
}

func (t *tally) add(c comparison) {
	if c.Verdict == failed {
		t.failed++
		return
	}
	t.n++
	switch {
	case c.Verdict == invalid:
		t.invalid++
		return
	case c.found():
		t.found++
	case c.different():
		t.wrong++
	case c.Verdict == same:
		t.same++
	case c.Verdict == noChange:
		t.noChange++
	default:
		t.undecided++
	}
	t.throughput.add(c.Throughput)
	t.p99.add(c.P99)
	t.took = append(t.took, c.Seconds)
	if ratio := c.slowdown(); ratio > 0 {
		t.logs = append(t.logs, math.Log(ratio))
	}
}

// alarms are the verdicts on a measure that does not decide.
type alarms struct{ n, different int }

func (a *alarms) add(word string) {
	if word == "" {
		return
	}
	a.n++
	if word == faster || word == slower {
		a.different++
	}
}

func (a alarms) plus(b alarms) bed.Share {
	return bed.Share{Of: a.different + b.different, N: a.n + b.n}
}

func (t tally) of(count int) bed.Share { return bed.Share{Of: count, N: t.n} }

// pooled is the slow-down over all comparisons, with its 95 % interval (Hodges-Lehmann).
func (t tally) pooled() string {
	e, err := stats.HodgesLehmann(t.logs, figures.Confidence)
	if err != nil {
		return "-"
	}
	if !e.Bounded() {
		return percent(e.Value)
	}
	return fmt.Sprintf("%s (%s ... %s)", percent(e.Value), percent(e.Low), percent(e.High))
}

// percent is the change that a log ratio stands for.
func percent(log float64) string { return fmt.Sprintf("%+.2f %%", 100*math.Expm1(log)) }

func (t tally) median() string { return seconds(t.took) }

func seconds(took []float64) string {
	if len(took) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f s", figures.Median(took))
}

// classicTally counts the false alarms of the classic way.
type classicTally struct {
	n, cpu, rate int
	took         []float64
}

func classicTallyOf(records []record, service string) classicTally {
	var t classicTally
	for _, r := range records {
		if r.Classic == nil || (service != "" && r.Service != service) {
			continue
		}
		t.n++
		t.took = append(t.took, r.Classic.Seconds)
		if r.Classic.CPUP <= figures.RankLevel { // where benchstat prints a difference
			t.cpu++
		}
		if r.Classic.RateP <= figures.RankLevel {
			t.rate++
		}
	}
	return t
}
