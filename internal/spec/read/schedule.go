package read

import (
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/load"
)

// poisson is the word for arrivals that are drawn.
const poisson = "poisson"

// schedule makes the schedule of a load test of its words.
func (f *Requests) schedule(s *spec.Spec) (err error) {
	switch {
	case strings.Contains(s.Rate, ".."):
		s.RateHz, s.ToHz, err = limit.ParseRange(s.Rate)
	case s.Rate != "":
		s.RateHz, err = limit.ParseRate(s.Rate)
		s.ToHz = s.RateHz
	}
	if err != nil {
		return err
	}
	if len(s.FindMaxWords) > 0 && (s.Rate != "" || s.Sending.Replay != "" || s.Number > 0) {
		return fail.New(fail.BadInput, "--find-max searches for the rate: leave out --rate, --replay and -n")
	}
	if !slices.Contains([]string{"uniform", poisson}, s.Arrivals) {
		return fail.New(fail.BadInput, "arrivals %q: want uniform or poisson", s.Arrivals)
	}
	if err := f.replay(s); err != nil {
		return err
	}
	if s.Sending.Replay != "" {
		file, err := inputs.Replay.Open(s.Sending.Replay)
		if err != nil {
			return fail.New(fail.Or(fail.BadInput, err), "read replay: %w", err)
		}
		defer file.Close()
		if s.Moments, err = readReplay(s.Sending.Replay, file, s.Speed); err != nil {
			return err
		}
	}
	s.Schedule, err = scheduleOf(s)
	return err
}

// replay makes the moments of a recording of requests those of the schedule.
func (f *Requests) replay(s *spec.Spec) error {
	if f.Traffic != spec.TrafficReplay || f.list == nil {
		return nil
	}
	switch {
	case s.Rate != "" || s.Sending.Replay != "" || len(s.FindMaxWords) > 0:
		return fail.New(fail.BadInput,
			"traffic replay has its moments from %s: leave out --rate, --replay and --find-max",
			strings.Join(f.given(), ""))
	case !(s.Speed > 0):
		return fail.New(fail.BadInput, "replay speed is %v, want more than 0", s.Speed)
	}
	s.Moments = make([]time.Duration, len(f.list.Moments))
	for i, at := range f.list.Moments {
		s.Moments[i] = time.Duration(float64(at) / s.Speed)
	}
	return nil
}

// forever is how long an open loop without a duration may take to send its requests.
const forever = 1000 * time.Hour

// scheduleOf is the schedule that rate, duration, number and moments come to. Errors are *fail.Error of kind BadInput.
func scheduleOf(s *spec.Spec) (load.Schedule, error) {
	open, ramp, replayed := s.RateHz > 0 || s.ToHz > 0, s.RateHz != s.ToHz, len(s.Moments) > 0
	refuse := func(format string, args ...any) (load.Schedule, error) {
		return load.Schedule{}, fail.New(fail.BadInput, format, args...)
	}
	switch {
	case open && replayed:
		return refuse("--rate and --replay exclude each other")
	case s.Steps > 1 && !ramp:
		return refuse("--steps %d needs a range of rates, such as --rate 100..5000", s.Steps)
	case s.Steps < 0:
		return refuse("--steps %d: want 1 or more", s.Steps)
	case !open && s.Arrivals == poisson && !replayed:
		return refuse("--set arrivals=poisson needs a --rate: a closed loop has no arrivals of its own")
	case open && ramp && s.Duration == 0:
		return refuse("a ramp needs a duration: -d 30s")
	case s.Duration == 0 && s.Number == 0 && !replayed:
		return refuse("neither a duration (-d) nor a number of requests (-n) is given")
	}
	out := load.Schedule{Requests: s.Number, Replay: s.Moments}
	switch {
	case replayed:
	case open:
		out.Stages = stages(s)
		if s.Arrivals == poisson {
			out.Arrivals, out.Seed = load.Poisson, s.Seed
		}
	default:
		out.Duration = s.Duration
	}
	if err := out.Validate(); err != nil {
		return refuse("%w", err)
	}
	return out, nil
}

// stages are those of an open loop: one, or the steps of a staircase.
func stages(s *spec.Spec) []load.Stage {
	length := s.Duration
	if length == 0 {
		length = forever
	}
	if s.Steps <= 1 {
		return []load.Stage{{From: s.RateHz, To: s.ToHz, For: length}}
	}
	var all []load.Stage
	for i := range s.Steps {
		rate := s.RateHz + (s.ToHz-s.RateHz)*float64(i)/float64(s.Steps-1)
		all = append(all, load.Stage{From: rate, To: rate, For: length / time.Duration(s.Steps)})
	}
	return all
}
