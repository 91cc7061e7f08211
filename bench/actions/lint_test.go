package actions

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rhysd/actionlint"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// lint holds a workflow against what GitHub takes, with the inputs of well-known actions and those of this repository.
func lint(t *testing.T, path string, workflow []byte) {
	t.Helper()
	shellcheck, err := exec.LookPath("shellcheck")
	if err != nil {
		shellcheck = "" // TestScripts says so
	}
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{Shellcheck: shellcheck, WorkingDir: repository})
	if err != nil {
		t.Fatal(err)
	}
	project, err := actionlint.NewProject(repository)
	if err != nil {
		t.Fatal(err)
	}
	faults, err := linter.Lint(path, workflow, project)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Errorf("%s:%d:%d: %s [%s]\n%s", path, fault.Line, fault.Column, fault.Message, fault.Kind, workflow)
	}
}

// The steps of each action are those of a workflow that GitHub would take: actions exist and have these inputs, expressions
// are right, and no script has an expression in it.
func TestStepsOfActions(t *testing.T) {
	for _, name := range names {
		a := readAction(t, name)
		if a.Runs.Using != "composite" || a.Name == "" || a.Description == "" || a.Author == "" || a.Branding == nil {
			t.Errorf("%s: using %q, name %q", name, a.Runs.Using, a.Name)
		}
		inputs := map[string]any{}
		for input, about := range a.Inputs {
			if about.Description == "" {
				t.Errorf("%s: the input %s has no description", name, input)
			}
			inputs[input] = map[string]string{"type": "string", "default": about.Default}
		}
		outputs := map[string]any{}
		for output, about := range a.Outputs {
			if about.Description == "" {
				t.Errorf("%s: the output %s has no description", name, output)
			}
			outputs[output] = about.Value
		}
		// In a workflow a called one has inputs as an action does, and its job has the outputs of steps.
		workflow, err := yaml.Marshal(map[string]any{
			"on": map[string]any{"workflow_call": map[string]any{"inputs": inputs}},
			"jobs": map[string]any{"job": map[string]any{
				"runs-on": "ubuntu-latest", "outputs": outputs, "steps": a.Runs.Steps,
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		lint(t, name+".yml", workflow)
		for _, s := range a.Runs.Steps {
			if strings.Contains(s.Run, "${{") {
				t.Errorf("%s: step %q has an expression in its script", name, s.Name)
			}
		}
	}
}

// The linter sees what it is for.
func TestTheLinterSeesFaults(t *testing.T) {
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"uses: actions/upload-artifact@v4\n        with: {nmae: x}",
		"run: echo ${{ github.event.pull_request.title }}",
		"run: echo\n        if: ${{ steps.none.outputs.x != '' }}",
	} {
		faults, err := linter.Lint("x.yml", []byte("on: pull_request\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n      - "+line+"\n"), nil)
		if err != nil || len(faults) == 0 {
			t.Errorf("%s: %v, %v", line, faults, err)
		}
	}
}

// The workflows of this repository that use the actions.
func TestOurWorkflows(t *testing.T) {
	for _, name := range []string{"performance.yml", "performance-comment.yml"} {
		path := filepath.Join(repository, ".github/workflows", name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lint(t, path, text)
		soundWorkflow(t, name, text)
	}
}

// The workflows of docs/ci.md are right, with the inputs that the actions here have. They can be saved as they are.
func TestWorkflowsOfTheDocs(t *testing.T) {
	text := readFile(t, filepath.Join(repository, "docs/ci.md"))
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```\n").FindAllStringSubmatch(text, -1)
	for i, block := range blocks {
		// What is used from GitHub is here.
		local := regexp.MustCompile(`gohone/hone/(actions/[a-z]+)@v1`).ReplaceAllString(block[1], "./$1")
		if strings.Contains(local, "gohone/hone") {
			t.Errorf("block %d names hone in another way than @v1:\n%s", i+1, block[1])
		}
		lint(t, "ci.md.yml", []byte(local))
		soundWorkflow(t, "docs/ci.md", []byte(local))
	}
	if len(blocks) != 4 {
		t.Errorf("%d workflows in docs/ci.md, want two for forks, one without, and one for PGO", len(blocks))
	}
	// Each input that the document names is one.
	for _, name := range names {
		_, rest, _ := strings.Cut(text, "`actions/"+name+"`")
		rest, _, _ = strings.Cut(rest, "\n\n")
		if rest == "" {
			t.Errorf("docs/ci.md does not describe actions/%s", name)
		}
		for input := range readAction(t, name).Inputs {
			if !strings.Contains(text, "`"+input+"`") && !strings.Contains(text, "`"+input+": ") {
				t.Errorf("docs/ci.md does not describe the input %s of %s", input, name)
			}
		}
	}
}

// soundWorkflow holds a workflow to what keeps measured code away from tokens that may write: a job that measures on a fork, or on a
// schedule, has contents: read alone; one on workflow_run checks out nothing of the pull request and runs no script; and one that
// proposes runs no script.
func soundWorkflow(t *testing.T, name string, text []byte) {
	t.Helper()
	var w struct {
		On          any               `yaml:"on"`
		Permissions map[string]string `yaml:"permissions"`
		Jobs        map[string]struct {
			Permissions map[string]string `yaml:"permissions"`
			Steps       []step            `yaml:"steps"`
		} `yaml:"jobs"`
	}
	if err := yaml.Unmarshal(text, &w); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(w.Permissions) == 0 {
		t.Errorf("%s: a workflow without permissions has those of the repository:\n%s", name, text)
	}
	events, _ := w.On.(map[string]any)
	_, second := events["workflow_run"]
	_, scheduled := events["schedule"]
	if !second && !scheduled && w.On != "pull_request" {
		t.Errorf("%s: on %v", name, w.On)
	}
	for _, j := range w.Jobs {
		var used []string
		mayWrite := len(j.Permissions) > 0
		for _, s := range j.Steps {
			used = append(used, s.Uses)
			if s.Run != "" && (!scheduled || mayWrite) {
				t.Errorf("%s: the step %q has a script", name, s.Name)
			}
			if strings.HasPrefix(s.Uses, "actions/checkout@") && (s.With["persist-credentials"] != "false" && !mayWrite || s.With["ref"] != "" || s.With["repository"] != "") {
				t.Errorf("%s: the checkout leaves a token behind, or takes what it is told: %v", name, s.With)
			}
		}
		checkGates(t, name, j.Steps)
		measures, comments := slices.Contains(used, "./actions/compare"), slices.Contains(used, "./actions/comment")
		switch {
		case second && (measures || !comments):
			t.Errorf("%s: on workflow_run it uses %v", name, used)
		case measures && !comments && (len(w.Permissions) != 1 || w.Permissions["contents"] != "read" || len(j.Permissions) > 0):
			t.Errorf("%s: the job that measures has the permissions %v %v", name, w.Permissions, j.Permissions)
		}
	}
}

// checkGates holds the gates of a workflow against what hone takes.
func checkGates(t *testing.T, name string, steps []step) {
	t.Helper()
	for _, s := range steps {
		for input, known := range map[string][]judge.Measure{"gates": gate.Measures, "bench-gates": measure.OfBenchmarks} {
			for _, text := range strings.Fields(s.With[input]) {
				if _, err := gate.ParseOf(text, known); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

// The scripts are clean of what shellcheck finds, and do with the bash of macOS.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(repository, "actions/*/*.sh"))
	if err != nil || len(files) < 7 {
		t.Fatalf("%v, %v", files, err)
	}
	files = append(files, filepath.Join(repository, "actions/lib.sh"))
	newer := regexp.MustCompile(`\bmapfile\b|\breadarray\b|declare -A|local -n|\$\{[A-Za-z_]+(,,|\^\^)|\|&|&>>`)
	for _, file := range files {
		text := readFile(t, file)
		if strings.HasPrefix(text, "#!") && !strings.Contains(text, "\nset -euo pipefail\n") {
			t.Errorf("%s goes on after errors", file)
		}
		if found := newer.FindString(text); found != "" {
			t.Errorf("%s: bash 3.2 has no %s", file, found)
		}
	}
	shellcheck, err := exec.LookPath("shellcheck")
	if err != nil {
		t.Skip("shellcheck is not installed")
	}
	for i, file := range files {
		files[i], _ = filepath.Rel(repository, file)
	}
	cmd := exec.CommandContext(t.Context(), shellcheck, append([]string{"--external-sources"}, files...)...)
	cmd.Dir = repository
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("shellcheck: %v\n%s", err, bytes.TrimSpace(out))
	}
}
