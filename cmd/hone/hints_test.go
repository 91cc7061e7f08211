package main

import (
	"bytes"
	"context"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/finder"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/conduct/service"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/testkit/hinttest"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/internal/wire/recognise"
	"github.com/gohone/hone/load"
)

// doubts are all that a hint may be about.
var doubts = []string{
	load.DoubtWithheld, load.DoubtUnmatched, load.DoubtNoAnswer, load.DoubtWrong, load.DoubtEndless, load.DoubtLive,
	load.DoubtSaturated, load.DoubtAccount, load.DoubtRate, load.DoubtLag, load.DoubtPauses,
}

// hintSchemes are targets with the flags that they need.
var hintSchemes = []struct {
	target string
	flags  []string
}{
	{"http://127.0.0.1:PORT/items", []string{"-H", "Accept: text/html", "-m", "POST", "--body", "x",
		"--set=expect-status=200"}},
	{"https://127.0.0.1:PORT/", []string{"-k", "--http2"}},
	{"tcp://127.0.0.1:PORT", []string{"--body", "hex:000161", "--set", "tcp.width=2", "--set=tcp.little", "--set",
		"expect-length=3"}},
	{"rpc://127.0.0.1:PORT", nil},
	{"", nil}, // the port is found
}

// TestEveryHintsCommandIsAccepted walks the hints of run and compare for every scheme, and
// for programs that take {port} and such that do not, and carries out each command in them
// up to the point where it would build.
func TestEveryHintsCommandIsAccepted(t *testing.T) {
	dir := t.TempDir()
	done := map[string]bool{}
	walk := func(t *testing.T, hint string) {
		for _, words := range commandsIn(t, hint) {
			if line := shellwords.Join(words); !done[line] {
				done[line] = true
				accepted(t, dir, words)
			}
		}
	}
	for _, s := range hintSchemes {
		for _, takesPort := range []bool{true, false} {
			r := hintRequest([]string{"run", "./nowhere"}, s.target, s.flags, takesPort)
			t.Run(r.Command.String(), func(t *testing.T) {
				accepted(t, dir, append([]string{"hone"}, r.Command...))
				for _, d := range doubts {
					walk(t, service.HintFor(r, load.Doubt{Name: d}, strings.ReplaceAll(r.Target, "{port}", "8080"),
						"0a1b2c3d"))
				}
				port := "8080"
				if takesPort {
					port = "{port}"
				}
				program := finder.Program{Spec: &r.Parts, Command: r.Command,
					Binary: &build.Binary{Variant: r.Variants[0]}}
				for _, seen := range speeches() {
					walk(t, program.NextStep(seen, port, []string{"/demo.Greeter/SayHello"}))
				}
			})
		}
	}
	r := hintRequest([]string{"compare", "./nowhere", "./elsewhere -x"}, "http://127.0.0.1:PORT/", nil, true)
	for _, d := range doubts {
		walk(t, service.HintFor(r, load.Doubt{Name: d}, r.Target, "0a1b2c3d"))
	}
	r = hintRequest([]string{"run", "./nowhere"}, "ws://127.0.0.1:PORT/", []string{"--body", "x"}, true)
	walk(t, service.HintFor(r, load.Doubt{Name: load.DoubtWrong, Text: load.Unsolicited.String()}, r.Target,
		"0a1b2c3d"))
	if len(done) < 40 {
		t.Errorf("only %d commands were found in hints", len(done))
	}
}

// hintRequest is a request as a command line would make it.
func hintRequest(command []string, target string, flags []string, takesPort bool) lab.Task {
	words := slices.Concat(command, []string{"-c", "4", "--set", "timeout=3s"}, flags)
	target = strings.ReplaceAll(target, "PORT", "{port}")
	if target != "" {
		words = append(words, "--target", target)
	}
	r := lab.Task{Parts: spec.Parts{Program: spec.Program{Variants: []build.Variant{{Source: "./nowhere"}}},
		Load: spec.Load{Target: target, Plan: load.Plan{Timeout: 3 * time.Second}}}}
	if takesPort {
		r.Args = []string{"-addr", "127.0.0.1:{port}"}
		words = append(append(words, "--"), r.Args...)
	}
	r.Command = lineOf(words)
	return r
}

// lineOf is the command line that hone makes of words.
func lineOf(words []string) spec.Line {
	a, end := app.NewApp(io.Discard, io.Discard)
	defer end()
	cmd, _, err := (&commands{a}).root().Find(words)
	if err != nil {
		panic(err)
	}
	return app.CommandLine(cmd, words)
}

// The command line is the user's, each flag in one word under its long name.
func TestCommandLine(t *testing.T) {
	for line, want := range map[string]string{
		"run ./x -c4 -q -H 'A: b' -m=PUT --http2 --body -x --set no-inject --set no-inject=A -- -c 5": "hone run ./x --connections 4 --quiet --header 'A: b' --method PUT --http2 --body -x --set no-inject --set no-inject=A -- -c 5",
		"run -c 4 a.go b.go -d 3s": "hone run --connections 4 a.go b.go --duration 3s",
		"compare 'A=b ./x -v' ./y -d 9s --set answers.volatile=true -qc 3": "hone compare 'A=b ./x -v' ./y --budget 9s --set answers.volatile --quiet --connections 3",
		"tune gc ./x --gogc 100,200 --set keep-env=false":                  "hone tune gc ./x --gogc 100,200 --set keep-env=false",
		"load http://h/ -n 5 --find-max='p99<1s'":                          "hone load http://h/ --requests 5 --find-max 'p99<1s'",
	} {
		words, err := shellwords.Split(line)
		if err != nil {
			t.Fatal(err)
		}
		if got := lineOf(words).String(); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", line, got, want)
		}
	}
}

