package chat

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Ten lines of a kind per window, whatever other kinds do; what is left out is counted
// with the next line, or at the end.
func TestNoticesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		n := newNotices(slog.New(slog.NewTextHandler(&log, nil)))
		for range 3 * noticeBurst {
			n.warn("flood")
		}
		n.warn("other")
		if got := strings.Count(log.String(), "msg=flood"); got != noticeBurst {
			t.Errorf("%d lines of the flood, want %d", got, noticeBurst)
		}
		if !strings.Contains(log.String(), "msg=other") {
			t.Errorf("the flood hid the other notice:\n%s", log.String())
		}
		time.Sleep(noticeWindow) // synctest's clock
		log.Reset()
		for range noticeBurst + 2 {
			n.warn("flood")
		}
		if !strings.Contains(log.String(), "suppressed=20") {
			t.Errorf("the first line of the next window does not count what was left out:\n%s", log.String())
		}
		log.Reset()
		n.settle()
		n.settle()
		if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "kind=flood suppressed=2") {
			t.Errorf("in the end:\n%s", got)
		}
	})
}
