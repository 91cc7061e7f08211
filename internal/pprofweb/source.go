package pprofweb

import (
	"errors"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/units"
	"github.com/gohone/hone/prof"
)

// maxRoutines is the most functions on a page of source; pprof has 50 files.
const maxRoutines = 50

// sourcePage is the functions that match, with what each of their lines costs.
type sourcePage struct {
	Title, Head string
	Menu        menu
	Notes       []string
	Routines    []routine
}

type routine struct {
	Function, File, NoSource string
	Flat, Cum, Share         string
	Lines                    []line
}

type line struct {
	Flat, Cum, Text string
	Number          int64
	Costs           bool
	// Strength is how strongly it is coloured, 0 ... 1.
	Strength float64
}

// source shows the source of functions. It stands in for pprof's page, with the same
// parameters, and reads files where Profile.Sources finds them and nowhere else.
func (m *mounted) source(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	listing, notes, err := m.list(query)
	if err != nil {
		m.notice(http.StatusBadRequest, "Source", err.Error(), "").ServeHTTP(w, r)
		return
	}
	page := sourcePage{Title: "source: " + m.name(), Menu: m.menu(query), Notes: notes}
	page.Menu.asks(query)
	total := m.whole(listing.SampleType)
	page.Head = listing.SampleType + ": " + m.relation(listing.Shown, total, listing.Unit)
	for _, option := range listing.Unmatched {
		page.Notes = append(page.Notes, "The expression of "+option+" matched nothing.")
	}
	if m.Base != nil {
		page.Notes = append(page.Notes, "The text is that of the run, not of the base: lines of the base may stand elsewhere.")
	}
	if n := len(listing.Routines); n > maxRoutines {
		listing.Routines = listing.Routines[:maxRoutines]
		page.Notes = append(page.Notes, "The first "+strconv.Itoa(maxRoutines)+" of "+strconv.Itoa(n)+" functions.")
	}
	for _, r := range listing.Routines {
		page.Routines = append(page.Routines, routineOf(r, listing.Unit, total))
	}
	write(w, http.StatusOK, "source", page)
}

// relation is what is shown beside the whole.
func (m *mounted) relation(shown, whole int64, unit string) string {
	switch {
	case m.Base == nil:
		return value(shown, unit) + " of " + value(whole, unit)
	case shown < 0:
		return value(-shown, unit) + " less than the base, which is " + value(whole, unit) + " in all"
	default:
		return value(shown, unit) + " more than the base, which is " + value(whole, unit) + " in all"
	}
}

// list finds the functions that are asked for, or the dearest ones.
func (m *mounted) list(query map[string][]string) (*prof.Listing, []string, error) {
	look, notes, err := m.look(query)
	if err != nil {
		return nil, nil, err
	}
	if look.Function == nil {
		if look.Function, err = m.dearest(look); err != nil {
			return nil, nil, err
		}
		notes = append(notes, "The functions that cost most by themselves. The field above shows others.")
	}
	look.Sources = &reader{from: m.Sources, files: map[string]file{}}
	view, err := prof.ViewNamed("list")
	if err != nil {
		return nil, nil, err
	}
	document, err := view.Show(m.shown, look)
	if err != nil {
		return nil, nil, err
	}
	return document.(*prof.Listing), notes, nil
}

// dearestShown is how many functions are shown to who names none.
const dearestShown = 20

// dearest matches the functions that cost most by themselves.
func (m *mounted) dearest(look prof.ViewOptions) (*regexp.Regexp, error) {
	view, err := prof.ViewNamed("top")
	if err != nil {
		return nil, err
	}
	document, err := view.Show(m.shown, look)
	if err != nil {
		return nil, err
	}
	rows := document.(*prof.Top).Rows
	if len(rows) == 0 {
		return nil, errors.New("there are no samples")
	}
	var names []string
	for _, row := range rows[:min(len(rows), dearestShown)] {
		names = append(names, regexp.QuoteMeta(row.Function))
	}
	return regexp.Compile("^(" + strings.Join(names, "|") + ")$")
}

// whole is what shares relate to: the sum of the samples, of a difference that of the base.
func (m *mounted) whole(sampleType string) int64 {
	i, err := m.shown.SampleIndexByName(sampleType)
	if err != nil {
		return 0
	}
	var sum, base int64
	for _, s := range m.shown.Sample {
		if s.DiffBaseSample() {
			base -= s.Value[i]
		} else {
			sum += s.Value[i]
		}
	}
	if m.Base != nil {
		return base
	}
	return sum
}

func routineOf(r prof.Routine, unit string, total int64) routine {
	out := routine{
		Function: r.Function, File: r.File, NoSource: r.NoSource,
		Flat: value(r.Flat, unit), Cum: value(r.Cum, unit), Share: share(r.Cum, total),
	}
	var most float64
	for _, l := range r.Lines {
		most = max(most, weight(l))
	}
	for _, l := range r.Lines {
		shown := line{Number: l.Number, Text: l.Text, Flat: cost(l.Flat, unit), Cum: cost(l.Cum, unit)}
		if shown.Costs = l.Flat != 0 || l.Cum != 0; shown.Costs {
			shown.Strength = 0.05 + 0.35*weight(l)/most // more would hide the text
		}
		out.Lines = append(out.Lines, shown)
	}
	return out
}

// weight is what a line is coloured by.
func weight(l prof.Line) float64 {
	return math.Max(math.Abs(float64(l.Flat)), math.Abs(float64(l.Cum)))
}

func cost(v int64, unit string) string {
	if v == 0 {
		return "."
	}
	return value(v, unit)
}

// value writes a value of a profile's unit.
func value(v int64, unit string) string {
	switch unit {
	case "nanoseconds":
		return units.Nanos(float64(v))
	case "bytes":
		return units.Bytes(float64(v))
	}
	return strconv.FormatInt(v, 10)
}

func share(part, total int64) string {
	if total == 0 {
		return "0 %"
	}
	return units.Digits(100*float64(part)/math.Abs(float64(total))) + " %"
}
