package workflows

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/text/fail"
)

var update = flag.Bool("update", false, "write the golden files again")

const (
	module    = "module example.com/shop\n\ngo 1.26\n"
	old       = "module example.com/shop/old\n\ngo 1.21\n"
	benchmark = "package x\n\nimport \"testing\"\n\nfunc BenchmarkX(b *testing.B) {}\n"
	server    = "package main\n\nimport (\"flag\"; \"net/http\")\n\nvar addr = flag.String(\"addr\", \":80\", \"\")\n\n" +
		"func main() { http.ListenAndServe(*addr, nil) }\n"
	described = "version: 1\nsubject: {package: ./cmd/server}\n" +
		"variants:\n  main: {package: \"main:./cmd/server\"}\nbaseline: main\n"
)

// shapes are repositories, by the name of their golden files.
var shapes = map[string]map[string]string{
	"library":    {"go.mod": module, "x.go": "package x\n", "x_test.go": benchmark, "parse/x_test.go": benchmark},
	"server":     {"go.mod": old, "cmd/server/main.go": server, "cmd/client/main.go": "package main\nfunc main() {}\n"},
	"configured": {"go.mod": module, "cmd/server/main.go": server, "hone.yaml": described},
	"below":      {"go/go.mod": module, "go/x_test.go": benchmark},
	"workspace": {"go.work": "go 1.27.1\n\nuse (\n\t./api // the API\n\t\"./store\"\n\t.\n)\n", "go.mod": module,
		"x_test.go": benchmark, "api/go.mod": module, "api/x_test.go": benchmark, "store/go.mod": module,
		"store/x_test.go": benchmark, "tools/go.mod": module, "tools/x_test.go": benchmark},
	"modules": {"go.mod": module, "x_test.go": benchmark, "api/v2/go.mod": module, "api/v2/x_test.go": benchmark,
		"api/v2/more/y_test.go": benchmark, "docs/go.mod": module, "a b/go.mod": module, "a b/x_test.go": benchmark},
}

// layOut makes a repository of files.
func layOut(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	head := filepath.Join(dir, ".git", "refs", "heads", "main")
	if err := os.MkdirAll(filepath.Dir(head), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(head, []byte(strings.Repeat("a", 40)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func pipelineOf(t *testing.T, dir string) *Pipeline {
	t.Helper()
	l, err := config.Survey(dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Of(l, DefaultPercent)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The workflows of each shape of repository are those of testdata, where bench/actions lints and executes them.
func TestWorkflows(t *testing.T) {
	for shape, files := range shapes {
		t.Run(shape, func(t *testing.T) {
			p := pipelineOf(t, layOut(t, files))
			said := fmt.Sprintf("proof: %s\nleft: %q\n", p.Proof(), p.Left)
			compareGolden(t, filepath.Join("testdata", shape, "said.txt"), []byte(said))
			for _, draft := range []func() ([]Workflow, error){p.GitHub, p.Nightly, p.GitLab} {
				all, err := draft()
				if err != nil {
					t.Fatal(err)
				}
				for _, w := range all {
					compareGolden(t, filepath.Join("testdata", shape, filepath.Base(w.Path)), w.Text)
				}
			}
		})
	}
}

func compareGolden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != string(got) {
		t.Errorf("%s: %v\n%s\nwant\n%s\n(go test -update writes it)", path, err, got, want)
	}
}

// A gate is read before it is merged: with its comment it has at most 40 lines.
func TestAGateIsShort(t *testing.T) {
	for _, shape := range []string{"library", "server", "workspace"} {
		gate, err := pipelineOf(t, layOut(t, shapes[shape])).GitHub()
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		for _, w := range gate {
			lines += strings.Count(string(w.Text), "\n")
		}
		if lines > 40 {
			t.Errorf("%s: %d lines", shape, lines)
		}
	}
}

// Whatever a directory is called, the workflow means just that, or leaves it out and says so.
func TestNamesOfDirectories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(),
			rapid.StringOf(rapid.RuneFrom([]rune("a1.e: #'\"\\\n{}[],&*!|>%@`-$()"))),
			rapid.SampledFrom([]string{"true", "null", "1.10", "y", "-x", "~", "0x10", "@a", "${{ github.token }}"}),
		).Draw(t, "name")
		if name == "" {
			return
		}
		p, err := Of(&config.Repository{Root: "/r", Dir: ".", Modules: []config.Module{
			{Dir: name, File: name + "/go.mod", Go: "1.26", Benchmarks: 1},
			{Dir: "other", File: "other/go.mod", Go: "1.26", Benchmarks: 1},
		}}, DefaultPercent)
		if err != nil {
			t.Fatal(err)
		}
		gate, err := p.GitHub()
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Left) == 1 && len(p.Jobs) == 1 && !strings.Contains(string(gate[0].Text), "matrix") {
			return
		}
		var read struct {
			Jobs struct {
				Gate struct {
					Strategy struct {
						Matrix struct {
							Include []struct{ Directory string }
						}
					}
				}
			}
		}
		if err := yaml.Unmarshal(gate[0].Text, &read); err != nil {
			t.Fatalf("%v\n%s", err, gate[0].Text)
		}
		found := read.Jobs.Gate.Strategy.Matrix.Include
		if len(found) != 2 || found[0].Directory != name {
			t.Fatalf("%q in %v\n%s", name, found, gate[0].Text)
		}
	})
}

