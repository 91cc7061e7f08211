package actions

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// job is a job on a runner: a workspace, an event, and what steps leave for those after them.
type job struct {
	t         *testing.T
	workspace string
	temp      string
	path      string            // PATH, which steps add to
	env       map[string]string // besides what the runner sets
	// uploads are the artefacts by name, with their files by path.
	uploads map[string]map[string][]byte
}

// result is what an action left behind.
type result struct {
	code    int // of the step that failed, or 0
	failed  string
	outputs map[string]string
	log     string
	summary string
}

// newJob is a job on an event. The programs that the scripts need have to be there.
func newJob(t *testing.T, workspace, eventName string, event any) *job {
	t.Helper()
	for _, program := range []string{"bash", "git", "jq", "curl", "tar", "unzip", "iconv"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed, and the scripts of the actions need it", program)
		}
	}
	j := &job{
		t: t, workspace: workspace, temp: t.TempDir(), path: os.Getenv("PATH"), env: map[string]string{},
		uploads: map[string]map[string][]byte{},
	}
	text, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	j.env["GITHUB_EVENT_NAME"] = eventName
	j.env["GITHUB_EVENT_PATH"] = j.write("event.json", string(text))
	j.env["RUNNER_OS"] = map[string]string{"linux": "Linux", "darwin": "macOS", "windows": "Windows"}[runtime.GOOS]
	j.env["RUNNER_ARCH"] = map[string]string{"amd64": "X64", "arm64": "ARM64"}[runtime.GOARCH]
	j.env["GITHUB_REPOSITORY"] = "acme/shop"
	j.env["GITHUB_SERVER_URL"] = "https://github.example"
	j.env["GITHUB_RUN_ID"] = "77"
	return j
}

// write writes a file of the job.
func (j *job) write(name, text string) string {
	j.t.Helper()
	path := filepath.Join(j.temp, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		j.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		j.t.Fatal(err)
	}
	return path
}

// install puts a program on the job's PATH.
func (j *job) install(name, script string) {
	j.t.Helper()
	j.path = filepath.Dir(j.write("programs/"+name, script)) + string(os.PathListSeparator) + j.path
}

// uses executes an action as a step of a workflow does.
func (j *job) uses(name string, with map[string]string) result {
	j.t.Helper()
	a := readAction(j.t, name)
	values := scope{"github.token": "the-token", "github.repository": "acme/shop", "github.ref_name": "main"}
	for input, about := range a.Inputs {
		values["inputs."+input] = values.expand(j.t, about.Default)
	}
	for input, value := range with {
		if _, ok := a.Inputs[input]; !ok {
			j.t.Fatalf("%s has no input %s", name, input)
		}
		values["inputs."+input] = value
	}
	r := result{outputs: map[string]string{}}
	for _, s := range a.Runs.Steps {
		if s.If != "" {
			condition, found := strings.CutPrefix(s.If, "${{")
			yes, err := values.evaluate(strings.TrimSuffix(condition, "}}"))
			if err != nil || !found {
				j.t.Fatalf("%s: if %s: %v", s.Name, s.If, err)
			}
			if yes != true {
				continue
			}
		}
		if s.Uses != "" {
			j.upload(s, values)
			continue
		}
		code := j.execute(name, s, values, &r)
		if code != 0 { // no step has always() or the like
			r.code, r.failed = code, s.Name
			break
		}
	}
	for output, about := range a.Outputs {
		r.outputs[output] = values.expand(j.t, about.Value)
	}
	return r
}

// execute runs one shell step with the command line that GitHub documents for shell: bash.
func (j *job) execute(name string, s step, values scope, r *result) int {
	j.t.Helper()
	if s.Shell != "bash" || strings.Contains(s.Run, "${{") {
		j.t.Fatalf("%s: shell %q, script %s", s.Name, s.Shell, s.Run)
	}
	actionPath, err := filepath.Abs(filepath.Join(repository, "actions", name))
	if err != nil {
		j.t.Fatal(err)
	}
	env := map[string]string{
		"GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_ACTION_PATH": actionPath, "GITHUB_WORKSPACE": j.workspace,
		"RUNNER_TEMP": j.temp,
		"HOME":        j.temp, "PATH": j.path, "GIT_CONFIG_NOSYSTEM": "1",
		"GITHUB_OUTPUT": j.write("output", ""), "GITHUB_STEP_SUMMARY": j.write("summary", ""),
		"GITHUB_ENV": j.write("env", ""), "GITHUB_PATH": j.write("path", ""), "GITHUB_STATE": j.write("state", ""),
	}
	for key, value := range j.env {
		env[key] = value
	}
	for key, value := range s.Env {
		env[key] = values.expand(j.t, value)
	}
	cmd := exec.CommandContext(j.t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail",
		j.write("step.sh", s.Run))
	cmd.Dir = j.workspace
	for key, value := range env {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	err = cmd.Run()
	r.log += log.String()
	if cmd.ProcessState == nil {
		j.t.Fatal(err)
	}
	for line := range strings.Lines(j.read("output")) {
		key, value, found := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !found {
			j.t.Errorf("%s: the output %q is no NAME=VALUE", s.Name, line)
		}
		values["steps."+s.ID+".outputs."+key] = value
	}
	for line := range strings.Lines(j.read("path")) {
		j.path = strings.TrimSuffix(line, "\n") + string(os.PathListSeparator) + j.path
	}
	if text := j.read("env"); text != "" {
		j.t.Errorf("%s: wrote to GITHUB_ENV: %s", s.Name, text)
	}
	r.summary += j.read("summary")
	return cmd.ProcessState.ExitCode()
}

func (j *job) read(name string) string {
	j.t.Helper()
	text, err := os.ReadFile(filepath.Join(j.temp, name))
	if err != nil {
		j.t.Fatal(err)
	}
	return string(text)
}

// upload keeps what actions/upload-artifact would: the files below a directory, or one file. Of all actions
// that are not hone's this is the only one with an effect here.
func (j *job) upload(s step, values scope) {
	j.t.Helper()
	if !strings.HasPrefix(s.Uses, "actions/upload-artifact@") {
		j.t.Fatalf("the test does not know %s", s.Uses)
	}
	root, files := values.expand(j.t, s.With["path"]), map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if name == "." {
			name = filepath.Base(path)
		}
		files[name], err = os.ReadFile(path)
		return err
	})
	if err != nil || len(files) == 0 {
		j.t.Fatalf("%s: %d files, %v", s.Name, len(files), err)
	}
	j.uploads[values.expand(j.t, s.With["name"])] = files
}
