package actions

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/gohone/hone/bench/proc"
)

// workflow is what the tests need of a workflow.
type workflow struct {
	Permissions map[string]string      `yaml:"permissions"`
	Jobs        map[string]workflowJob `yaml:"jobs"`
}

type workflowJob struct {
	If          string            `yaml:"if"`
	Permissions map[string]string `yaml:"permissions"`
	Strategy    struct {
		Matrix struct {
			Include []map[string]string `yaml:"include"`
			Module  []string            `yaml:"module"`
		} `yaml:"matrix"`
	} `yaml:"strategy"`
	Steps []step `yaml:"steps"`
}

// drafts is where the workflows of hone init are kept, by the shape of the repository.
const drafts = "../../internal/spec/workflows/testdata"

// local names the actions of hone as those of this repository.
func local(text string) string {
	return regexp.MustCompile(`gohone/hone/(actions/[a-z]+)@v1`).ReplaceAllString(text, "./$1")
}

// The workflows that hone init --github writes are such that GitHub takes, for each shape of repository. The gate needs
// no token that may write, and the job that tracks has one for contents alone, and not in a fork.
func TestWorkflowsOfInit(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(drafts, "*", "performance*.yml"))
	if err != nil || len(files) < 12 {
		t.Fatalf("%d workflows, %v", len(files), err)
	}
	for _, file := range files {
		text := local(readFile(t, file))
		lint(t, file, []byte(text))
		if filepath.Base(file) != "performance-series.yml" {
			soundWorkflow(t, file, []byte(text))
			continue
		}
		w := readWorkflow(t, text)
		track := w.Jobs["track"]
		if len(w.Permissions) != 1 || w.Permissions["contents"] != "read" ||
			track.If != "github.event.repository.fork == false" ||
			len(track.Permissions) != 1 || track.Permissions["contents"] != "write" ||
			w.Jobs["pages"].Permissions["contents"] != "read" {
			t.Errorf("%s: permissions, or the refusal of forks:\n%s", file, text)
		}
		for name, j := range w.Jobs {
			for _, s := range j.Steps {
				if strings.Contains(s.Run, "${{") {
					t.Errorf("%s: an expression in a script of %s: %s", file, name, s.Run)
				}
			}
		}
	}
}

func readWorkflow(t *testing.T, text string) (w workflow) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), &w); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return w
}

// matrix are the values of the jobs that a job stands for.
func (j workflowJob) matrix() (all []scope) {
	for _, values := range j.Strategy.Matrix.Include {
		s := scope{}
		for key, value := range values {
			s["matrix."+key] = value
		}
		all = append(all, s)
	}
	for _, module := range j.Strategy.Matrix.Module {
		all = append(all, scope{"matrix.module": module})
	}
	if all == nil {
		all = []scope{{}}
	}
	return all
}

const sumCode = `package sum

func Sum(n int) (s int) {
	for i := range n {
		s += i * i % 7
	}
	return s
}
`

const sumTest = `package sum

import "testing"

var sink int

func BenchmarkSum(b *testing.B) {
	for range b.N {
		sink += Sum(1000)
	}
}
`

// slowSum is many times slower, so that few rounds show it on a busy machine.
var slowSum = strings.Replace(sumCode, "range n {", "range 30 * n {", 1)

// twoModules are a repository with two modules.
var twoModules = map[string]string{
	"api/go.mod": "module example.com/api\n\ngo 1.26\n", "api/sum.go": sumCode, "api/sum_test.go": sumTest,
	"store/go.mod": "module example.com/store\n\ngo 1.26\n", "store/sum.go": sumCode, "store/sum_test.go": sumTest,
}

// with adds files to others.
func with(files map[string]string, more map[string]string) map[string]string {
	all := maps.Clone(files)
	maps.Copy(all, more)
	return all
}

