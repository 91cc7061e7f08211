package loadtest

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/load"
)

// Shape is a schedule as a user words it.
type Shape struct {
	// FromHz and ToHz are the rate over all connections, in requests per second, at the
	// start and at the end; 0 for both means a closed loop.
	FromHz, ToHz float64
	// Steps makes a staircase of that many even rates out of a ramp; 0 or 1 a straight
	// line.
	Steps int
	// Duration is how long to send; 0 means until Requests are sent.
	Duration time.Duration
	// Requests bounds the number of requests; 0 means no bound.
	Requests uint64
	// Poisson draws the arrivals of an open loop from Seed instead of spacing them evenly.
	Poisson bool
	Seed    uint64
	// Replay is a recorded schedule; it excludes a rate.
	Replay []time.Duration
}

// forever is how long an open loop without a duration may take to send its requests.
const forever = 1000 * time.Hour

// Schedule turns a shape into a schedule. Errors are *fail.Error of kind BadInput.
func (s Shape) Schedule() (load.Schedule, error) {
	open := s.FromHz > 0 || s.ToHz > 0
	refuse := func(format string, args ...any) (load.Schedule, error) {
		return load.Schedule{}, fail.New(fail.BadInput, format, args...)
	}
	switch {
	case open && len(s.Replay) > 0:
		return refuse("--rate and --replay exclude each other")
	case s.Steps > 1 && s.FromHz == s.ToHz:
		return refuse("--steps %d needs a range of rates, such as --rate 100..5000", s.Steps)
	case s.Steps < 0:
		return refuse("--steps %d: want 1 or more", s.Steps)
	case !open && s.Poisson && len(s.Replay) == 0:
		return refuse("--set arrivals=poisson needs a --rate: a closed loop has no arrivals of its own")
	case open && s.FromHz != s.ToHz && s.Duration == 0:
		return refuse("a ramp needs a duration: -d 30s")
	case s.Duration == 0 && s.Requests == 0 && len(s.Replay) == 0:
		return refuse("neither a duration (-d) nor a number of requests (-n) is given")
	}
	out := load.Schedule{Requests: s.Requests, Replay: s.Replay}
	switch {
	case len(s.Replay) > 0:
	case open:
		out.Stages = s.stages()
		if s.Poisson {
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

func (s Shape) stages() []load.Stage {
	length := s.Duration
	if length == 0 {
		length = forever
	}
	if s.Steps <= 1 {
		return []load.Stage{{From: s.FromHz, To: s.ToHz, For: length}}
	}
	var all []load.Stage
	for i := range s.Steps {
		rate := s.FromHz + (s.ToHz-s.FromHz)*float64(i)/float64(s.Steps-1)
		all = append(all, load.Stage{From: rate, To: rate, For: length / time.Duration(s.Steps)})
	}
	return all
}

// maxReplay bounds a recorded schedule: 10 million moments are 80 MB.
const maxReplay = 10_000_000

// ReadReplay reads a recorded schedule: a moment on each line, in seconds ("12.003451")
// or as an RFC 3339 time stamp, in ascending order; what follows on the line after a
// space or comma, empty lines and those that begin with # do not matter. The first
// moment is the start. speed replays it faster (2: in half the time). Errors are
// *fail.Error of kind BadInput with name and line.
func ReadReplay(name string, r io.Reader, speed float64) ([]time.Duration, error) {
	if !(speed > 0) {
		return nil, fail.New(fail.BadInput, "replay speed is %v, want more than 0", speed)
	}
	var all []time.Duration
	var first, last float64
	lines, number := bufio.NewScanner(inputs.Text(inputs.Replay.Reader(name, r))), 0
	refuse := func(format string, args ...any) *fail.Error {
		return fail.New(fail.BadInput, "%s:%d: %w", name, number, fmt.Errorf(format, args...))
	}
	for lines.Scan() {
		number++
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		at, err := moment(text)
		if err != nil {
			return nil, refuse("%w", err).WithHint("write a moment on each line, in seconds (12.003) or as 2026-01-31T12:00:00.5Z")
		}
		if len(all) == 0 {
			first, last = at, at
		}
		if at < last {
			return nil, refuse("the moment lies before the one ahead of it").WithHint("sort the file by time")
		}
		if len(all) == maxReplay {
			return nil, refuse("more than %d moments", maxReplay)
		}
		last = at
		after := (at - first) / speed
		if after > forever.Seconds() {
			return nil, refuse("the time is more than %v after the first", forever).WithHint("replay it faster, or a part of it")
		}
		all = append(all, time.Duration(after*float64(time.Second)))
	}
	if err := lines.Err(); err != nil {
		return nil, fail.New(fail.BadInput, "read %s: %w", name, err)
	}
	if len(all) == 0 {
		return nil, fail.New(fail.BadInput, "%s holds no moments", name)
	}
	return all, nil
}

// maxMoment keeps the moments of a replay, in seconds, exact to a microsecond.
const maxMoment = 1e10

// moment reads the first word of a line as seconds.
func moment(line string) (float64, error) {
	word := line
	if i := strings.IndexAny(line, " \t,"); i >= 0 {
		word = line[:i]
	}
	if at, err := strconv.ParseFloat(word, 64); err == nil {
		if !(at >= 0 && at <= maxMoment) {
			return 0, fmt.Errorf("%q is not a moment", word)
		}
		return at, nil
	}
	at, err := time.Parse(time.RFC3339Nano, word)
	if err != nil || at.Year() < 1970 || at.Year() > 2200 {
		return 0, fmt.Errorf("%q is neither seconds nor a time stamp", word)
	}
	return float64(at.Unix()) + float64(at.Nanosecond())/1e9, nil
}
