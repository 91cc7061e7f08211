package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/spec/trust"
	"github.com/gohone/hone/internal/text/fail"
)

const shopFile = `version: 1
subject:
  package: ./cmd/server
  prepare: touch pwn
  target: http://127.0.0.1:{port}/
plans:
  default: {connections: 100, header: ["A: 1", "B: 2"], budget: 9s, slice: 7ms}
  peak: {rate: 1k}
  wrong: {conections: 5}
  refused: {connections: many}
  twice: {connections: [1, 2]}
  nested: {json: true}
variants:
  raw: {args: [-stage, raw]}
  main: {package: "main:./cmd/server"}
gates: ["cpu<+2%", "p99<+5%"]
baseline: main
`

// inShop makes a project with a hone.yaml, goes into a directory of it, and gives the
// user a trust store of its own.
func inShop(t *testing.T, text string) (file string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, sub := range []string{".git", "cmd/server", "cmd/raw"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	file = filepath.Join(dir, "hone.yaml")
	write(t, file, text)
	t.Chdir(filepath.Join(dir, "cmd"))
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	return file
}

func trustFile(t *testing.T, file string) {
	t.Helper()
	store, err := trust.User()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Trust(file, text, time.Now()); err != nil {
		t.Fatal(err)
	}
}

// tried is what a command line of compare has from hone.yaml.
type tried struct {
	use           *app.FromFile
	connections   int
	headers       []string
	target, rate  string
	slice, budget time.Duration
	gates         []string
}

// try parses a command line of compare for it.
func try(t *testing.T, least int, line ...string) (*tried, error) {
	t.Helper()
	got, asked := &tried{}, spec.Spec{}
	a := &commands{&app.App{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}}
	cmd := &cobra.Command{Use: "compare", SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, words []string) (err error) {
			got.use, err = a.UseFile(cmd, words, least)
			return err
		}}
	app.AddOptions(cmd, spec.ForCompare, &asked)
	root := &cobra.Command{Use: "hone", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(cmd)
	root.SetArgs(append([]string{"compare"}, line...))
	err := root.Execute()
	got.connections, got.headers, got.target, got.rate = asked.Plan.Connections, asked.Protocol.Headers, asked.Target,
		asked.Rate
	got.slice, got.budget, got.gates = asked.Slice, asked.Budget, asked.GateWords
	return got, err
}

func TestPackagesOnTheCommandLineNeedNoFile(t *testing.T) {
	inShop(t, "this is: [no hone.yaml")
	for _, line := range [][]string{
		{"./server", "main:./cmd/server"}, {"raw", "server"}, // directories here
		{"example.com/x/cmd/y", "./raw -x"},
	} {
		got, err := try(t, 2, line...)
		if err != nil || got.use.File != nil || !slices.Equal(got.use.Words, line) || got.connections != 10 {
			t.Errorf("%q: %+v, %v", line, got, err)
		}
	}
}

func TestANameInTheFileNeedsTrust(t *testing.T) {
	file := inShop(t, shopFile)
	write(t, filepath.Join(filepath.Dir(file), "cmd", "readme"), "no directory")
	asks := []string{"touch pwn", "go build -- .", "--connections=100 '--header=A: 1'"}
	for _, line := range [][]string{{}, {"main", "subject"}, {"main"}, {"./server", "main"},
		{"./server", "./raw", "--plan", "peak"}} {
		got, err := try(t, 2, line...)
		if fail.ExitCode(err) != int(fail.Untrusted) || !strings.Contains(fail.HintOf(err), "hone trust ../hone.yaml") {
			t.Fatalf("%q: %v", line, err)
		}
		if got.connections != 10 || got.target != "" || got.rate != "" || got.gates != nil {
			t.Errorf("%q: flags were set before it was trusted: %+v", line, got)
		}
		if len(line) == 0 {
			for _, ask := range asks {
				if !strings.Contains(err.Error(), ask) {
					t.Errorf("no %q in %v", ask, err)
				}
			}
		}
	}
	trustFile(t, file)
	got, err := try(t, 2)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintf("%v %v %v %v %v %v", got.use.Words, got.connections, got.headers, got.target, got.budget,
		got.gates) !=
		"[main subject] 100 [A: 1 B: 2] http://127.0.0.1:{port}/ 9s [cpu<+2% p99<+5%]" {
		t.Errorf("took %+v", got)
	}
	if v := got.use.Named["subject"]; v.Source != "./server" || fmt.Sprint(v.Prepare) != "[touch pwn]" {
		t.Errorf("subject %+v", v)
	}
	write(t, file, shopFile+"# changed\n")
	if _, err := try(t, 2); fail.ExitCode(err) != int(fail.Untrusted) {
		t.Errorf("changed: %v", err)
	}
}

func TestTheCommandLineWins(t *testing.T) {
	trustFile(t, inShop(t, shopFile))
	got, err := try(t, 1, "main", "-c", "3", "--header", "C: 3", "-d", "1m", "--target", "x", "--gate", "allocs<=0")
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintf("%v %v %v %v %v %v", got.use.Words, got.connections, got.headers, got.target, got.budget,
		got.gates) != "[main] 3 [C: 3] x 1m0s [allocs<=0]" {
		t.Errorf("took %+v", got)
	}
}

func TestWhatIsMeasuredWithoutWords(t *testing.T) {
	trustFile(t, inShop(t, shopFile))
	for want, line := range map[string][]string{
		"1 [subject]": {}, "2 [main subject]": {}, "2 [main subject] ": {"subject"}, "1 [main]": {"main"},
		"1 [main subject]": {"main", "subject"},
		"2 [absent]":       {"absent"}, "2 [raw]": {"raw"}, // a directory here, and no name then
	} {
		least := int(want[0] - '0')
		got, err := try(t, least, line...)
		if err != nil || fmt.Sprint(got.use.Words) != strings.TrimSpace(want[2:]) {
			t.Errorf("%d of %q: %v, want %s: %v", least, line, got.use, want, err)
		}
	}
	got, err := try(t, 2, "./server", "./raw", "--plan", "peak")
	if err != nil || got.rate != "1k" || got.target != "" || got.gates != nil || got.connections != 10 {
		t.Errorf("a plan alone brings no target and no gates: %+v, %v", got, err)
	}
}

func TestPlansAreHeldToTheFlags(t *testing.T) {
	trustFile(t, inShop(t, shopFile))
	for plan, want := range map[string]string{
		"wrong":   `../hone.yaml:9:11: unknown key "conections" (did you mean "connections"?)`,
		"refused": `../hone.yaml:10:26: invalid argument "many" for "-c, --connections" flag`,
		"twice":   `../hone.yaml:11:28: the key connections takes one value`,
		"nested":  `../hone.yaml:12:12: the flag --json has no place in a plan`,
		"paek":    `../hone.yaml has no plan "paek" (did you mean "peak"?)`,
	} {
		_, err := try(t, 1, "main", "--plan", plan)
		if fail.ExitCode(err) != int(fail.BadInput) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", plan, err, want)
		}
	}
}

