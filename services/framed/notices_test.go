package framed

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A flood of one kind of notice gets a few lines, then a count, and hides no other
// kind.
func TestNoticesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		n := newNotices(slog.New(slog.NewTextHandler(&log, nil)))
		flood := func() (lines int, text string) {
			log.Reset()
			for range 1000 {
				n.warn("flood", "bad client")
			}
			return strings.Count(log.String(), "\n"), log.String()
		}
		if lines, text := flood(); lines != noticeBurst || strings.Contains(text, "suppressed") {
			t.Errorf("%d lines of 1000 notices, want %d:\n%s", lines, noticeBurst, text)
		}
		n.warn("other", "another matter")
		if !strings.Contains(log.String(), "another matter") {
			t.Error("the flood hid another kind of notice")
		}

		time.Sleep(noticeWindow) // synctest's clock
		if lines, text := flood(); lines != noticeBurst || strings.Count(text, "suppressed=990") != 1 {
			t.Errorf("%d lines in the next window, want %d, one of which says suppressed=990:\n%s", lines, noticeBurst, text)
		}

		log.Reset()
		n.settle()
		n.settle()
		if got := log.String(); strings.Count(got, "suppressed=990") != 1 || strings.Count(got, "\n") != 1 {
			t.Errorf("the end says\n%swant one line with suppressed=990", got)
		}
	})
}
