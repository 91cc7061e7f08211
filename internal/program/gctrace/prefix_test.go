package gctrace

import (
	"strings"
	"testing"
)

const bare = "gc 7 @0.501s 3%: 0.009+0.31+0.001 ms clock, 0.075+0/0.30/0+0.014 ms cpu, 3->4->0 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 8 P"

// Logs of containers and of the system add words; a line that was torn is left out.
func TestParseLinesOfLogs(t *testing.T) {
	escaped := strings.ReplaceAll(bare, ">", `\u003e`)
	for _, line := range []string{
		"web-1  | " + bare, "[pod/web/app] " + bare, "2026-01-01T00:00:00Z stderr F " + bare,
		"Nov 26 10:00:00 host app[12]: " + bare,
		`{"log":"` + bare + `\n","stream":"stderr"}`, `{"msg":"` + escaped + ` (forced)"}`,
		"\x1b[33m" + bare + "\x1b[0m", "request done" + bare,
	} {
		if c, err := Parse(line); err != nil || c.Number != 7 || c.Procs != 8 ||
			c.Forced != strings.Contains(line, "forced") {
			t.Errorf("%q: %+v, %v", line, c, err)
		}
	}
	if _, err := Parse(bare[:30] + "another line"); err == nil {
		t.Error("a torn line is read")
	}
}
