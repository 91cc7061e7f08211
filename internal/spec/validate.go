package spec

import (
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/gohone/hone/internal/program/needs"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/load"
)

const (
	// mostTicks and MostTrace are what the probe allows: ticks per second of CPU time, and an execution trace.
	mostTicks = 10_000
	MostTrace = time.Minute
	// mostLayouts bounds the builds of a variant: a second stage has hardly more starts.
	mostLayouts = 100
	// shortestScrape bounds what scraping takes from the program.
	shortestScrape = 100 * time.Millisecond
)

// faults gathers what is wrong.
type faults []error

func (f *faults) unless(ok bool, format string, args ...any) {
	if !ok {
		*f = append(*f, fmt.Errorf(format, args...))
	}
}

// Validate reports all faults of what is said of the programs at once.
func (p Program) Validate() error {
	var f faults
	f.unless(p.Grace >= 0, "grace is %v, want 0 or more", p.Grace)
	f.unless(p.AfterStartLimit >= 0, "time limit of the command after a start is %v, want 0 or more", p.AfterStartLimit)
	if p.Ready != "" {
		_, err := subject.ParseReady(p.Ready)
		f = append(f, err)
	}
	return errors.Join(append(f, subject.CheckCopies(p.Copy), p.Box.Validate(), needs.Check(p.Needs))...)
}

// Validate reports all faults of the load at once.
func (l Load) Validate() error {
	var f faults
	f.unless(l.Slice >= 0, "slice is %v, want more than 0", l.Slice)
	f.unless(l.RateHz >= 0 && l.RateHz <= load.MaxRateHz, "rate is %v/s, want 0 to %v", l.RateHz,
		float64(load.MaxRateHz))
	f.unless(l.WarmUp >= 0, "warm-up is %v, want 0 or more", l.WarmUp)
	return errors.Join(append(f, l.Plan.Validate())...)
}

// Validate reports all faults of when a load test sends at once.
func (s Sending) Validate() error {
	var f faults
	f.unless(s.Drain > 0, "drain is %v, want more than 0", s.Drain)
	f.unless(s.Interval >= 0, "interval is %v, want 0 or more", s.Interval)
	return errors.Join(append(f, s.Schedule.Validate())...)
}

// Validate reports all faults of the test at once.
func (t Test) Validate() error {
	var f faults
	f.unless(t.Layouts >= 0 && t.Layouts <= mostLayouts, "%d layouts, want 0 to %d", t.Layouts, mostLayouts)
	f.unless(t.BlockLoad >= 0, "load between starts is %v, want 0 or more", t.BlockLoad)
	f.unless(t.MaxTime >= 0, "most time of an execution is %v, want more than 0, or 0 for no bound", t.MaxTime)
	return errors.Join(append(f, t.Rules().Validate())...)
}

// Validate reports all faults of what is to be recorded at once.
func (o Observe) Validate() error {
	var f faults
	f.unless(o.ProfileRate >= 0 && o.ProfileRate <= mostTicks,
		"profile rate is %d ticks per second, want up to %d, 0 for the usual 100", o.ProfileRate, mostTicks)
	f.unless(o.ProfileTime >= 0, "profile time is %v, want 0 or more", o.ProfileTime)
	f.unless(o.TraceTime >= 0 && o.TraceTime <= MostTrace, "trace time is %v, want 0 to %v", o.TraceTime, MostTrace)
	f.unless(o.FlightTime >= 0, "flight time is %v, want 0 or more", o.FlightTime)
	f.unless(o.ProfileTime != 0 || o.TraceTime <= 0 && o.FlightTime <= 0,
		"traces are taken with the profiles, and there are to be none")
	f.unless(o.ProfileTime != 0 || !o.Holders,
		"who holds the memory is asked with the profiles of a run, and there are to be none")
	return errors.Join(append(f, o.Metrics.validate())...)
}

func (m Metrics) validate() error {
	if m.Interval < 0 || m.Interval > 0 && m.Interval < shortestScrape {
		return fmt.Errorf("interval of metrics is %v, want %v or more", m.Interval, shortestScrape)
	}
	if m.Page == "" {
		return nil
	}
	page, err := url.Parse(templates.Fill(m.Page, func(string) string { return "1" }))
	if err == nil && (page.Scheme != "http" && page.Scheme != "https" || page.Host == "") {
		err = errors.New("want http://host:port/path")
	}
	if err != nil {
		return fmt.Errorf("page of metrics %q: %w", m.Page, err)
	}
	return nil
}
