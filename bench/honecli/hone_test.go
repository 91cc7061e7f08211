package honecli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
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

// script is a hone that is a shell script.
func script(t *testing.T, text string) Hone {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hone")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return Hone{Program: path}
}

func TestAskReadsTheDocument(t *testing.T) {
	var d struct{ ID string }
	h := script(t, `echo '{"id":"'"$*"'"}'; echo undecided >&2; exit 8`)
	if done, err := h.Ask(t.Context(), &d, []int{Undecided}, "profile", "x"); err != nil ||
		d.ID != "profile --json x" || done.Code != Undecided {
		t.Errorf("%+v, %d, %v", d, done.Code, err)
	}
	h.Ledger = "here"
	if _, err := h.Ask(t.Context(), &d, []int{Undecided}, "profile top", "x"); err != nil ||
		d.ID != "profile top --json --ledger here x" {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := script(t, "echo nonsense").Ask(t.Context(), &d, nil, "run"); err == nil {
		t.Error("read nonsense")
	}
	h = script(t, "echo {}")
	h.Dir = "nowhere"
	if _, err := h.Ask(t.Context(), &d, nil, "run"); err == nil {
		t.Error("ran in a directory that is not there")
	}
	if _, err := Find("testdata/no-hone"); err == nil || !strings.Contains(err.Error(), "go build") {
		t.Errorf("found what is not there: %v", err)
	}
}