// initiated are repositories that hone init sets up, with changes that make nothing slower, and something much slower.
var initiated = map[string]struct {
	base, noop, slow map[string]string
}{
	"library": {
		base: map[string]string{"go.mod": "module example.com/sum\n\ngo 1.26\n", "sum.go": sumCode,
			"sum_test.go": sumTest},
		noop: map[string]string{"sum.go": "// Package sum adds.\n" + sumCode},
		slow: map[string]string{"sum.go": slowSum},
	},
	"server": {
		base: map[string]string{"go.mod": "module example.com/shop\n\ngo 1.26\n", "cmd/server/main.go": serverCode},
		noop: map[string]string{"README.md": "a shop\n"},
		slow: map[string]string{"cmd/server/main.go": strings.Replace(serverCode, "range 1000", "range 1_000_000", 1)},
	},
	"modules": {
		base: twoModules,
		noop: map[string]string{"README.md": "sums\n"},
		slow: map[string]string{"store/sum.go": slowSum},
	},
	"workspace": {
		base: with(twoModules, map[string]string{"go.work": "go 1.26\n\nuse (\n\t./api\n\t./store\n)\n"}),
		noop: map[string]string{"README.md": "sums\n"},
		slow: map[string]string{"store/sum.go": slowSum},
	},
}

