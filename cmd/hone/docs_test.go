package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/gobench"
	"github.com/gohone/hone/internal/subject"
)

// TestDocsCommandsParse holds every hone command of the documentation against the real
// commands: they exist, take these flags, and their gates are gates.
func TestDocsCommandsParse(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(files) < 3 {
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
	if found["ci.md"] < 5 {
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
	words, err := subject.SplitCommand(line)
	if err != nil {
		return err
	}
	for i, word := range words { // the rest is the shell's
		if slices.Contains([]string{">", ">>", "|", "||", "&&", ";", "#"}, word) {
			words = words[:i]
			break
		}
	}
	root := (&app{stdout: io.Discard, stderr: io.Discard}).root()
	root.InitDefaultCompletionCmd(words...)
	cmd, rest, err := root.Find(words)
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
	known := compare.GateMeasures
	if cmd.Name() == "bench" {
		known = slices.Concat(gobench.Measures, gobench.InstructionMeasures)
	}
	for _, gate := range gates {
		if _, err := compare.ParseGateOf(gate, known); err != nil {
			return err
		}
	}
	return err
}

// workflow is the part of the workflow file that the tests look at.
type workflow struct {
	On   string `yaml:"on"`
	Jobs map[string]struct {
		Steps []struct {
			Name string            `yaml:"name"`
			Run  string            `yaml:"run"`
			Env  map[string]string `yaml:"env"`
		} `yaml:"steps"`
	} `yaml:"jobs"`
}

func readWorkflow(t *testing.T) workflow {
	t.Helper()
	text, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "```yaml\n")
	block, _, closed := strings.Cut(rest, "```\n")
	if !found || !closed {
		t.Fatal("docs/ci.md has no workflow")
	}
	var w workflow
	if err := yaml.Unmarshal([]byte(block), &w); err != nil {
		t.Fatal(err)
	}
	return w
}

// The workflow is YAML, its scripts are scripts, and nothing that a stranger can choose is
// pasted into them: it comes by the environment.
func TestTheWorkflowOfTheDocsIsSound(t *testing.T) {
	w := readWorkflow(t)
	steps := w.Jobs["compare"].Steps
	if w.On != "pull_request" || len(steps) < 6 {
		t.Fatalf("on %q, %d steps", w.On, len(steps))
	}
	for _, step := range steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("step %q pastes an expression into its script", step.Name)
		}
		if out, err := exec.Command("sh", "-c", "sh -n <<'END_OF_STEP'\n"+step.Run+"\nEND_OF_STEP\n").CombinedOutput(); err != nil {
			t.Errorf("step %q: %v\n%s", step.Name, err, out)
		}
	}
}

// The last step passes what passed, warns of what is undecided, and stops at the rest.
func TestTheWorkflowOfTheDocsStopsAtRegressions(t *testing.T) {
	steps := readWorkflow(t).Jobs["compare"].Steps
	script := steps[len(steps)-1].Run
	for codes, want := range map[string]int{"0 0": 0, "8 0": 0, "0 8": 0, "1 0": 1, "0 1": 1, "8 1": 1, "1 8": 1, "4 0": 4, "0 3": 3, "1 ": 1} {
		cmd := exec.Command("sh", "-ec", script)
		cmd.Env = append(os.Environ(), "CODES="+codes)
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("codes %s: exit %d, want %d\n%s", codes, got, want, out)
		}
		if warned := strings.Contains(string(out), "::warning::"); warned != strings.Contains(codes, "8") {
			t.Errorf("codes %s: warned %v", codes, warned)
		}
	}
}