// speeches are what ports may show.
func speeches() (all []recognise.Seen) {
	for _, p := range []recognise.Protocol{recognise.HTTP, recognise.HTTP2, recognise.GRPC, recognise.TLS,
		recognise.Redis,
		recognise.NATS, recognise.MQTT, recognise.Other, recognise.Closed, recognise.Silent, recognise.Absent} {
		all = append(all, recognise.Seen{Protocol: p}, recognise.Seen{Protocol: p, Encrypted: true})
	}
	return all
}

// commandsIn are the commands of a hint: each stands at the end of a part, behind a colon.
func commandsIn(t *testing.T, hint string) (all [][]string) {
	t.Helper()
	for part := range strings.SplitSeq(hint, "; ") {
		_, line, found := strings.Cut(part, ": hone ")
		if !found {
			continue
		}
		words, err := shellwords.Split("hone " + line)
		if err != nil {
			t.Errorf("hint %q: %v", hint, err)
		}
		all = append(all, words)
	}
	return all
}

// parsed is the command of hone that takes these words, with its flags set.
func parsed(words []string) (*cobra.Command, error) {
	a, end := app.NewApp(io.Discard, io.Discard)
	defer end()
	cmd, rest, err := (&commands{a}).root().Find(words[1:])
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil && cmd.Args != nil {
		err = cmd.Args(cmd, cmd.Flags().Args())
	}
	return cmd, err
}

// accepted says that a command is one of hone's that takes these words. One that measures is
// carried out until it would build.
func accepted(t *testing.T, dir string, words []string) {
	t.Helper()
	line := shellwords.Join(words)
	cmd, err := parsed(words)
	if err != nil {
		t.Errorf("%s: %v", line, err)
		return
	}
	if name := cmd.Name(); name != "run" && name != "compare" {
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	hone := exec.CommandContext(ctx, honeBinary, words[1:]...) // not Main: hone executes itself
	hone.Dir = dir
	if got, _ := hone.CombinedOutput(); !strings.Contains(string(got), `source "./nowhere": directory`) {
		t.Errorf("%s\nends with %s", line, got)
	}
}

// TestLoadHintsNameItsFlags does the same for hone load, whose hints name flags.
func TestLoadHintsNameItsFlags(t *testing.T) {
	var out bytes.Buffer
	a, end := app.NewApp(&out, &out)
	defer end()
	for _, target := range []string{"http://127.0.0.1:1/", "https://127.0.0.1:1/", "tcp://127.0.0.1:1",
		"rpc://127.0.0.1:1", "unix:/run/app.sock:/x"} {
		accepted(t, "", []string{"hone", "load", target}) // as run says of a Unix socket
	}
	for _, d := range doubts {
		hint := loadtest.HintFor(load.Doubt{Name: d})
		hinttest.WantFlags(t, "hone load", hint, (&commands{a}).loadCommand())
		for _, words := range commandsIn(t, hint) {
			accepted(t, "", words)
		}
	}
}

// printedBy are the commands whose users read the hints of a package; of others, any.
var printedBy = map[string][]string{
	"internal/conduct/lab":      {"run", "compare"},
	"internal/conduct/finder":   {"run", "compare"},
	"internal/conduct/service":  {"run", "compare"},
	"internal/program/subject":  {"run", "compare"},
	"internal/conduct/loadtest": {"load"},
	"internal/wire":             {"run", "compare", "load"}, // and the packages in it
	"internal/conduct/gobench":  {"bench"},                  // likewise
	"internal/conduct/watch":    {"watch"},
	"internal/store/ledger":     nil,
}

// TestHintsNameFlagsAndCommandsThatExist reads all hints in the source.
func TestHintsNameFlagsAndCommandsThatExist(t *testing.T) {
	var out bytes.Buffer
	a, end := app.NewApp(&out, &out)
	defer end()
	hints := hinttest.Check(t, (&commands{a}).root(), func(dir string) []string {
		dir = strings.TrimPrefix(dir, "../../")
		for _, room := range []string{"internal/wire", "internal/conduct/gobench"} {
			if strings.HasPrefix(dir, room+"/") {
				dir = room
			}
		}
		return printedBy[dir]
	}, ".", "../../internal", "../../load", "../../prof")
	if hints < 200 {
		t.Errorf("only %d hints were found: has their form changed?", hints)
	}
}

// The hint of a run without profiles says why it has none.
func TestWhyARunHasNoProfiles(t *testing.T) {
	failed := stored.Run{Row: ledger.Run{ID: "0a1b2c3d", Status: ledger.Invalid, Reason: "replies wrong"}}
	whole := stored.Run{Row: ledger.Run{ID: "0a1b2c3d", Status: ledger.Complete}}
	without := whole
	without.Record.Asked = &spec.Stored{}
	asked := without
	asked.Record.Asked = &spec.Stored{Parts: spec.Parts{Observe: spec.Observe{NoProfile: true}}}
	for want, r := range map[string]stored.Run{
		"(invalid: replies wrong): mend that, and measure again; to see all of it: hone show 0a1b2c3d": failed,
		"while it measured: hone show 0a1b2c3d":                                                        without,
		"measure it without --no-profile":                                                              asked,
	} {
		got := app.WhyNoProfiles(&r)
		if !strings.Contains(got, want) || strings.Contains(got, "--no-profile") != strings.Contains(want, "--no-profile") {
			t.Errorf("said %q, want %q", got, want)
		}
	}
	if got := app.WhyNoProfiles(&whole); got != "measure it without --no-profile" {
		t.Errorf("said %q", got)
	}
}
