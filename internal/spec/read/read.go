// Package read makes of the words of a spec what they mean: of a rate the schedule, of the name of a file its requests,
// of a manifest the box. Until then the flags, a plan of hone.yaml and what the files say may still change the words.
package read

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/sys/preflight"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// Programs reads what is asked for of programs that are started and loaded. Take has read their requests.
func (f *Requests) Programs(s *spec.Spec) (err error) {
	if s.NoProfile {
		s.ProfileTime = 0
	}
	if s.Metrics.Page == "none" {
		s.Metrics.Page, s.Metrics.Off = "", true
	}
	if err := readBox(&s.Program); err != nil {
		return err
	}
	if s.Rate != "" {
		if s.RateHz, err = limit.ParseRate(s.Rate); err != nil {
			return err
		}
	}
	if err := Gates(&s.Test, gate.Measures); err != nil {
		return err
	}
	if s.FailIf, err = Thresholds(s.FailIfWords); err != nil {
		return err
	}
	for _, g := range s.Gates { // what is limited has to be measured
		s.Protocol.Streams.All = s.Protocol.Streams.All || measure.OfStreams(g.Measure)
	}
	measureStreams(&s.Load, s.FailIf)
	if err := f.Protocol(&s.Load); err != nil {
		return err
	}
	if err := readMix(&s.Load); err != nil {
		return err
	}
	return loadCommand(&s.Load)
}

// Gates reads the gates, which are on some measures.
func Gates(t *spec.Test, known []judge.Measure) error {
	t.Gates = nil
	for _, text := range t.GateWords {
		g, err := gate.ParseOf(text, known)
		if err != nil {
			return err
		}
		t.Gates = append(t.Gates, g)
	}
	return nil
}

// Thresholds reads the limits of --fail-if and --find-max.
func Thresholds(texts []string) ([]limit.Threshold, error) {
	var all []limit.Threshold
	var faults []error
	for _, text := range texts {
		t, err := limit.ParseThreshold(text)
		all, faults = append(all, t), append(faults, err)
	}
	return all, errors.Join(faults...)
}

// measureStreams has answers taken as streams where something that is limited is of streams.
func measureStreams(l *spec.Load, limits []limit.Threshold) {
	for _, one := range limits {
		l.Protocol.Streams.All = l.Protocol.Streams.All || one.Metric.OfStreams()
	}
}

// streamTime is how long a stream of events may go on unless --timeout says how long any answer may take: most have no
// end, and that is said at once.
const streamTime = 2 * time.Second

// LoadTest reads what is asked for of a load test of these targets. workers is how many event loops load if nothing is
// said of them; given says which options were given. TakeForLoad has read the requests.
func (f *Requests) LoadTest(s *spec.Spec, given func(string) bool, targets []string, workers int) error {
	s.Plan.Timeout = s.Plan.RequestTimeout
	if !given("timeout") {
		s.Plan.StreamTimeout = min(streamTime, s.Plan.RequestTimeout)
	}
	if s.Plan.Workers == 0 && s.AgentChoice == "" {
		s.Plan.Workers = workers
	}
	if s.Number > 0 && !given("duration") {
		s.Duration = 0
	}
	if s.Number > 0 && !given("warmup") {
		s.WarmUp = 0
	}
	var faults []error
	note := func(err error) { faults = append(faults, err) }
	note(f.schedule(s))
	var err error
	s.FailIf, err = Thresholds(s.FailIfWords)
	note(err)
	for _, c := range s.FailIf {
		if c.Metric.OfProgram() {
			note(fail.New(fail.BadInput, "--fail-if %s: %s is of a program that hone starts", c,
				c.Metric).WithHint("hone run PACKAGE --fail-if '%s'", c))
		}
	}
	var search error
	s.FindMax, search = Thresholds(s.FindMaxWords)
	measureStreams(&s.Load, s.FailIf)
	measureStreams(&s.Load, s.FindMax)
	note(f.targets(&s.Load, targets))
	if s.SourceWords != "" {
		s.Sources, err = preflight.ParseSources(s.SourceWords)
		note(err)
	}
	s.Plan.CPUs, err = parseCPUs(s.CPUWords)
	note(err)
	note(search)
	return cmp.Or(faults...)
}

// parseCPUs reads a list such as 1,3 or 4-7.
func parseCPUs(text string) (cpus []int, err error) {
	if text == "" {
		return nil, nil
	}
	for _, part := range strings.Split(text, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			last = first
		}
		from, err1 := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err1 != nil || err2 != nil || from < 0 || to < from || to > 1<<12 {
			return nil, fail.New(fail.BadInput, "cpus %q: %q is not the number of a CPU", text, part).
				WithHint("write numbers and ranges, such as 1,3 or 4-7")
		}
		for cpu := from; cpu <= to; cpu++ {
			cpus = append(cpus, cpu)
		}
	}
	return cpus, nil
}
