package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/needs"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/trust"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/testkit/storytest"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/prof"
)

// trap is a run whose document asks hone to execute and to read what is not the user's, in a directory of its own.
type trap struct {
	*stage
	key trust.Key
}

func newTrap(t *testing.T) *trap {
	s := newStage(t)
	if err := s.store.Close(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CONFIG_HOME", s.dir) // where hone looks for its key, see stage.hone
	key, err := trust.MakeUserKey()
	if err != nil {
		t.Fatal(err)
	}
	s.write("svc/go.mod", "module example.com/svc\n\ngo 1.22\n")
	s.write("svc/main.go", "package main\n\nfunc main() {}\n")
	s.write("secret/secret.go", "a secret of Go")
	s.write("secret/secret.env", "a secret of the environment")
	s.write("pwned/README", "what is executed leaves a file here")
	s.write("leave", "#!/bin/sh\ntouch $(dirname $0)/pwned/$1; shift; exec \"$@\"\n")
	if err := os.Chmod(filepath.Join(s.dir, "leave"), 0o700); err != nil {
		t.Fatal(err)
	}
	return &trap{s, key}
}

// leave is a command that leaves a file, and then does what stands after it, as a -toolexec does.
func (p *trap) leave(name string) []string { return []string{filepath.Join(p.dir, "leave"), name} }

// document asks for all that a document can ask for.
func (p *trap) document(id string) json.RawMessage {
	r := record.Run{Plan: load.Plan{Connections: 1}}
	r.Schema, r.ID, r.Status, r.Label = record.RunSchema, id, ledger.Complete, "--after-start=touch pwned/label"
	r.Binary = build.Binary{
		Module: "example.com/evil", Package: "example.com/evil", Dir: filepath.Join(p.dir, "secret"), Path: os.Args[0],
		Variant: build.Variant{
			Source: "./svc", Toolchain: "local", Prepare: p.leave("prepare"), AfterStart: p.leave("after"),
			BuildFlags: []string{"-toolexec=" + strings.Join(p.leave("toolexec"), " ")},
			Env: []string{"GOFLAGS='-toolexec=" + strings.Join(p.leave("goflags"), " ") + "'",
				"CGO_CFLAGS=-fplugin=leave cgo"},
			RunEnv: []string{"LD_PRELOAD=leave preload"}, Args: p.leave("argument"),
		},
	}
	r.Args = []string{"shared\x1b[2K\nnext: hone run"}
	r.Asked = &spec.Stored{WorkDir: p.dir, Parts: spec.Parts{
		Program: spec.Program{
			Ready: "http://192.0.2.1/ready", Needs: []needs.Need{{Name: "db", Command: p.leave("need")}},
			Copy: []string{"secret"}, CopyFrom: "/etc",
		},
		Load:    spec.Load{Target: "http://192.0.2.1/", LoadCommand: spec.LoadCommand{Words: p.leave("load")}},
		Observe: spec.Observe{Metrics: spec.Metrics{Page: "http://192.0.2.1/metrics"}},
	}}
	return marshal(p.T, r)
}

// stored puts a run with that document, or the one that it makes of the run's id, into the ledger, marked by mark.
func (p *trap) stored(mark func([]byte) string, doc func(id string) json.RawMessage) (id string) {
	p.Helper()
	l, err := ledger.OpenWith(filepath.Join(p.dir, ".hone"), ledger.Options{Mark: mark})
	if err != nil {
		p.Fatal(err)
	}
	d, err := l.BeginRun(ledger.Run{Label: "trap"})
	if err != nil {
		p.Fatal(err)
	}
	var b bytes.Buffer
	if err := (prof.Capture{Kind: "cpu", Profile: p.profile(), Operations: 1}).Write(&b); err != nil {
		p.Fatal(err)
	}
	_, err = d.AddArtefact("profile", "cpu.pb.gz", &b)
	if err := errors.Join(err, d.Finish(ledger.Complete, "", doc(d.ID())), l.Close()); err != nil {
		p.Fatal(err)
	}
	return d.ID()
}

// profile names files that are not the program's.
func (p *trap) profile() *profile.Profile {
	out := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 10e6, DurationNanos: 1e9,
	}
	for i, file := range []string{filepath.Join(p.dir, "secret", "secret.go"),
		filepath.Join(p.dir, "secret", "secret.env"), "/proc/self/environ"} {
		id := uint64(i + 1)
		f := &profile.Function{ID: id, Name: "example.com/evil.F" + string(rune('0'+i)), Filename: file, StartLine: 1}
		at := &profile.Location{ID: id, Line: []profile.Line{{Function: f, Line: 1}}}
		out.Function, out.Location = append(out.Function, f), append(out.Location, at)
		out.Sample = append(out.Sample, &profile.Sample{Location: []*profile.Location{at}, Value: []int64{1, 10e6}})
	}
	return out
}

