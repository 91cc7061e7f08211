package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/text/panels"
	"github.com/gohone/hone/internal/text/progress"
)

// Labels, notes and warnings come from elsewhere: of what they hold nothing reaches the
// terminal but the line's own way back to its start.
func TestProgressPassesNoControlCharacters(t *testing.T) {
	const venom = "evil\x1b[2J\r\b\u009b31m\u202e\n"
	for _, terminal := range []bool{false, true} {
		var out bytes.Buffer
		p := NewProgress(&out, terminal, false)
		p.Phase(venom, time.Second)
		p.Tick(progress.Tick{Variant: venom, Note: venom})
		p.Warn(venom)
		p.Clear()
		text := out.String()
		if terminal {
			text = strings.ReplaceAll(text, "\r", "")
		}
		if strings.ContainsAny(text, "\x1b\r\b\u009b\u202e") ||
			!strings.Contains(text, `evil\u001b[2J\u000d\u0008\u009b31m\u202e`) {
			t.Errorf("terminal %v: %q", terminal, text)
		}
	}
	l, out, pass := liveOn(panels.Size{Width: 100, Height: 30})
	l.title = venom
	l.Phase(venom, 0)
	pass(time.Second)
	l.Tick(tickOf("A"+venom, 1000))
	l.Warn(venom)
	l.Clear()
	for _, bad := range []string{"\x1b[2J", "\b", "\u009b", "\u202e"} {
		if strings.Contains(out.String(), bad) {
			t.Errorf("panels pass on %q: %q", bad, out.String())
		}
	}
	if !strings.Contains(out.String(), `evil\u001b[2J`) {
		t.Errorf("panels do not show the text: %q", out.String())
	}
}
