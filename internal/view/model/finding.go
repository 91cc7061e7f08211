package model

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/production"
	"github.com/gohone/hone/prof/symbol"
)

// Finding is one piece of advice with its evidence.
type Finding struct {
	Number int    `json:"number"`
	Rule   string `json:"rule"`
	Title  string `json:"title"`
	Place  *Place `json:"place,omitempty"`
	// Cost and Gain are as in the terminal: "costs 6.2 us, 48 % of a request's CPU time", "removing it saves
	// about 48 % (41 ... 55 %)".
	Cost string `json:"cost,omitempty"`
	Gain string `json:"gain,omitempty"`
	// GainShare is the gain as a share of its measure, 0 to 1, for a bar.
	GainShare float64           `json:"gain_share"`
	Evidence  []advice.Evidence `json:"evidence"`
	// Change says what to do; Before and After show the pattern in Go.
	Change string `json:"change"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	Verify string `json:"verify,omitempty"`
	// Source is the user's own code around Place; nil where it was not found.
	Source *Snippet `json:"source,omitempty"`
}

// Snippet is a piece of a source file with consecutive lines.
type Snippet struct {
	File string `json:"file"`
	// First is the number of the first line, Marked that of the line in question.
	First  int64    `json:"first"`
	Marked int64    `json:"marked"`
	Lines  []string `json:"lines"`
}

// FindingOf is what is shown of a finding, with the source around it as far as it is found; source may be nil.
func FindingOf(number int, f advice.Finding, source prof.Sources) Finding {
	one := Finding{
		Number: number, Rule: f.Rule, Title: f.Title, Cost: FindingCost(f), Gain: FindingGain(f), GainShare: f.Gain,
		Evidence: append([]advice.Evidence{}, f.Evidence...), Change: f.Change, Before: f.Before, After: f.After,
		Verify: f.Verify,
	}
	if p := f.Place; p.Function != "" {
		one.Place = &Place{Function: p.Function, File: p.File, Short: symbol.ShortFile(p.File), Line: p.Line}
		one.Source = snippetAround(source, p.File, p.Line)
	}
	return one
}

// aroundLines is how many lines before and after a line are shown with it.
const aroundLines = 6

// snippetAround is the piece of a source file around a line; nil where the file or the line is not found.
func snippetAround(source prof.Sources, file string, line int64) *Snippet {
	if source == nil || file == "" || line < 1 {
		return nil
	}
	text, err := source.Source(file)
	if err != nil {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if line > int64(len(lines)) {
		return nil
	}
	from, to := max(1, line-aroundLines), min(int64(len(lines)), line+aroundLines)
	return &Snippet{File: symbol.ShortFile(file), First: from, Marked: line, Lines: lines[from-1 : to]}
}

// FindingCost says what the cause of a finding costs now, and which routes of the load that is; "" where the cost is
// not known.
func FindingCost(f advice.Finding) string {
	if f.Cost <= 0 {
		return ""
	}
	text := costText(f)
	if f.Of == "" {
		text += routesText(f.Routes)
	}
	return text
}

func costText(f advice.Finding) string {
	share := units.Share(f.Cost) + " of " + wholeName(f)
	switch f.Measure {
	case advice.Answers:
		return fmt.Sprintf("%s of the requests get no answer", units.Share(f.Cost))
	case advice.Growing:
		return "it rises with every request"
	case advice.Memory:
		return "costs " + units.Bytes(f.Absolute) + ", " + share
	}
	if f.Whole > 0 { // in the trace p50 is not quite that of the run
		text := fmt.Sprintf("costs %s: %s in the trace", share, facts.PartOfWhole(f.Absolute, f.Whole))
		if f.Longer >= f.Absolute { // the share that hone tail says
			text += fmt.Sprintf(", %s of what slow requests take longer", units.Share(f.Absolute/f.Longer))
		}
		return text
	}
	text := "costs "
	if f.Absolute > 0 {
		text += units.Nanos(f.Absolute) + ", "
	}
	text += share
	if isPart(f) {
		text += fmt.Sprintf("; its line takes %s with all that it calls", units.Share(f.LineCost))
	}
	return text
}

// namedRoutes is how many routes of a finding are named.
const namedRoutes = 3

// routesText says which routes of the load a cost belongs to, and which part of the requests that is; "" where that is
// not known, or where the load has one.
func routesText(routes []facts.Route) string {
	if len(routes) == 0 {
		return ""
	}
	var names []string
	for _, r := range routes {
		names = append(names, r.Name)
	}
	if more := len(names) - namedRoutes; more > 0 {
		names = append(names[:namedRoutes], units.Plural(more, "other route"))
	}
	return fmt.Sprintf("; on %s, %s", words(names), ofRequests(routes))
}

// ofRequests says which part of the requests goes to some routes.
func ofRequests(routes []facts.Route) string {
	sum := 0.0
	for _, r := range routes {
		sum += r.Requests
	}
	return units.Share(sum) + " of the requests"
}

// words are names in a sentence: "a, b and c".
func words(names []string) string {
	last := len(names) - 1
	if last <= 0 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// wholeName names what the cost of a finding is a part of.
func wholeName(f advice.Finding) string {
	switch of, ok := strings.CutPrefix(f.Share(), "CPU per "); {
	case of == "execution":
		return "an execution's CPU time"
	case ok:
		return "a " + of + "'s CPU time"
	}
	if f.Of != "" && len(f.Routes) > 0 {
		return f.Share() + " (" + ofRequests(f.Routes) + ")"
	}
	return f.Share()
}

// partOfLine is how many times the cost of a finding its line takes where the finding is called a part of it.
const partOfLine = 1.2

// isPart says whether the line of a finding takes more than what it is about.
func isPart(f advice.Finding) bool { return f.LineCost > partOfLine*f.Cost }

// FindingGain says what a change can gain, in the word that fits: a bound, an estimate with its interval, or that it is
// not known; "" where it is not a share of a measure.
func FindingGain(f advice.Finding) string {
	if f.Measure == advice.Answers || f.Measure == advice.Growing || f.Gain < 0 {
		return ""
	}
	if f.Gain == 0 {
		return "gain unknown: change it and run hone compare"
	}
	word := advice.About
	if f.GainWord != "" {
		word = f.GainWord
	}
	text := fmt.Sprintf("removing it saves %s %s", word, units.Share(f.Gain))
	if f.GainHigh > f.GainLow {
		text += fmt.Sprintf(" (%s ... %s)", strings.TrimSuffix(units.Share(f.GainLow), " %"), units.Share(f.GainHigh))
	}
	if isPart(f) {
		text += ", and the whole line more"
	}
	return text
}

// FindingWeight says what production spends at the place of a finding; "" where that was not asked.
func FindingWeight(f advice.Finding) string {
	w := f.Weight
	switch {
	case w == nil:
		return ""
	case w.Production == 0:
		return fmt.Sprintf("production never spends CPU time in %s (none of its samples: under %s; this run %s)",
			shortName(f), units.Share(w.AtMost), units.Share(w.Run))
	}
	return fmt.Sprintf("%s has %s of production's CPU time, %s of this run's", shortName(f), units.Share(w.Production),
		units.Share(w.Run))
}

// shortName is the function of a finding without the directories of its package.
func shortName(f advice.Finding) string {
	return production.CoveredFunction{Function: f.Place.Function}.Name()
}

// FindingMessage is a finding in one sentence: what happens, what it costs, and what a change can gain.
func FindingMessage(f advice.Finding) string {
	return strings.Join(NonEmpty(f.Title, FindingCost(f), FindingGain(f), FindingWeight(f)), "; ")
}

// manyShare is the cost from which on a finding is a warning: a tenth of its measure is seen without a careful
// measurement.
const manyShare = 0.1

// Warns says whether an editor or a code scanner warns of a finding. Of what makes answers wrong, or ends the program
// sooner or later, it always does.
func Warns(f advice.Finding) bool {
	return f.Cost >= manyShare || f.Measure == advice.Answers || f.Measure == advice.Growing
}

// Spent says where the CPU time goes, and that nothing else was found.
func Spent(f *advice.Findings) string {
	s := f.Spent
	if s == (advice.Spent{}) {
		if len(f.Findings) > 0 {
			return ""
		}
		return "nothing found"
	}
	parts := fmt.Sprintf("%s of the CPU time in or below your code, %s in libraries not called from your code, %s in "+
		"the kernel, %s in the collector, %s in the scheduler (%s)",
		units.Share(s.User), units.Share(s.Libraries), units.Share(s.Kernel), units.Share(s.Collector),
		units.Share(s.Scheduler), units.Plural(int(f.Samples), "sample"))
	if len(f.Findings) == 0 {
		return "nothing found above 3 %: " + parts
	}
	return "in all: " + parts
}

// LargeLines name what is large, and of which no finding says that it is too much.
func LargeLines(f *advice.Findings) (lines []string) {
	for _, l := range f.Large {
		what := "its own code"
		if l.What != "" {
			what = l.What
		}
		line := fmt.Sprintf("%s of %s: %s: %s", units.Share(l.Share), l.Whole(), l.Place, what)
		if l.Of == "" {
			line += routesText(l.Routes)
		}
		lines = append(lines, line)
	}
	return lines
}

// FindingChange is a finding that is not the same in both variants.
type FindingChange struct {
	// Word is gone, new or changed: what became of it from A to B.
	Word  string `json:"word"`
	Title string `json:"title"`
	// Place is the line with its function as text, Rule the rule of hone advise.
	Place string `json:"place"`
	Rule  string `json:"rule"`
	// Measure is what it costs: cpu, growth or memory. Delta is what it takes more in B, in nanoseconds of CPU time per
	// request; 0, with an empty text, for other measures.
	Measure string `json:"measure"`
	Delta   Number `json:"delta"`
}

// FindingChanges are the rows of the findings that whyLines names.
func FindingChanges(of record.Contest) (all []FindingChange) {
	v, ok := gated(of)
	for _, c := range of.Findings {
		one := FindingChange{Word: string(c.Word), Title: c.Title, Place: c.Place.String(), Rule: c.Rule,
			Measure: string(c.Measure)}
		if c.Measure == advice.CPU {
			if !ok || !v.Word.Different() {
				continue // CPU time that is not called different is not explained
			}
			one.Delta = Number{Value: c.Delta, Text: signedNanos(c.Delta)}
		}
		all = append(all, one)
	}
	return all
}
