package main

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/view/model/loadtest"
	"github.com/gohone/hone/internal/view/stored"
)

// walkPrinted walks the ledgers that a story leaves behind, and holds every command that hone prints of their runs
// against the program's own flags: it is accepted, no secret stands in it as a literal, and what it measures is what
// the run was asked for.
func walkPrinted(t *testing.T, dir string) (walked int) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "records" {
			return nil // a story may leave anything
		}
		l, err := ledger.OpenReader(filepath.Dir(path))
		if err != nil {
			return nil // damaged on purpose
		}
		defer l.Close()
		runs, err := l.Runs(ledger.RunFilter{})
		for _, row := range runs {
			if err == nil {
				walked += printedOf(t, row)
			}
		}
		return nil
	})
	return walked
}

// printedOf walks the commands of one run.
func printedOf(t *testing.T, row ledger.Run) int {
	t.Helper()
	whole, err := stored.RunOf(row)
	if err != nil {
		return 0
	}
	if d := whole.Load; d != nil {
		if d.Command == nil {
			return 0
		}
		sameAgain(t, d.Command.Again())
		if d.Summary != nil {
			printed(t, loadtest.LoadTestOf(d).Next.Line)
		}
		return 1
	}
	r := whole.Record
	if r.Command == nil {
		return 0
	}
	sameAgain(t, r.Command.Again())
	if line := record.CompareAgain(r); line != "" {
		got := printed(t, line)
		for _, name := range []string{"target", "path", "header", "body", "sequence", "env", "connections", "depth",
			"rate", "load-cmd", "method"} {
			if of(got, name) != of(r.Command, name) && r.Command.Verb() == "run" {
				t.Errorf("%s\nsays --%s %q, the run %q", line, name, of(got, name), of(r.Command, name))
			}
		}
	}
	if flags, ok := lab.Completing(r); ok {
		printed(t, strings.TrimSpace("hone advise --verify "+r.ID+" "+flags))
		printed(t, strings.TrimSpace("hone tune gc "+r.ID+" "+flags))
	}
	return 1
}

func of(l spec.Line, name string) (value string) {
	value, _ = l.Flag(name)
	return value
}

// sameAgain wants the command that is printed of a line to be read as that line.
func sameAgain(t *testing.T, line spec.Line) {
	t.Helper()
	if text := line.String(); text != "" {
		if got := printed(t, text); !slices.Equal(got, line) {
			t.Errorf("%s\nis read as %q\nwant       %q", text, got, line)
		}
	}
}

var filledIn = regexp.MustCompile(`\$\{[A-Z0-9_]+:\?\}`)

// printed reads a printed command as the program does, its variables as what they stand for.
func printed(t *testing.T, text string) spec.Line {
	t.Helper()
	if strings.Contains(text, "***") || strings.Contains(text, "hmac:") {
		t.Errorf("a literal stands for a secret: %s", text)
	}
	words, err := shellwords.Split(filledIn.ReplaceAllString(text, "***"))
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return nil
	}
	cmd, err := parsed(words)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return nil
	}
	return app.CommandLine(cmd, words[1:])
}