func TestNoBaselineAndNoFile(t *testing.T) {
	file := inShop(t, "version: 1\nsubject: {package: ./cmd/server}\nvariants: {a: {args: [x]}}\n")
	if _, err := try(t, 2); fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(err.Error(), "no baseline") {
		t.Errorf("error %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if got, err := try(t, 2); err != nil || got.use.File != nil {
		t.Errorf("without words and file the count of the words is the caller's matter: %v", err)
	}
	if _, err := try(t, 1, "x", "--plan", "peak"); fail.ExitCode(err) != int(fail.BadInput) {
		t.Errorf("a plan without a file: %v", err)
	}
}

// The plans of the documentation and of drafts have to fit the real flags.
func TestRealCommandsTakeTheDraftsPlan(t *testing.T) {
	file := inShop(t, string(config.Draft([]config.Main{{Dir: "./cmd/server"}},
		config.Branch{Name: "main", Prefix: "."})))
	trustFile(t, file)
	a := &commands{&app.App{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}}
	for _, cmd := range a.root().Commands() {
		if cmd.Name() != "run" && cmd.Name() != "compare" {
			continue
		}
		use, err := a.UseFile(cmd, nil, 1)
		if err != nil || use.File == nil {
			t.Errorf("%s: %v", cmd.Name(), err)
		}
	}
}