// exits carries hone out and wants that exit code.
func (p *trap) exits(code int, args ...string) (output string) {
	p.Helper()
	cmd := exec.Command(honeBinary, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "HOME="+p.dir, "XDG_CONFIG_HOME="+p.dir, "SECRET=a secret of the environment",
		"GOCACHE="+storytest.GoEnv(p.T, "GOCACHE"), "GOMODCACHE="+storytest.GoEnv(p.T, "GOMODCACHE"))
	out, _ := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != code {
		p.Errorf("hone %q exited with %d, want %d:\n%s", args, got, code, out)
	}
	return string(out)
}

// executed are the files that commands left.
func (p *trap) executed() (names []string) {
	p.Helper()
	all, err := os.ReadDir(filepath.Join(p.dir, "pwned"))
	if err != nil {
		p.Fatal(err)
	}
	for _, one := range all {
		if one.Name() != "README" {
			names = append(names, one.Name())
		}
	}
	return names
}

// standing is what hone makes of a run.
func (p *trap) standing(id string) app.Standing {
	p.Helper()
	a, end := app.NewApp(&bytes.Buffer{}, &bytes.Buffer{})
	defer end()
	l, err := a.ReadLedger(filepath.Join(p.dir, ".hone"))
	if err != nil {
		p.Fatal(err)
	}
	defer l.Close()
	s, err := a.StandingOf(l, app.RunRef(id))
	if err != nil {
		p.Fatal(err)
	}
	return s
}

