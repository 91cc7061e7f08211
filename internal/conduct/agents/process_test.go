package agents

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// However a coordinator ends, or if it is another program, there is an error with its words, and no process is left.
func TestCoordinatorsThatEnd(t *testing.T) {
	for script, want := range map[string]struct {
		kind       fail.Kind
		text, hint string
	}{
		`echo "hone-agent: no such file" >&2; echo "hint: name one" >&2; exit 2`: {fail.BadInput, "no such file",
			"name one"},
		`kill -9 $$`: {fail.Environment, "hone-agent ended, and the load with it: signal: killed",
			"try again"},
		`echo "panic: x" >&2; exit 2`: {fail.Environment, "exit status 2: panic: x", "try again"},
		`exit 0`:                      {fail.Environment, "hone-agent ended, and the load with it", "try again"},
		`echo hello; exec sleep 1000`: {fail.Environment, "hone-agent ended, and the load with it", "try again"},
		`exec 0<&-; exec sleep 0.1`:   {fail.Environment, "hone-agent ended, and the load with it", "try again"},
		`echo '{"id":1,"end":true,"fault":{"kind":4,"text":"no","hint":"wait"}}'; cat`: {fail.Invalid, "no", "wait"},
	} {
		cmd := exec.Command("sh", "-c", script)
		c, err := Start(t.Context(), t.Context(), cmd, Setup{}, nil)
		if c != nil || fail.KindOf(err) != want.kind || !strings.Contains(err.Error(), want.text) ||
			!strings.Contains(fail.HintOf(err), want.hint) {
			t.Errorf("%s: %v (kind %d, hint %q), want %+v", script, err, fail.KindOf(err), fail.HintOf(err), want)
		}
		if cmd.Process == nil || syscall.Kill(cmd.Process.Pid, 0) != syscall.ESRCH {
			t.Errorf("%s: it is still there", script)
		}
	}
}
