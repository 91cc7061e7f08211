package main

import (
	"bytes"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"github.com/gohone/hone/cmd/hone/internal/app"
)

// manDir is where the manual pages go: go test ./cmd/hone -run '^TestManPages$' -args -man DIR. A
// test makes them, because a command for it would add 0.25 MB of Markdown to every hone.
var manDir = flag.String("man", "", "write the manual pages to this directory, which must be there")

// Every command and topic of the help has a manual page, and mandoc reads it without an error.
func TestManPages(t *testing.T) {
	dir := *manDir
	if dir == "" {
		dir = t.TempDir()
	}
	root := (&commands{&app.App{Stdout: io.Discard, Stderr: io.Discard}}).root()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd("bash")
	root.DisableAutoGenTag = true // it would name the day of the build
	var pages []string
	for _, cmd := range documented(root) {
		page := filepath.Join(dir, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1")
		if err := writeManPage(cmd, page); err != nil {
			t.Fatal(err)
		}
		pages = append(pages, page)
	}
	if len(pages) < 50 {
		t.Errorf("%d pages: the walk is broken", len(pages))
	}
	codes, err := os.ReadFile(filepath.Join(dir, "hone-exit-codes.1"))
	if want := "\n  0    fine: every gate passed, or there is a verdict: faster, slower, or the same\n  1    regression: a gate failed, or a limit of hone load\n"; err != nil || !bytes.Contains(codes, []byte(want)) {
		t.Errorf("the table of exit codes has lost its lines: %v\n%s", err, codes)
	}
	mandoc, err := exec.LookPath("mandoc")
	if err != nil {
		t.Log("mandoc not found: it does not read the pages")
		return
	}
	if out, err := exec.Command(mandoc, append([]string{"-T", "lint", "-W", "error"},
		pages...)...).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// documented returns a command, and those and the topics below it that hone help lists.
func documented(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			all = append(all, documented(sub)...)
		}
	}
	return all
}

func writeManPage(cmd *cobra.Command, path string) error {
	cmd.Short, cmd.Long = markdown(cmd.Short), markdown(cmd.Long)
	cmd.DisableFlagsInUseLine = !cmd.Runnable()
	cmd.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		_, usage := pflag.UnquoteUsage(f)
		f.Usage = markdown(usage)
	})
	var page bytes.Buffer
	// The date is that of SOURCE_DATE_EPOCH, if there is one.
	if err := doc.GenMan(cmd, &doc.GenManHeader{Section: "1", Source: "hone", Manual: "hone"}, &page); err != nil {
		return err
	}
	return os.WriteFile(path, page.Bytes(), 0o644)
}

var markdownSigns = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", `\<`, ">", `\>`, "[", `\[`,
	"]", `\]`, "#", `\#`)

// markdown writes the text of a command as Markdown that reads the same: indented lines are tables and examples, and
// keep their form; signs mean themselves.
func markdown(text string) string {
	var b strings.Builder
	fenced := false
	fence := func(want bool) {
		if want != fenced {
			b.WriteString("\n```\n")
			fenced = want
		}
	}
	for line := range strings.Lines(text) {
		switch {
		case strings.TrimSpace(line) == "":
			b.WriteString(line)
		case strings.HasPrefix(line, "  "):
			fence(true)
			b.WriteString(line)
		default:
			fence(false)
			b.WriteString(markdownSigns.Replace(line))
		}
	}
	fence(false)
	return b.String()
}
