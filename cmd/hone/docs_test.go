package main

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// TestDocsCommandsParse holds every hone command of the documentation against the real
// commands: they exist, take these flags, and their gates are gates.
func TestDocsCommandsParse(t *testing.T) {
	files := []string{"../../README.md", "../../README.zh-CN.md"}
	err := filepath.WalkDir("../../docs", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) < 25 {
		t.Fatalf("%d documents, %v", len(files), err)
	}
	found := map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range docsCommands(string(text)) {
			found[filepath.Base(file)]++
			if err := parses(command); err != nil {
				t.Errorf("%s: %s: %v\nhint: %s", filepath.Base(file), command, err, fail.HintOf(err))
			}
		}
	}
	if found["ci.md"] < 3 {
		t.Errorf("found only %d commands in ci.md", found["ci.md"])
	}
}

// docsCommands returns the indented or fenced lines that start with "hone ",
// continuations joined, without the program's name.
func docsCommands(text string) []string {
	var commands []string
	joined := regexp.MustCompile(`\\\n\s*`).ReplaceAllString(text, " ")
	fenced := false
	for line := range strings.Lines(joined) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") {
			fenced = !fenced
		}
		if command, ok := strings.CutPrefix(trimmed, "hone "); ok && (fenced || strings.HasPrefix(line, "    ")) {
			command, _, _ = strings.Cut(command, " #") // a comment
			commands = append(commands, strings.TrimSpace(command))
		}
	}
	return commands
}

// parses hands a command line to the real commands, up to the point where they would run.
func parses(line string) error {
	words, err := shellwords.Split(line)
	if err != nil {
		return err
	}
	for i, word := range words { // the rest is the shell's
		if slices.Contains([]string{">", ">>", "|", "||", "&&", ";", "#"}, word) {
			words = words[:i]
			break
		}
	}
	root := (&commands{&app.App{Stdout: io.Discard, Stderr: io.Discard}}).root()
	root.InitDefaultCompletionCmd(words...)
	cmd, rest, err := root.Find(endFlagsAtArgs(words))
	if err != nil {
		return err
	}
	if cmd == root {
		return fail.New(fail.BadInput, "no command in %q", line)
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		return err
	}
	if cmd.Flags().Lookup("gate") == nil {
		return nil
	}
	gates, err := cmd.Flags().GetStringArray("gate")
	known := gate.Measures
	if cmd.Name() == "bench" {
		known = slices.Concat(measure.OfBenchmarks, measure.OfInstructions)
	}
	for _, text := range gates {
		if _, err := gate.ParseOf(text, known); err != nil {
			return err
		}
	}
	return err
}

// The first screen of a help cuts neither an option of the command nor an example.
func TestFirstHelpIsWhole(t *testing.T) {
	for line, whole := range map[string]string{"tune gc": "least CPU time within this limit",
		"ablate": "-- -addr 127.0.0.1:{port}\n"} {
		var out bytes.Buffer
		root := (&commands{&app.App{Stdout: &out, Stderr: &out}}).root()
		root.SetOut(&out)
		root.SetArgs(append(strings.Fields(line), "--help"))
		if err := root.Execute(); err != nil || !strings.Contains(out.String(), whole) {
			t.Errorf("%s --help has not %q: %v\n%s", line, whole, err, out.String())
		}
	}
}

// The help of a command below one with options has its own flags, not those of the other.
func TestHelpIsOfTheCommand(t *testing.T) {
	for line, own := range map[string]string{"load report": "--fail-if", "load merge": "--output",
		"bench compare": "--ignore"} {
		var out bytes.Buffer
		root := (&commands{&app.App{Stdout: &out, Stderr: &out}}).root()
		root.SetOut(&out)
		root.SetArgs(append(strings.Fields(line), "--help"))
		if err := root.Execute(); err != nil {
			t.Errorf("%s --help: %v", line, err)
		}
		if text := out.String(); !strings.Contains(text, own) || strings.Contains(text, "--connections") {
			t.Errorf("%s --help has not %s, or flags of another command:\n%s", line, own, text)
		}
	}
}
