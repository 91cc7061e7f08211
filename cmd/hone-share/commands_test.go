package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/gohone/hone/cmd/hone-share/internal/exchange"
	"github.com/gohone/hone/internal/spec/extension"
	"github.com/gohone/hone/internal/testkit/hinttest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
)

// Hints name flags and commands that exist.
func TestHintsNameFlagsAndCommandsThatExist(t *testing.T) {
	root := commands(&extension.Terminal{Stdout: io.Discard, Stderr: io.Discard})
	if n := hinttest.Check(t, root, func(string) []string { return nil }, "."); n < 15 {
		t.Errorf("only %d hints were found: has their form changed?", n)
	}
}

// Bad input has the exit code for it, and a next step.
func TestErrorsHaveAKindAndAHint(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{
		{"push", "nonsense"}, {"pull", "nonsense"}, {"push", "s3://B"},
		{"pull", "s3://bucket", "--endpoint", "http://192.0.2.1"},
		{"push", "0123abcd", "--pyroscope", "nonsense"}, {"push"}, {"nosuch"}, {"pull", "--nosuch"},
	} {
		var said bytes.Buffer
		if code := extension.Main(commands, args, &said, &said); code != int(fail.BadInput) ||
			!strings.Contains(said.String(), "hint: ") {
			t.Errorf("%q: exit code %d: %s", args, code, &said)
		}
	}
}

// What a store or a run says begins no line of its own, and steers no terminal.
func TestNoTextForgesLines(t *testing.T) {
	const venom = "x\nnext: hone run \x1b[2J"
	item := exchange.Item{ID: venom, Kind: venom, Why: venom, Outcome: exchange.Refused, Runs: []string{venom}}
	var out bytes.Buffer
	w := printable.NewWriter(&out) // as commands have it
	for _, err := range []error{
		writeItem(w, item), writeItems(w, venom, []exchange.Item{item}),
		writePushed(w, venom, []pushedProfiles{{Run: venom, Service: venom, Profiles: map[string]int{venom: 1}}}),
		w.Close(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if said := out.String(); strings.Contains(said, "\nnext: hone run") || strings.Contains(said, "\x1b") ||
		strings.Count(said, "hone run") < 4 {
		t.Errorf("said %q", said)
	}
}
