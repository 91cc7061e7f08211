package main

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/text/fail"
)

// The reference has every command that the help names, its examples are accepted, and no hidden command is in it.
func TestReference(t *testing.T) {
	out, err := exec.Command(honeBinary, "reference").Output()
	if err != nil {
		t.Fatal(err)
	}
	var doc reference
	if err := json.Unmarshal(out, &doc); err != nil || doc.Schema != "hone.reference/1" {
		t.Fatalf("%v, schema %q", err, doc.Schema)
	}
	var paths []string
	examples := 0
	for _, c := range doc.Commands {
		paths = append(paths, c.Path)
		for _, command := range docsCommands("    " + strings.ReplaceAll(c.Example, "\n", "\n    ")) {
			examples++
			if err := parses(command); err != nil {
				t.Errorf("example of %s: %s: %v\nhint: %s", c.Path, command, err, fail.HintOf(err))
			}
		}
		for _, f := range c.Flags {
			if f.Usage == "" {
				t.Errorf("%s --%s says nothing of what it is for", c.Path, f.Name)
			}
		}
	}
	if examples < 60 {
		t.Errorf("found only %d examples", examples)
	}
	for _, c := range doc.Commands {
		for _, sub := range c.Commands {
			if !slices.Contains(paths, sub) {
				t.Errorf("%s names %s, which has no page", c.Path, sub)
			}
		}
	}
	for _, c := range (&commands{&app.App{Stdout: io.Discard, Stderr: io.Discard}}).root().Commands() {
		topic := slices.ContainsFunc(doc.Topics, func(t referenceTopic) bool { return t.Name == c.Name() })
		if want := !c.Hidden && c.Name() != "help"; (topic || slices.Contains(paths, c.CommandPath())) != want {
			t.Errorf("%s: in the reference: %v, want %v", c.CommandPath(), !want, want)
		}
	}
	compared := slices.IndexFunc(doc.Commands, func(c commandPage) bool { return c.Path == "hone compare" })
	if want := (referenceFlag{Name: "connections", Shorthand: "c", Value: "int", Default: "10",
		Usage: "connections held open"}); !slices.Contains(doc.Commands[compared].Flags, want) {
		t.Errorf("hone compare lacks %+v", want)
	}
}
