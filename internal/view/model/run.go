package model

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/load"
)

// Run is what is shown of a run: of a service under load, of a program that was executed to its end, or of profiles
// alone.
type Run struct {
	// Title is what ran, Source of which commit, toolchain and run it is, and RanIn says in which directory.
	Title, Source, RanIn string
	// Under are the conditions, Assumed what hone chose or found out by itself.
	Under   []string
	Assumed []Statement
	// Check says whether it can be trusted. Its notes are what casts doubt on it.
	Check Check
	// Short are its notes in few words, Main the numbers that most people look for first, of a run under load.
	Short []Statement
	Main  []Row
	// Numbers are the measures, Besides what else is counted: requests, output, needs, metrics. Errors are failures by
	// cause.
	Numbers, Besides, Errors []Row
	// Thresholds say which limits held.
	Thresholds []Statement
	// Hot are the most expensive sites of the CPU profile.
	Hot []string
}

// RunOf makes what is shown of a run under load. found may be nil.
func RunOf(r record.Run, d Detail, found *advice.Findings) Run {
	m := Run{
		Title: r.Label, Source: Source(r.Head), RanIn: RanIn([]record.Run{r}), Under: Under(r), Assumed: runAssumed(r),
		Check: Check{Statement: runCheck(r, d), Notes: append(Disturbed([]record.Run{r}), Doubts([]record.Run{r})...)},
		Short: append(shortDisturbed([]record.Run{r}), Doubts([]record.Run{r})...), Main: mainNumbers(r),
		Thresholds: Thresholds(r.Thresholds), Numbers: runNumbers(r), Errors: Causes(r.Causes, r.Counts.WrongStatuses),
		Hot: HotLines(r.Hot, found),
	}
	for _, fact := range append(runFacts[:len(runFacts):len(runFacts)], runMetrics) {
		if row, ok := fact(r, d); ok {
			m.Besides = append(m.Besides, row)
		}
	}
	return m
}

// ExecutionsOf makes what is shown of a program that was executed to its end.
func ExecutionsOf(r record.Executions, found *advice.Findings) Run {
	m := Run{
		Title: strings.Join(append([]string{r.Label}, r.Args...), " "), Source: OnceSource(r),
		Under: []string{onceConditions(r)},
		Check: Check{Statement: onceCheck(r), Notes: OnceNotes(r)}, Numbers: onceNumbers(r), Besides: onceProfiled(r),
		Hot: HotLines(r.Hot, found),
	}
	for i, one := range r.Executions {
		if one.Failure != "" {
			m.Errors = append(m.Errors, Row{Name: fmt.Sprintf("execution %d", i+1), Text: one.Failure, Tone: Bad})
		}
	}
	return m
}

// CapturesOf makes what is shown of profiles that were taken under a load that is not hone's, or imported from files.
func CapturesOf(c record.Captured) Run {
	m := Run{Under: []string{"hone put no load on it"}, Hot: HotLines(c.Hot, nil)}
	m.Check.Statement = Statement{Text: "only profiles are kept; nothing else was measured", Tone: Neutral}
	if c.Status != ledger.Complete {
		m.Check.Statement = Statement{Text: fmt.Sprintf("profiles %s: %s", c.Status, c.Reason), Tone: Bad}
	}
	for _, w := range c.Warnings {
		m.Check.Notes = append(m.Check.Notes, Statement{Word: "note", Text: w, Tone: Warning})
	}
	for _, k := range c.Captures {
		m.Numbers = append(m.Numbers, captureRow(k))
	}
	return m
}

// runAssumed says what hone chose or found out by itself.
func runAssumed(r record.Run) []Statement {
	var all []Statement
	for _, text := range NonEmpty(r.Why, r.Assumption, LoadCommandUnknown(r), r.NodeCPUs()) {
		all = append(all, Statement{Word: "note", Text: text, Tone: Neutral})
	}
	return all
}

// runCheck says whether a run can be trusted.
func runCheck(r record.Run, d Detail) Statement {
	switch bad := load.Invalid(r.Doubts); {
	case r.Status != ledger.Complete && r.Status != ledger.Invalid:
		return Statement{Text: strings.TrimSuffix(fmt.Sprintf("measurement %s: %s", r.Status,
			Reason(r.Reason, r.ID, d)), ": "), Tone: toneOfEnd(r.Status)}
	case bad != nil:
		return Statement{Text: "measurement INVALID: " + bad.Text, Tone: Bad}
	case r.Status == ledger.Invalid: // it ended before anything was timed
		return Statement{Text: "measurement INVALID: " + Reason(r.Reason, r.ID, d), Tone: Bad}
	}
	text := fmt.Sprintf("load generator at %.0f %% of its CPU, replies %s %% right", 100*r.GeneratorBusy,
		Share(r.RightShare))
	if r.Load != nil {
		text = LoadCommandCheck(r.GeneratorBusy)
	}
	return Trusted(WasDisturbed(r), text, r.Environment.StealShare)
}

// toneOfEnd is the tone of a run that is not complete.
func toneOfEnd(status ledger.Status) Tone {
	if status == ledger.Running {
		return Neutral
	}
	return Bad
}

// captureRow says how many captures of a kind there are, and what they are of.
func captureRow(k record.KindSummary) Row {
	parts := []string{units.Plural(k.Times, "capture")}
	if k.Duration > 0 {
		parts = append(parts, units.Seconds(k.Duration)+" together")
	}
	if k.Ticks > 0 {
		parts = append(parts, units.Plural(int(k.Ticks), "sample"))
	}
	return Row{Name: k.Kind, Text: strings.Join(parts, ", ")}
}