// initialised is a repository with what hone init writes in it.
func initialised(t *testing.T, hone string, files map[string]string, flags ...string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		all[name] = text
	}
	git(t, dir, "init", "-q", "-b", "main")
	cmd := exec.CommandContext(t.Context(), hone, append([]string{"init"}, flags...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range strings.Fields(git(t, dir, "ls-files", "--others", "--", ".git*")) {
		all[name] = readFile(t, filepath.Join(dir, name))
	}
	return all
}

// builtHone is hone as its users run it.
func builtHone(t *testing.T) string {
	t.Helper()
	hone, err := proc.Hone(t.Context(), repository)
	if err != nil {
		t.Fatal(err)
	}
	return hone
}

// The gate that hone init writes is executed to its end for each shape of repository: it is green where nothing
// changed, and red on a change that makes it slower. The second workflow makes a comment of what the first one left.
func TestTheGateOfInit(t *testing.T) {
	hone := builtHone(t)
	for shape, is := range initiated {
		base := initialised(t, hone, is.base, "--github")
		for name, head := range map[string]map[string]string{"green": is.noop, "red": is.slow} {
			if shape == "workspace" && name == "red" {
				continue // the steps are those of a library
			}
			t.Run(shape+"/"+name, func(t *testing.T) {
				c := newCheckout(t, base, head)
				results := gateOf(t, hone, c)
				failed := 0
				for _, r := range results {
					switch r.outputs["outcome"] {
					case "invalid", "undecided":
						t.Skipf("this machine is too busy to measure: %s", r.summary)
					case "regression":
						failed++
					case "passed":
					default:
						t.Errorf("outcome %v\n%s", r.outputs, r.log)
					}
				}
				if name == "green" && failed != 0 || name == "red" && failed != 1 {
					t.Errorf("%d of %d jobs failed\n%s", failed, len(results), results[0].log)
				}
			})
		}
	}
}

// gateOf executes both workflows of a checkout, and returns what the jobs of the first one did.
func gateOf(t *testing.T, hone string, c checkout) (results []result) {
	t.Helper()
	w := readWorkflow(t, local(readFile(t, filepath.Join(c.dir, ".github/workflows/performance.yml"))))
	g := forked(t)
	for _, values := range w.Jobs["gate"].matrix() {
		j := newJob(t, c.dir, "pull_request", c.pullRequest())
		j.install("x", "")
		if err := os.Symlink(hone, filepath.Join(j.temp, "programs/hone")); err != nil {
			t.Fatal(err)
		}
		j.goCaches()
		for _, s := range w.Jobs["gate"].Steps {
			with := map[string]string{}
			for key, value := range s.With {
				with[key] = values.expand(t, value)
			}
			switch s.Uses {
			case "actions/checkout@v4", "./actions/setup": // the test has done both
			case "actions/setup-go@v5":
				if file := with["go-version-file"]; !strings.Contains(readFile(t, filepath.Join(c.dir, file)), "go 1.26") {
					t.Errorf("no version of Go in %s", file)
				}
			case "./actions/compare":
				for _, budget := range []string{"budget", "bench-budget"} { // minutes of a runner: the slow-downs here are large
					if with[budget] != "" {
						with[budget] = "15s"
					}
				}
				results = append(results, j.uses("compare", with))
				for name, files := range j.uploads {
					if strings.HasSuffix(name, "-comment") {
						g.artifacts[name] = zipOf(t, "comment.md", string(files["comment.md"]))
					}
				}
			default:
				t.Errorf("unknown step %v", s)
			}
		}
	}
	w = readWorkflow(t, local(readFile(t, filepath.Join(c.dir, ".github/workflows/performance-comment.yml"))))
	for _, values := range w.Jobs["comment"].matrix() {
		with := map[string]string{}
		for key, value := range w.Jobs["comment"].Steps[0].With {
			with[key] = values.expand(t, value)
		}
		one := forked(t) // what stands for GitHub has one artefact at a time
		name := with["artifact"]
		if name == "" {
			name = "hone-comment"
		}
		one.artifacts[name] = g.artifacts[name]
		if r := commentJob(t, one, ranFor("fork", 42)).uses("comment", with); r.code != 0 || len(one.comments) != 1 {
			t.Errorf("exit code %d, %d comments\n%s", r.code, len(one.comments), r.log)
		}
	}
	return results
}

// The job of GitLab is executed as its runner does it: all lines in one shell that ends with the first error. Its exit
// code is that of hone, and the base is what the merge request goes into.
func TestTheJobOfGitLab(t *testing.T) {
	hone := builtHone(t)
	is := initiated["library"]
	c := newCheckout(t, initialised(t, hone, is.base, "--gitlab"), is.noop)
	var file map[string]struct {
		Before []string `yaml:"before_script"`
		Script []string `yaml:"script"`
		Allow  struct {
			Codes int `yaml:"exit_codes"`
		} `yaml:"allow_failure"`
	}
	if err := yaml.Unmarshal([]byte(readFile(t, filepath.Join(c.dir, ".gitlab/hone.yml"))), &file); err != nil {
		t.Fatal(err)
	}
	included := readFile(t, filepath.Join(c.dir, ".gitlab-ci.yml"))
	if !strings.Contains(included, "local: .gitlab/hone.yml") {
		t.Errorf(".gitlab-ci.yml: %s", included)
	}
	job := file["performance"]
	if job.Allow.Codes != 8 {
		t.Errorf("the exit code %d is a warning", job.Allow.Codes)
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("go is not installed")
	}
	for _, code := range []string{"0", "1", "8", "hone itself"} {
		j := newJob(t, c.dir, "", map[string]any{})
		if code != "hone itself" {
			j.standIn(code)
		} else if err := os.Symlink(hone, filepath.Join(filepath.Dir(j.write("programs/x", "")), "hone")); err != nil {
			t.Fatal(err)
		}
		// What go install would fetch is here.
		j.install("go", "#!/usr/bin/env bash\n"+
			"[ \"$1\" != install ] || { echo \"$2\" >\"$INSTALLED\"; exit; }\nexec "+goTool+" \"$@\"\n")
		j.goCaches()
		cmd := exec.CommandContext(t.Context(), "bash", "-eo", "pipefail", "-c",
			strings.Join(slices.Concat(job.Before, job.Script), "\n"))
		cmd.Dir = c.dir
		cmd.Env = []string{"HOME=" + j.temp, "PATH=" + j.path, "INSTALLED=" + filepath.Join(j.temp, "installed"),
			"CI_PROJECT_DIR=" + c.dir, "CI_MERGE_REQUEST_DIFF_BASE_SHA=" + c.base}
		for key, value := range j.env {
			cmd.Env = append(cmd.Env, key+"="+value)
		}
		out, _ := cmd.CombinedOutput() // its code counts
		if got := fmt.Sprint(cmd.ProcessState.ExitCode()); got != code && (code != "hone itself" || got != "0") {
			t.Errorf("%s: exit code %s\n%s", code, got, out)
		}
		if installed := strings.TrimSpace(j.read("installed")); installed != "github.com/gohone/hone/cmd/hone@latest" {
			t.Errorf("%s: installed %q", code, installed)
		}
		if code == "hone itself" {
			if text := readFile(t, filepath.Join(c.dir, "hone.md")); !strings.Contains(text, "time&#60;+5%") {
				t.Errorf("the comment has no gate:\n%s", text)
			}
			continue
		}
		want := "bench|./...|--gate|time<+5%|--vs|" + c.base + "|--budget|5m|--markdown|"
		if calls := j.calls(); len(calls) != 1 || calls[0] != want {
			t.Errorf("%s: calls %q, want %q", code, calls, want)
		}
	}
}

// The scripts of the nightly workflow call hone track once for each module, and hone history for the pages.
func TestTheSeriesOfInit(t *testing.T) {
	for shape, want := range map[string]string{
		"library": ".: track|./...|--store|branch:hone-series|\n" +
			".: history|--new|--once|--store|branch:hone-series|\n.: history|--store|branch:hone-series|--html|site|\n",
		"server": ".: track|./cmd/server|--store|branch:hone-series|--target|http://127.0.0.1:{port}/|-c|10|--|-addr|127.0.0.1:{port}|\n" +
			".: history|--new|--once|--store|branch:hone-series|\n.: history|--store|branch:hone-series|--html|site|\n",
		"configured": ".: trust|\n.: track|--store|branch:hone-series|\n" +
			".: history|--new|--once|--store|branch:hone-series|\n.: history|--store|branch:hone-series|--html|site|\n",
		"modules": "api/v2: track|./...|--store|branch:hone-series-api-v2|\n" +
			"api/v2: history|--new|--once|--store|branch:hone-series-api-v2|\n" +
			".: track|./...|--store|branch:hone-series-root|\n.: history|--new|--once|--store|branch:hone-series-root|\n" +
			".: history|--store|branch:hone-series-api-v2|--html|site/api-v2|\n" +
			".: history|--store|branch:hone-series-root|--html|site/root|\n",
	} {
		t.Run(shape, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.MkdirAll(filepath.Join(dir, "api/v2"), 0o755); err != nil {
				t.Fatal(err)
			}
			j := newJob(t, dir, "schedule", map[string]any{})
			j.install("hone", "#!/usr/bin/env bash\n{ realpath --relative-to=\"$GITHUB_WORKSPACE\" . | tr '\\n' ':'\n"+
				"printf ' '; printf '%s|' \"$@\"; echo; } >>\"$CALLS\"\n")
			j.env["CALLS"] = filepath.Join(j.temp, "calls")
			w := readWorkflow(t, local(readFile(t, filepath.Join(drafts, shape, "performance-series.yml"))))
			for _, name := range []string{"track", "pages"} {
				for _, values := range w.Jobs[name].matrix() {
					for _, s := range w.Jobs[name].Steps {
						if s.Run == "" {
							continue
						}
						s.Shell = "bash"
						j.workspace = filepath.Join(dir, values.expand(t, s.Dir))
						j.env["GITHUB_WORKSPACE"] = dir
						if code := j.execute("setup", s, values, &result{}); code != 0 {
							t.Errorf("%s: exit code %d", s.Run, code)
						}
					}
				}
			}
			if got := j.read("calls"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if shape != "modules" {
				return
			}
			index := readFile(t, filepath.Join(dir, "site/index.html"))
			if !strings.Contains(index, "<a href='root/'>root</a>") {
				t.Errorf("the index of the pages: %s", index)
			}
		})
	}
}
