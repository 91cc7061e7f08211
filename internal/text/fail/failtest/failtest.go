// Package failtest checks errors in tests.
package failtest

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// Want checks the kind of an error, and that its text or its hint has the parts.
func Want(t *testing.T, err error, kind fail.Kind, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", parts)
		return
	}
	if fail.ExitCode(err) != int(kind) {
		t.Errorf("exit code %d, want %d: %v", fail.ExitCode(err), kind, err)
	}
	all := err.Error() + "\nhint: " + fail.HintOf(err)
	for _, part := range parts {
		if !strings.Contains(all, part) {
			t.Errorf("no %q in:\n%s", part, all)
		}
	}
}
