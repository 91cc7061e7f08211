package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

// Verified writes what settings do to the program of a run that need no change of its source: a
// line for each, the largest gain first.
func Verified(w io.Writer, v *tuning.Verification) error {
	v = printable.Document(v)
	b := &strings.Builder{}
	if len(v.Rounds) == 0 {
		fmt.Fprintln(b, "nothing was tried: no setting can matter to this program")
		skippedLines(b, v)
		return write(w, b)
	}
	last := v.Rounds[len(v.Rounds)-1]
	runs := last.Outcome.Runs
	if !model.HasVerdict(last.Outcome.Comparison) {
		return writeComparison(w, model.ComparisonOf(last.Outcome.Comparison, runs, model.Brief), model.Full)
	}
	subjectLines(b, "program of run "+v.Run, runs[0])
	sentence, table := verifiedSentence, verifiedTable
	if v.OfMemory() {
		sentence, table = memorySentence, memoryTable
	}
	fmt.Fprintln(b, sentence(v))
	for i, round := range v.Rounds {
		if len(v.Rounds) > 1 {
			fmt.Fprintf(b, "round %d of %d: ", i+1, len(v.Rounds))
		}
		tried(b, round, "")
	}
	table(b, v)
	skippedLines(b, v)
	for _, t := range v.Tried {
		if t.Different != "" {
			fmt.Fprintf(b, "note: with %s it answers differently (%s): do not trust the gain before you know why\n",
				t.Name, t.Different)
		}
		if t.Unsettled != "" {
			fmt.Fprintf(b, "note: %s is not settled: %s\n", t.Name, t.Unsettled)
		}
	}
	caveatsOf(b, last, record.CaveatGC, record.CaveatMemory)
	fmt.Fprintln(b, verifiedIntervals(v))
	if v.Wrote != "" {
		fmt.Fprintf(b, "wrote %s: go build takes it by itself from now on\n", v.Wrote)
	}
	verifiedNext(b, v)
	return write(w, b)
}

// verifiedSentence says what gains most, or that nothing does.
func verifiedSentence(v *tuning.Verification) string {
	if t := v.Tried[0]; t.Gains() {
		cpu, _ := t.On(measure.CPU)
		return fmt.Sprintf("largest gain: %s, CPU per request %s, peak memory %s -> %s", t.Name, change(cpu),
			bytesOr(t.PeakRSSAsIs), bytesOr(t.PeakRSSBytes))
	}
	return "no gain found: of no setting the whole interval lies below zero"
}

func verifiedTable(b *strings.Builder, v *tuning.Verification) {
	tw := leftColumns(b)
	fmt.Fprintln(tw, "setting\tgain\tCPU per request\tinterval\tpeak memory\tcollector\tround")
	for _, t := range v.Tried {
		asIs := v.Rounds[t.Round-1].AsIs
		cpu, ok := t.On(measure.CPU)
		row := []string{t.Name, gainOf(t, cpu, len(v.Rounds)), "-", "-",
			bytesOr(t.PeakRSSAsIs) + " -> " + bytesOr(t.PeakRSSBytes),
			fromTo(asIs.Collector, t.Collector), fmt.Sprint(t.Round)}
		if ok {
			row[2] = units.Nanos(cpu.A) + " -> " + units.Nanos(cpu.B)
			row[3] = model.Span(cpu, "too few starts")
		}
		fmt.Fprintln(tw, strings.Join(row, "\t"))
	}
	tw.Flush()
}

// gainOf is the gain of a setting in a cell: a number only where one was shown.
func gainOf(t tuning.Tried, cpu judge.Verdict, rounds int) string {
	switch {
	case t.Unsettled != "":
		return "not settled"
	case t.Claim == tuning.Less:
		return units.Percent(1 - cpu.Ratio)
	case t.Claim == tuning.More:
		return "loss of " + strings.TrimPrefix(units.Percent(cpu.Ratio-1), "+")
	case t.Claim == tuning.None:
		return "none"
	case t.Round < rounds:
		return "left behind"
	default:
		return "not known"
	}
}

func skippedLines(b *strings.Builder, v *tuning.Verification) {
	for _, s := range v.Skipped {
		fmt.Fprintf(b, "not tried: %s: %s\n", s.Name, s.Reason)
	}
}

// verifiedIntervals says what the intervals promise, and what the rounds are.
func verifiedIntervals(v *tuning.Verification) string {
	conf := 1.0
	for _, round := range v.Rounds {
		conf -= 1 - round.Conf
	}
	text := fmt.Sprintf("All intervals hold at once in %.3g %% of such trials", 100*conf)
	switch {
	case v.Single:
	case len(v.Rounds) > 1:
		text += "; settings of round 1 were not measured again if they showed no promise of a gain or another of their " +
			"kind showed more"
	default:
		text += "; no setting showed promise of a gain, so none was measured anew"
	}
	return text
}

// verifiedNext names the commands that lead on.
func verifiedNext(b *strings.Builder, v *tuning.Verification) {
	var commands []string
	var line spec.Line
	if len(v.Rounds) > 0 {
		line = lineOfRound(v.Rounds[0])
	}
	for _, t := range v.Tried {
		if t.Kind == spec.SettingPGO && t.Gains() && v.Wrote == "" {
			commands = append(commands, fmt.Sprintf("%s%s (writes %s)",
				line.Stored("advise", "--verify", v.Run, "--write-pgo"), v.Completing, tuning.PGOFile))
		}
		if t.Kind == spec.SettingGC && t.Gains() || t.Kind == spec.SettingMemory && t.Shrinks() {
			commands = append(commands, fmt.Sprintf("%s%s (the whole sweep)",
				line.Stored("tune", "gc", v.Run, "--memory-limit=512MiB"), v.Completing))
			break
		}
	}
	for _, round := range v.Rounds {
		commands = append(commands, line.Stored("show", round.Comparison))
	}
	wrapped(b, "next: ", ", ", commands)
}
