package watch

import (
	"context"
	"io"
	"strings"
	"time"
)

// sources are those of a target; title says what is watched, if that is known by
// now. What knows best comes first: a value is taken from the first source that has it.
func (c *Config) sources(ctx context.Context) (all []source, title func() string) {
	t := c.Target
	found := &watched{}
	title = func() string { return strings.TrimSpace(t.Word + "  " + found.about()) }
	switch {
	case t.Trace:
		return c.inputSource(), func() string { return "gctrace of standard input" }
	case c.Started != nil:
		all = append(c.Started.sources(), c.guesses()...)
		title = c.Started.title
	case t.PID != 0:
		found.find = func() (int, error) { return t.PID, nil }
		all = processSources(found)
	default:
		found.find = func() (int, error) { return listenerOf(ctx, t.HostPort) }
		all = processSources(found)
	}
	check := c.httpCheck()
	add := func(s source, guess bool) {
		if guess {
			s = &guessed{source: s, check: check}
		}
		all = append(all, s)
	}
	if t.Metrics != "" {
		add(newMetrics(t.Metrics), t.GuessedMetrics)
	}
	if t.Pages != "" {
		add(newPages(t.Pages, found.started), t.GuessedPages)
	}
	return all, title
}

// httpCheck is what asks the target whether it speaks HTTP; nil where the user said so.
func (c *Config) httpCheck() *httpCheck {
	if c.Target.AnyProtocol && c.check == nil {
		c.check = newHTTPCheck(c.Target.HostPort)
	}
	return c.check
}

// guesses are sources that a program of hone's own starting may have on the port that it
// opened. Whether it speaks HTTP there is not known.
func (c *Config) guesses() []source {
	at, check := "http://"+c.Started.Address(), newHTTPCheck(c.Started.Address())
	var all []source
	if c.Target.Metrics == "" {
		all = append(all, &guessed{source: newMetrics(at + defaultMetrics), check: check})
	}
	if c.Target.Pages == "" && !c.Started.Probed() {
		all = append(all, &guessed{source: newPages(at+defaultPages, (&watched{}).started), check: check})
	}
	return all
}

// inputSource reads lines of gctrace. The goroutine that copies them ends with the input;
// one that waits for more input when hone ends is left to the end of hone.
func (c *Config) inputSource() []source {
	lines, ended := &traceLines{}, make(chan struct{})
	t := newTrace(lines)
	t.ended = ended
	go func() {
		defer close(ended)
		_, t.err = io.Copy(lines, c.Input)
	}()
	return []source{&closing{t, c.Input}}
}

// closing closes the input with the source.
type closing struct {
	*trace
	input io.Reader
}

func (c *closing) close() {
	if closer, ok := c.input.(io.Closer); ok {
		_ = closer.Close()
		select {
		case <-c.ended:
		case <-time.After(100 * time.Millisecond): // a terminal's read does not end by closing
		}
	}
}
