package notices

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A flood of one kind of notice gets a few lines, then a count, and hides no other kind.
func TestNoticesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		l := New(slog.New(slog.NewTextHandler(&out, nil)))
		flood := func() (lines int, text string) {
			out.Reset()
			for range 1000 {
				l.WarnAs("flood", "bad client")
			}
			return strings.Count(out.String(), "\n"), out.String()
		}
		if lines, text := flood(); lines != burst || strings.Contains(text, "suppressed") {
			t.Errorf("%d lines of 1000 notices, want %d:\n%s", lines, burst, text)
		}
		l.Warn("another matter", slog.Int("conn", 7))
		if !strings.Contains(out.String(), `msg="another matter" conn=7`) {
			t.Errorf("the flood hid another kind of notice:\n%s", out.String())
		}

		time.Sleep(window) // synctest's clock
		if lines, text := flood(); lines != burst || strings.Count(text, "suppressed=990") != 1 {
			t.Errorf("%d lines in the next window, want %d, one of which says suppressed=990:\n%s", lines, burst, text)
		}

		out.Reset()
		l.Settle()
		l.Settle()
		if got := out.String(); strings.Count(got, "kind=flood suppressed=990") != 1 || strings.Count(got, "\n") != 1 {
			t.Errorf("the end says\n%swant one line with suppressed=990", got)
		}
	})
}
