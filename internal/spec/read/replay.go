package read

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// maxReplay bounds a recorded schedule: 10 million moments are 80 MB.
const maxReplay = 10_000_000

// readReplay reads a recorded schedule: a moment on each line, in seconds ("12.003451")
// or as an RFC 3339 time stamp, in ascending order; what follows on the line after a
// space or comma, empty lines and those that begin with # do not matter. The first
// moment is the start. speed replays it faster (2: in half the time). Errors are
// *fail.Error of kind BadInput with name and line.
func readReplay(name string, r io.Reader, speed float64) ([]time.Duration, error) {
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
			return nil, refuse("%w",
				err).WithHint("write a moment on each line, in seconds (12.003) or as 2026-01-31T12:00:00.5Z")
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
			return nil, refuse("the time is more than %v after the first",
				forever).WithHint("replay it faster, or a part of it")
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
