package honecli

import (
	"context"
	"os/exec"
	"strings"
	"testing"
)

// shell is a hone that is a shell: run with -c it ends as it is told.
func shell(t *testing.T) Hone {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh here to exit with a code of choice")
	}
	return Hone{Program: sh}
}

// Undecided and invalid come with a document; other codes are faults, with what was said.
func TestExitCodes(t *testing.T) {
	h := shell(t)
	for _, c := range []struct {
		code string
		ok   bool
	}{{"0", true}, {"4", true}, {"8", true}, {"3", false}, {"1", false}} {
		d, err := h.Run(t.Context(), []int{Invalid, Undecided}, "-c", "echo document; echo why >&2; exit "+c.code)
		if (err == nil) != c.ok || (c.ok && (string(d.Stdout) != "document\n" || string(rune('0'+d.Code)) != c.code)) {
			t.Errorf("exit %s: %q, %d, %v", c.code, d.Stdout, d.Code, err)
		}
		if err != nil && !strings.HasSuffix(err.Error(), "exit status "+c.code+"\nwhy") {
			t.Errorf("exit %s: error %v does not say why", c.code, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Run(ctx, nil, "-c", "exit 0"); err == nil {
		t.Error("ran after the end")
	}
}

func TestAskReadsTheDocument(t *testing.T) {
	h := shell(t)
	var d struct{ ID string }
	if done, err := h.Ask(t.Context(), &d, []int{Undecided}, "-c", `echo '{"id":"run"}'; echo undecided >&2; exit 8`); err != nil || d.ID != "run" || done.Code != Undecided {
		t.Errorf("%+v, %d, %v", d, done.Code, err)
	}
	if _, err := h.Ask(t.Context(), &d, nil, "-c", "echo nonsense"); err == nil {
		t.Error("read nonsense")
	}
	h.Dir = "nowhere"
	if _, err := h.Ask(t.Context(), &d, nil, "-c", "echo {}"); err == nil {
		t.Error("ran in a directory that is not there")
	}
	if _, err := Find("testdata/no-hone"); err == nil || !strings.Contains(err.Error(), "go build") {
		t.Errorf("found what is not there: %v", err)
	}
}