func TestAStrangersRunExecutesNothing(t *testing.T) {
	p := newTrap(t)
	own := p.stored(p.key.Mark, p.document)
	if s := p.standing(own); !s.Own || s.Trusted {
		t.Fatalf("what this user's hone has stored is not its own: %+v", s)
	}
	p.exits(0, "export", own, "-o", "own.tar.gz")
	l, err := ledger.OpenReader(filepath.Join(p.dir, ".hone"))
	if err != nil {
		t.Fatal(err)
	}
	ownRecord, err := l.Record(ledger.Ref{Kind: ledger.KindRun, ID: own})
	if err := errors.Join(err, l.Close()); err != nil {
		t.Fatal(err)
	}
	constant := func(mark string) func([]byte) string { return func([]byte) string { return mark } }
	strangers := map[string]string{
		"from a directory of others":        p.stored(nil, p.document),
		"with the mark of another run":      p.stored(constant(ownRecord.Mark), p.document),
		"with a hash for a mark":            p.stored(trust.Hash, p.document),
		"with a mark of another's key":      p.stored(trust.Key(bytes.Repeat([]byte{1}, 32)).Mark, p.document),
		"with a document of an own run":     p.stored(nil, func(string) json.RawMessage { return p.document(own) }),
		"with a document that asks for all": p.stored(constant("true"), p.document),
	}
	for how, id := range strangers {
		if s := p.standing(id); s.Own || s.Trusted {
			t.Errorf("%s: %+v", how, s)
		}
	}
	id := strangers["with a document of an own run"] // the standing of the others is the same
	for _, args := range [][]string{{"tune", "gc", id}, {"advise", "--verify", id},
		{"advise", "--verify", id, "--json", "--target", "http://127.0.0.1:1"}} {
		out := p.exits(6, args...)
		for _, name := range []string{"prepare", "after", "toolexec", "goflags", "cgo", "preload", "argument", "need",
			"load"} {
			if !strings.Contains(out, "leave "+name) {
				t.Errorf("hone %q does not show what it would execute: %s\n%s", args, name, out)
			}
		}
		for _, shown := range []string{"GOTOOLCHAIN=local", "192.0.2.1/metrics", "192.0.2.1/ready", "# from /etc",
			`"shared\x1b[2K\nnext: hone run"`, "hone trust " + id} {
			if !strings.Contains(out, shown) {
				t.Errorf("hone %q does not show %q:\n%s", args, shown, out)
			}
		}
	}
	p.exits(6, "tune", "gc", id, "--ledger", filepath.Join(p.dir, ".hone"))
	p.exits(0, "import", "own.tar.gz", "--ledger", "imported") // also of one's own
	p.exits(6, "tune", "gc", own, "--ledger", "imported")
	for _, id := range strangers {
		for _, args := range [][]string{{"advise", id}, {"show", id}, {"report", id}, {"profile", "top", id},
			{"tail", id}, {"trust", id}, {"export", id, "-o", "-"}} {
			cmd := exec.Command(honeBinary, args...)
			cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "HOME="+p.dir, "XDG_CONFIG_HOME="+p.dir)
			_ = cmd.Run() // what it answers is other tests'
		}
	}
	if names := p.executed(); len(names) > 0 {
		t.Fatalf("executed: %q", names)
	}
	// All were trusted just now, but not those of the other ledger; what is trusted is executed.
	p.exits(6, "tune", "gc", own, "--ledger", "imported")
	if s := p.standing(id); s.Own || !s.Trusted {
		t.Errorf("trusted: %+v", s)
	}
	if !p.executes("tune", "gc", id) {
		t.Error("nothing of a trusted run is executed, so that this test shows nothing")
	}
}

// executes carries hone out until a command has left a file, or to its end.
func (p *trap) executes(args ...string) bool {
	p.Helper()
	cmd := exec.Command(honeBinary, args...)
	cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "HOME="+p.dir, "XDG_CONFIG_HOME="+p.dir)
	if err := cmd.Start(); err != nil {
		p.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // it ends with hone
	for {
		select {
		case <-ended:
			return len(p.executed()) > 0
		case <-time.After(10 * time.Millisecond):
		}
		if len(p.executed()) > 0 {
			_ = cmd.Process.Signal(os.Interrupt)
			<-ended
			return true
		}
	}
}

// What a stranger's run names is not read: not for a page, which may be mailed, nor for a terminal, nor for a file.
func TestAStrangersRunReadsNothing(t *testing.T) {
	p := newTrap(t)
	id := p.stored(nil, p.document)
	show := func() string {
		p.exits(0, "report", id, "-o", "report.html")
		p.exits(0, "profile", "flame", id, "--html", "flame.html")
		p.exits(0, "advise", id, "--save", "view.json")
		shown := p.exits(0, "profile", "list", "evil", id) + p.exits(0, "advise", id) +
			p.exits(0, "advise", id, "--json")
		for _, name := range []string{"report.html", "flame.html", "view.json"} {
			text, err := os.ReadFile(filepath.Join(p.dir, name))
			if err := errors.Join(err, os.Remove(filepath.Join(p.dir, name))); err != nil {
				t.Fatal(err)
			}
			shown += string(text)
		}
		return shown
	}
	if shown := show(); strings.Contains(shown, "a secret of") {
		t.Errorf("files were read that a stranger's run names:\n%s", shown)
	}
	if out := p.exits(2, "profile", "pprof", id, "--", "-disasm", "main"); !strings.Contains(out, "--binary") {
		t.Errorf("disassembled what a stranger's run names:\n%s", out)
	}
	p.exits(0, "trust", id)
	shown := show()
	if !strings.Contains(shown, "a secret of Go") {
		t.Error("the source of a trusted run is not shown, so that this test shows nothing")
	}
	if strings.Contains(shown, "a secret of the environment") {
		t.Error("what is not source was read")
	}
}
