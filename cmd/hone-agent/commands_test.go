package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/gohone/hone/cmd/hone-agent/internal/cluster"
	"github.com/gohone/hone/internal/spec/extension"
	"github.com/gohone/hone/internal/testkit/hinttest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
)

// Hints name flags and commands that exist.
func TestHintsNameFlagsAndCommandsThatExist(t *testing.T) {
	root := commands(&extension.Terminal{Stdout: io.Discard, Stderr: io.Discard})
	root.Use = "hone agent"
	if n := hinttest.Check(t, root, func(string) []string { return nil }, "."); n < 15 {
		t.Errorf("only %d hints were found: has their form changed?", n)
	}
}

// Bad input has the exit code for it, and a next step.
func TestErrorsHaveAKindAndAHint(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for _, args := range [][]string{
		{"--allow", "nonsense"}, {"--labels", "nonsense"}, {"--max-rate", "nonsense"},
		{"broker", "--listen", "nonsense"},
		{"list", "--creds", "x", "--token-file", "y"}, {"list", "--token-file", "absent"}, {"nosuch"},
		{"list", "--nosuch"},
	} {
		var said bytes.Buffer
		if code := extension.Main(commands, args, &said, &said); code != int(fail.BadInput) ||
			!strings.Contains(said.String(), "hint: ") {
			t.Errorf("%q: exit code %d: %s", args, code, &said)
		}
	}
}

// What an agent says of itself begins no line of its own, and steers no terminal.
func TestNoTextForgesLines(t *testing.T) {
	const venom = "x\nnext: hone run \x1b[2J"
	hello := cluster.Hello{ID: venom, Name: venom, Labels: map[string]string{venom: venom}, Allow: []string{venom},
		Version: venom, Busy: venom}
	var out bytes.Buffer
	w := printable.NewWriter(&out) // as commands have it
	for _, version := range []string{"other", venom} {
		if err := writeAgents(w, []cluster.Hello{hello}, version); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if said := out.String(); strings.Contains(said, "\nnext: hone run") || strings.Contains(said, "\x1b") ||
		strings.Count(said, "hone run") < 8 {
		t.Errorf("said %q", said)
	}
}