// Many modules are bounded, and two with the same name for GitHub are told apart.
func TestManyModules(t *testing.T) {
	l := &config.Repository{Root: "/r", Dir: "."}
	for i := range 20 {
		l.Modules = append(l.Modules, config.Module{Dir: fmt.Sprint("m", i), Go: "1.26", Benchmarks: i})
	}
	l.Modules = append(l.Modules, config.Module{Dir: "a/b", Go: "1.26", Benchmarks: 50},
		config.Module{Dir: "a-b", Go: "1.26", Benchmarks: 49})
	p, err := Of(l, DefaultPercent)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Jobs) != mostJobs || len(p.Left) != 21-mostJobs || p.Jobs[0].Name != "a-b" || p.Jobs[1].Name != "a-b-2" {
		t.Errorf("%+v, left %q", p.Jobs, p.Left)
	}
}

// What cannot be measured is refused, with the next step.
func TestNothingToMeasure(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"no module":    {"x.go": "package x\n"},
		"a command":    {"go.mod": module, "main.go": "package main\nfunc main() {}\n"},
		"no benchmark": {"go.mod": module, "x_test.go": "package x\n\nimport \"testing\"\n\nfunc TestX(*testing.T) {}\n"},
	} {
		l, err := config.Survey(layOut(t, files))
		if err == nil {
			_, err = Of(l, DefaultPercent)
		}
		if fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := config.Survey(t.TempDir()); fail.ExitCode(err) != int(fail.BadInput) {
		t.Errorf("no repository: %v", err)
	}
}

// The limit is at least twice what shows for nine benchmarks of ten, and one of the usual ones.
func TestTheLimitIsWhatShows(t *testing.T) {
	for _, is := range []struct {
		smallest []float64
		want     float64
		ok       bool
	}{
		{nil, 0, false},
		{[]float64{0.001}, 2, true},
		{[]float64{0.025}, 5, true},
		{[]float64{0.026}, 7, true},
		{[]float64{0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 4}, 2, true},
		{[]float64{0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 4, 4}, 0, false},
		{[]float64{math.Inf(1)}, 0, false},
	} {
		if got, ok := LimitFor(is.smallest); got != is.want || ok != is.ok {
			t.Errorf("%v: %v %v, want %v %v", is.smallest, got, ok, is.want, is.ok)
		}
	}
}

// What is measured beforehand is what the gate measures, in its directory.
func TestTheMeasurement(t *testing.T) {
	for shape, want := range map[string]string{
		"library": ". [bench ./... --vs ./ --all --budget 2m0s --json --no-report]",
		"modules": "api/v2 [bench ./... --vs ./ --all --budget 2m0s --json --no-report]",
		"server": ". [calibrate ./cmd/server --budget 2m0s --json --no-report --target http://127.0.0.1:{port}/ -c 10 " +
			"-- -addr 127.0.0.1:{port}]",
	} {
		root, err := config.Resolve(layOut(t, shapes[shape]))
		if err != nil {
			t.Fatal(err)
		}
		dir, words := pipelineOf(t, root).Measurement(2 * time.Minute)
		below, err := filepath.Rel(root, dir)
		if got := fmt.Sprint(below, " ", words); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", shape, got, err, want)
		}
	}
}
