package loadcmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/text/fail"
)

const (
	// outputLimit is how much of each stream of a command is kept, in bytes: half of it from the beginning.
	outputLimit = 1 << 20
	// quotedLines and quotedBytes are the end of an output that an error quotes.
	quotedLines = 20
	quotedBytes = 4 << 10
)

// count is the number of operations of one execution: by the program's counter, which had the value before, or by what
// the command wrote.
func (s *Session) count(ctx context.Context, o output.Streams, before float64) (uint64, error) {
	if s.counter == nil {
		return s.countOutput(o)
	}
	after, err := s.counter.value(ctx)
	if err != nil {
		return 0, err
	}
	n, err := between(before, after)
	switch {
	case err != nil:
		return 0, fail.New(fail.BadInput, "--set load-cmd.metric=%s does not count operations: %w", s.command.Metric,
			err).WithHint("name a counter, not a gauge")
	case n == 0:
		return 0, s.fault(o, "ended well, and --set load-cmd.metric=%s stayed at %g", s.command.Metric, before).
			WithHint("see what the command wrote; does it load the right port, and does the program count what it sends?")
	}
	return n, nil
}

// countOutput reads the number from standard output, then standard error.
func (s *Session) countOutput(o output.Streams) (uint64, error) {
	if o.Stdout.Dropped+o.Stderr.Dropped > 0 {
		return 0, s.fault(o,
			"wrote more than hone keeps (%d bytes of each stream), so that its operations cannot be counted",
			outputLimit).
			WithHint("let it write less, such as without its progress")
	}
	n, err := Count(s.ops, o.Stdout.String()+"\n"+o.Stderr.String())
	switch {
	case errors.Is(err, errNoMatch):
		return 0, s.fault(o, "ended well, but %s --set load-cmd.ops='%s'", err, s.command.Ops).
			WithHint("look for the number of operations in its output, and name it: --set load-cmd.ops='([0-9]+) requests'")
	case err != nil:
		return 0, s.fault(o, "ended well, but by --set load-cmd.ops='%s' %s", s.command.Ops, err).
			WithHint("its first group has to be a number such as 1234, 1,234 or 1.2e3")
	case n == 0:
		return 0, s.fault(o,
			"ended well, and carried out no operation").WithHint("see what it wrote; does it load the right port?")
	}
	return n, nil
}

// fault is an error about the command, with the end of what it wrote.
func (s *Session) fault(o output.Streams, format string, args ...any) *fail.Error {
	return fail.New(fail.Environment, "the load command %s %s%s", filepath.Base(s.command.Words[0]),
		fmt.Sprintf(format, args...), lastLines(o))
}

// lateHint says what to do about a command that takes too long.
func (s *Session) lateHint(limit time.Duration) string {
	if s.command.Timed() {
		return fmt.Sprintf("allow it more time beyond its {duration}: --set load-cmd.timeout=%v", 5*s.command.Limit)
	}
	return fmt.Sprintf("let it end: give it {duration} or {seconds} where it takes a time, or a number of operations; "+
		"or allow it more time: --set load-cmd.timeout=%v", 5*limit)
}

// lastLines quotes the end of both streams of a command.
func lastLines(o output.Streams) string {
	text := ""
	for _, one := range []struct {
		name   string
		stream output.Stream
	}{{"stdout", o.Stdout}, {"stderr", o.Stderr}} {
		lines := strings.Split(strings.TrimRight(strings.ReplaceAll(one.stream.String(), "\r", "\n"), "\n"), "\n")
		if len(lines) == 1 && lines[0] == "" {
			continue
		}
		quoted := strings.Join(lines[max(0, len(lines)-quotedLines):], "\n")
		quoted = quoted[max(0, len(quoted)-quotedBytes):]
		text += fmt.Sprintf("; the end of its %s:\n%s", one.name, strings.ToValidUTF8(quoted, "?"))
	}
	if text == "" {
		return "; it wrote nothing"
	}
	return text
}
