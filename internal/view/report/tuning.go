package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

// GC writes what a sweep of the collector's settings found: what is recommended, and a row for
// each setting, by memory.
func GC(w io.Writer, r *tuning.GCReport) error {
	r = printable.Document(r)
	b := &strings.Builder{}
	last := r.Rounds[len(r.Rounds)-1]
	c, runs := last.Outcome.Comparison, last.Outcome.Runs
	if !model.HasVerdict(c) {
		return writeComparison(w, model.ComparisonOf(c, runs, model.Brief), model.Full)
	}
	subjectLines(b, "program", runs[0])
	fmt.Fprintln(b, gcSentence(r))
	for i, round := range r.Rounds {
		if len(r.Rounds) > 1 {
			fmt.Fprintf(b, "round %d of %d, %s: ", i+1, len(r.Rounds), plural(len(round.Effects), "setting"))
		}
		tried(b, round, "")
	}
	gcTable(b, r)
	if slices.ContainsFunc(r.Points, func(p tuning.Point) bool { return p.FirstRound }) {
		fmt.Fprintln(b,
			"first round: the setting was not measured again, since another took less of both, or it does not keep to the "+
				"limit, or others take less CPU time")
	}
	for _, p := range r.Points {
		if p.Unsettled != "" && !p.AsIs && last.AsIs.Cycles > 0 {
			fmt.Fprintf(b, "note: %s is not settled: %s\n", p.Name, p.Unsettled)
		}
	}
	caveatsOf(b, last, record.CaveatGC, record.CaveatMemory) // the table says those
	fmt.Fprintf(b, "needs: the larger of the peak that was seen, and of what the program takes with its heap at the "+
		"goal. %s\n", gcIntervals(r))
	commands := []string{}
	for _, round := range r.Rounds {
		commands = append(commands, lineOfRound(round).Stored("show", round.Comparison))
	}
	wrapped(b, "next: ", ", ", commands)
	return write(w, b)
}

// gcSentence is the recommendation, or why there is none.
func gcSentence(r *tuning.GCReport) string {
	i := slices.IndexFunc(r.Points, func(p tuning.Point) bool { return p.Name == r.Recommended })
	if r.Recommended == "" || i < 0 {
		return "nothing is recommended: " + r.Reason
	}
	p := r.Points[i]
	text := fmt.Sprintf("recommended: %s, which %s: needs %s", p.Name, r.Reason, units.Bytes(float64(p.NeedsBytes)))
	if p.CPU != nil {
		text += ", CPU per request " + change(*p.CPU)
	}
	return text
}

// change is that of a verdict with its interval: "-20 % (98.8 % interval -22.1 ... -18.0 %)".
func change(v judge.Verdict) string {
	if !v.Bounded() {
		return units.Percent(v.Ratio-1) + " (too few starts for an interval)"
	}
	return fmt.Sprintf("%s (%s interval %s)", units.Percent(v.Ratio-1), model.Confidence(v), model.Span(v, ""))
}

func gcTable(b *strings.Builder, r *tuning.GCReport) {
	tw := leftColumns(b)
	fmt.Fprintln(tw, "setting\tCPU per request\tchange\tinterval\tgain\tcollector\tpeak memory\theap goal\tneeds\tfront")
	for _, p := range r.Points {
		row := []string{p.Name, units.Nanos(p.CPUNanos), "-", "-", gainWord(p), collectorShare(p.Collector),
			bytesOr(p.PeakRSSBytes), bytesOr(p.HeapGoalBytes), bytesOr(p.NeedsBytes), ""}
		if p.CPU != nil {
			row[2], row[3] = units.Percent(p.CPU.Ratio-1), model.Span(*p.CPU, "too few starts")
		}
		if p.Front {
			row[9] = "*"
		}
		fmt.Fprintln(tw, strings.TrimRight(strings.Join(row, "\t"), "\t"))
	}
	tw.Flush()
}

// gainWord says what became of a setting in a cell.
func gainWord(p tuning.Point) string {
	switch {
	case p.AsIs:
		return "-"
	case p.Unsettled != "":
		return "not settled"
	case p.FirstRound:
		return "first round"
	default:
		return claimWord(p.Claim)
	}
}

// claimWord is a claim on CPU time as a gain.
func claimWord(c tuning.Claim) string {
	switch c {
	case tuning.Less:
		return "yes"
	case tuning.More:
		return "no, a loss"
	case tuning.None:
		return "none"
	default:
		return "not known"
	}
}

func collectorShare(share *float64) string {
	if share == nil {
		return "-"
	}
	return fmt.Sprintf("%.2g %%", 100**share)
}

// unbounded is a goal of the heap that stands for none.
const unbounded = 1 << 60

func bytesOr(n uint64) string {
	if n == 0 || n >= unbounded {
		return "-"
	}
	return units.Bytes(float64(n))
}

// gcIntervals says what the intervals promise.
func gcIntervals(r *tuning.GCReport) string {
	conf, n := 0.0, 0
	for _, round := range r.Rounds {
		conf, n = conf+1-round.Conf, n+len(round.Effects)
	}
	return fmt.Sprintf("All %s of CPU time hold at once in %.3g %% of such sweeps", plural(n, "interval"), 100*(1-conf))
}
