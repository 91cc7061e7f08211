package main

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/sys/preflight"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/wire"
)

// loadFlags are what hone load is asked for, and what becomes of it.
type loadFlags struct {
	spec.Spec
	request loadtest.Request
	shape   loadtest.Shape
	sources otherWords
}

// streamTime is how long a stream of events may go on unless --timeout says how long any answer
// may take: most have no end, and that is said at once.
const streamTime = 2 * time.Second

// finish completes the request from the flags that need work.
func (f *loadFlags) finish(cmd *cobra.Command, targets []string) error {
	r, given := &f.request, spec.Of(cmd.Flags()).Given
	r.Target, r.Plan, r.WarmUp, r.Drain, r.Interval = targets[0], f.Plan, f.WarmUp, f.Drain, f.Interval
	r.Calibrate, r.Output = f.Calibrate, f.Recording
	f.shape = loadtest.Shape{Steps: f.Steps, Duration: f.Duration, Requests: f.Number, Seed: f.Seed}
	r.Plan.Timeout = r.Plan.RequestTimeout
	if !given("timeout") {
		r.Plan.StreamTimeout = min(streamTime, r.Plan.RequestTimeout)
	}
	if r.Plan.Workers == 0 && f.Agents == "" {
		r.Plan.Workers = max(1, usableCPUs()/2)
	}
	if f.shape.Requests > 0 {
		if !given("duration") {
			f.shape.Duration = 0
		}
		if !given("warmup") {
			r.WarmUp = 0
		}
	}
	var faults []error
	note := func(err error) { faults = append(faults, err) }
	note(f.finishSchedule())
	var err error
	r.FailIf, err = thresholds(f.FailIf)
	note(err)
	for _, c := range r.FailIf {
		if c.Metric.OfProgram() {
			note(fail.New(fail.BadInput, "--fail-if %s: %s is of a program that hone starts", c,
				c.Metric).WithHint("hone run PACKAGE --fail-if '%s'", c))
		}
	}
	for _, text := range slices.Concat(f.FailIf, f.FindMax) { // what is limited has to be measured
		if c, err := limit.ParseThreshold(text); err == nil && c.Metric.OfStreams() {
			f.Protocol.Streams.All = true
		}
	}
	note(f.finishTargets(targets))
	if f.Addresses != "" {
		r.Sources, err = preflight.ParseSources(f.Addresses)
		note(err)
	}
	r.Plan.CPUs, err = parseCPUs(f.CPUs)
	note(err)
	return cmp.Or(faults...)
}

func (f *loadFlags) finishSchedule() error {
	s := &f.shape
	var err error
	switch {
	case strings.Contains(f.Rate, ".."):
		s.FromHz, s.ToHz, err = limit.ParseRange(f.Rate)
	case f.Rate != "":
		s.FromHz, err = limit.ParseRate(f.Rate)
		s.ToHz = s.FromHz
	}
	if err != nil {
		return err
	}
	if len(f.FindMax) > 0 && (f.Rate != "" || f.Sending.Replay != "" || s.Requests > 0) {
		return fail.New(fail.BadInput, "--find-max searches for the rate: leave out --rate, --replay and -n")
	}
	switch f.Arrivals {
	case "uniform":
	case "poisson":
		s.Poisson = true
	default:
		return fail.New(fail.BadInput, "arrivals %q: want uniform or poisson", f.Arrivals)
	}
	s.Seed = cmp.Or(s.Seed, newSeed())
	if err := f.replayTaken(); err != nil {
		return err
	}
	if f.Sending.Replay != "" {
		file, err := inputs.Replay.Open(f.Sending.Replay)
		if err != nil {
			return fail.New(fail.Or(fail.BadInput, err), "read replay: %w", err)
		}
		defer file.Close()
		if s.Replay, err = loadtest.ReadReplay(f.Sending.Replay, file, f.Speed); err != nil {
			return err
		}
	}
	f.request.Schedule, err = s.Schedule()
	return err
}

// finishTargets reads the protocol's options and deals the targets' weights out.
func (f *loadFlags) finishTargets(targets []string) error {
	o, err := protocolOf(f.Load, &f.sources, targets[0])
	if err != nil {
		return err
	}
	if f.Weights != nil && len(f.Weights) != len(targets) {
		return fail.New(fail.BadInput, "--weight has %d weights for %d targets", len(f.Weights), len(targets))
	}
	for i, target := range targets {
		weight := 1
		if f.Weights != nil {
			weight = f.Weights[i]
		}
		if i == 0 {
			if len(targets) > 1 {
				o.Weight = weight
			}
			continue
		}
		o.Mix = append(o.Mix, wire.Weighted{URL: target, Weight: weight})
	}
	f.request.Options = o
	return nil
}

func thresholds(texts []string) ([]limit.Threshold, error) {
	var all []limit.Threshold
	var faults []error
	for _, text := range texts {
		t, err := limit.ParseThreshold(text)
		all, faults = append(all, t), append(faults, err)
	}
	return all, errors.Join(faults...)
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
