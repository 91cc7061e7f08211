package subject

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/program/lifetime"
)

// A subject that is not to notice hone finds nothing of it in its environment, nor in its parent's name and command
// line.
func TestHideHone(t *testing.T) {
	for _, unseen := range []bool{false, true} {
		p := start(t, server(t, "127.0.0.1:{port}"),
			StartOptions{Readiness: Readiness{Target: "127.0.0.1:{port}"}, DataDir: t.TempDir(), HideHone: unseen})
		var seen strings.Builder
		for _, file := range []string{fmt.Sprintf("/proc/%d/environ", p.PID()),
			fmt.Sprintf("/proc/%d/comm", p.guardPID()),
			fmt.Sprintf("/proc/%d/cmdline", p.guardPID())} {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&seen, "%s: %q\n", filepath.Base(file), text)
		}
		for _, word := range []string{lifetime.MarkVariable, guard.Name, rolePrefix} {
			if strings.Contains(seen.String(), word) == unseen {
				t.Errorf("unseen %v, and %s stands in\n%s", unseen, word, seen.String())
			}
		}
		if (p.temp == "") != unseen {
			t.Errorf("unseen %v, and TMPDIR is %q", unseen, p.temp)
		}
	}
}
