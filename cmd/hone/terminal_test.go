package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/testkit/storytest"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/prof"
)

// venom is text that clears a screen, sets a title, turns the direction around and hides.
const venom = "bad\x1b[2J\x1b]0;owned\x07\u009b31m\r\b\x7f\u202e\u200b\u2028"

// The text of strangers comes out of every command, and none of it steers the terminal.
func TestNoCommandLetsStrangersSteerTheTerminal(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	one, two := s.hostileRun("A"), s.hostileRun("B")
	s.store.SetBaseline(venom, one, "") // refused or not: then it is not listed
	if _, err := s.store.SetBaseline("main", one, venom); err != nil {
		t.Fatal(err)
	}
	comparison := s.hostileComparison()
	if err := s.store.Close(); err != nil {
		t.Fatal(err)
	}
	file := s.write("ev\x1bil.pb.gz", string(zipped(t, "cpu")))
	bench := func(name string, ns int) string {
		return s.write(name,
			strings.Repeat(fmt.Sprintf("pkg: %[1]s\ncpu: %[1]s\nBenchmark%[1]s \t 1 \t %[2]d ns/op\nBenchmarkFine 1 %[2]d ns/op %[2]d %[1]s\n",
				strings.ReplaceAll(venom, "\r", ""), ns), 6))
	}
	server, damaged := hostileServer(t, "X-Odd: \u202e"), hostileServer(t, "X-Bad: \x1b[2J")
	s.write("yaml/hone.yaml", "version: 1\n\"key\\x1b[2J\": 1\n")
	s.write("raw/hone.yaml", "sub\x1b[2Jject: 1\n")
	s.write("trace.txt", "gc 1 @0.0s 1%: 1+1+1 ms clock, "+venom+"\n")

	var rows [][]string
	for _, view := range []string{"top", "flame", "blame", "gc", "pprof --kind none"} {
		rows = append(rows, append([]string{"profile"}, append(strings.Fields(view), one)...),
			append([]string{"profile"}, append(strings.Fields(view), file)...))
	}
	rows = append(rows, []string{"profile", "list", ".", one}, []string{"profile", "list", ".", file},
		[]string{"profile", "list", venom + "(", one})
	rows = append(rows, [][]string{
		{"profile", "top", one, "--json"}, {"profile", "flame", one, "--json"},
		{"profile", "top", one, "--focus", venom}, {"profile", "top", one, "--unit", venom}, {"profile", "top", venom},
		{"profile", "diff", one, two, "--per", "second"}, {"profile", "diff", one, two, "--per", "second", "--json"},
		{"profile", "diff", file, file},
		{"profile", "blame", one, "--per", "second"},
		{"pull", file}, {"profile", "flame", one, "--svg", "ev\x1bil.svg"}, {"profile", "gc", "trace.txt"},
		{"pull", server}, {"pull", "http://127.0.0.1:1/\x1b[2J"},
		{"pull", "pyroscope", server, "--query", "{a=\"" + venom + "\"}"}, {"pull", "parca", damaged, "--query", "{}"},
		{"history"}, {"history", "--json"}, {"history", "--measure", "cpu"}, {"history", "--measure", venom},
		{"history", "--commit", venom},
		{"show", one}, {"show", one, "--json"}, {"show", comparison}, {"show", comparison, "--json"},
		{"show", comparison, "--markdown"}, {"show", venom},
		{"compare", one, two}, {"compare", one, two, "--json"}, {"baseline"}, {"baseline", "--json"},
		{"baseline", "set", venom},
		{"ledger", "verify"}, {"ledger", "verify", "--json"},
		{"export", one, two, "-o", "ev\x1bil.tar.gz"}, {"export", one, "-o", "ev\x1bil.tar.gz"}, {"export", venom},
		{"import", venom}, {"import", file},
		{"import", "ev\x1bil.tar.gz", "--ledger", "there"}, {"history", "--ledger", "there"},
		{"show", one, "--ledger", "there"},
		{"load", server, "-n", "20", "-c", "1", "-o", "load\x1b.jsonl"},
		{"load", damaged, "-n", "20", "-c", "1", "--json", "--expect-body", venom},
		{"load", "http://127.0.0.1:1/" + venom}, {"load", "http://user\x1b:pw@127.0.0.1:1/"}, {"load", venom},
		{"load", server, "-H", venom, "-n", "1"},
		{"load", "report", "load\x1b.jsonl"}, {"load", "report", "none\x1b"}, {"load", server, "--fail-if", venom},
		{"bench", "compare", bench("old.txt", 100), bench("new\x1b.txt", 200)},
		{"bench", "compare", "old.txt", "new\x1b.txt", "--json"},
		{"run", "./" + venom}, {"run", venom}, {"compare", "ref\x1b:.", "."}, {"run", "--env", venom, "."},
		{"compare", ".", ".", "--gate", venom},
		{"run", "--once", "--set=no-inject", "--", "sh", "-c",
			"printf '" + `\033[2J\233\r` + "'; printf '" + `\033[31m` + "' >&2; exit 3"},
		{"run", "--once", "--set=no-inject", "--set=once.show-output", "--", "sh", "-c",
			"printf '" + `\033[2J\302\2331m\302` + "'; printf '" + `\033[31m` + "' >&2"},
		{"run", "--once", "--json", "--", "sh", "-c", "exit 0", venom},
		{"watch", server, "--plain", "-d", "1s"}, {"watch", damaged, "--json", "-d", "1s"}, {"watch", venom},
		{"watch", "-"},
		{"trust", "yaml"}, {"trust", "yaml/hone.yaml"}, {"trust", "raw/hone.yaml"}, {"trust", venom},
		{"trust", "--list"},
		{"observe", "up", "none\x1b/x"}, {"demo", venom}, {"help", venom}, {venom}, {"--" + venom},
		{"run", "--" + venom}, {"doctor"}, {"version"},
	}...)
	shown := 0
	for _, args := range rows {
		stdout, stderr := s.hone(args...)
		for name, out := range map[string]string{"stdout": stdout, "stderr": stderr} {
			if r, steers := storytest.Steering(out); steers {
				t.Errorf("hone %q: %q in %s:\n%q", args, r, name, out)
			}
			shown += strings.Count(out, `\u001b`)
		}
		if strings.Contains(strings.Join(args, " "), "--json") && strings.HasPrefix(stdout, "{") &&
			!json.Valid([]byte(stdout)) && args[0] != "watch" {
			t.Errorf("hone %q: not valid JSON: %q", args, stdout)
		}
		if strings.Contains(stderr, "goroutine ") {
			t.Errorf("hone %q: %s", args, stderr)
		}
	}
	// Where nothing hostile was shown, nothing was tested.
	if shown < 300 {
		t.Errorf("only %d escapes were written visibly in %d commands", shown, len(rows))
	}
	t.Logf("%d commands, %d escapes", len(rows), shown)
}

// stage is a directory with a ledger, in which hone is run.
type stage struct {
	*testing.T
	dir   string
	store *ledger.Ledger
}

func newStage(t *testing.T) *stage {
	t.Helper()
	dir := t.TempDir()
	store, err := ledger.Open(filepath.Join(dir, ".hone"))
	if err != nil {
		t.Fatal(err)
	}
	return &stage{T: t, dir: dir, store: store}
}

// hone runs a command to its end.
func (s *stage) hone(args ...string) (stdout, stderr string) {
	s.Helper()
	cmd := exec.Command(honeBinary, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "HOME="+s.dir, "XDG_CONFIG_HOME="+s.dir, "TERM=xterm",
		"GOCACHE="+storytest.GoEnv(s.T, "GOCACHE"), "GOMODCACHE="+storytest.GoEnv(s.T, "GOMODCACHE"))
	cmd.Stdin = strings.NewReader("gc 1 @0.0s 1%: " + venom + "\n" + venom + "\n")
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		s.Fatal(err)
	}
	return out.String(), messages.String()
}

// write writes a file of the stage and returns its name.
func (s *stage) write(name, text string) string {
	s.Helper()
	path := filepath.Join(s.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		s.Fatal(err)
	}
	return name
}

// hostileRun stores a run of which every text is hostile, with profiles and a timeline.
func (s *stage) hostileRun(variant string) string {
	s.Helper()
	d, err := s.store.BeginRun(ledger.Run{Label: venom, Package: venom, Commit: venom, BuildID: venom, Target: venom,
		Plan: venom, Machine: venom})
	if err != nil {
		s.Fatal(err)
	}
	for _, kind := range []string{"cpu", "allocs", "heap"} {
		if _, err := d.AddArtefact("profile", kind+".pb.gz", bytes.NewReader(zipped(s.T, kind))); err != nil {
			s.Fatal(err)
		}
	}
	if _, err := d.AddArtefact("output", venom, strings.NewReader(venom)); err != nil {
		s.Fatal(err)
	}
	var slices []packed.Slice
	for i := range 12 {
		slices = append(slices, packed.Slice{
			Slice: load.Slice{Duration: time.Second, Counts: load.Counts{Sent: 10, Answered: 10}},
			Place: packed.Place{Index: i, Block: i / 6, Pair: i}, Used: packed.Used{CPU: time.Second}})
	}
	if err := d.AddSlices(slices); err != nil {
		s.Fatal(err)
	}
	low, high := 1.0, 3.0
	if err := d.AddMeasures([]ledger.MeasureValue{{Name: "cpu", Unit: "ns", Value: 2, Low: &low,
		High: &high}}); err != nil {
		s.Fatal(err)
	}
	var r record.Run
	poison(reflect.ValueOf(&r).Elem())
	r.Schema, r.ID, r.Binary.Variant.Name, r.Binary.Path = record.RunSchema, d.ID(), variant, "/none"
	r.Status = ledger.Complete
	if err := d.Finish(ledger.Complete, venom, marshal(s.T, r)); err != nil {
		s.Fatal(err)
	}
	return d.ID()
}

// hostileComparison stores a comparison of which every text is hostile.
func (s *stage) hostileComparison() string {
	s.Helper()
	draft, err := s.store.BeginComparison(ledger.Comparison{})
	if err != nil {
		s.Fatal(err)
	}
	var c record.Comparison
	poison(reflect.ValueOf(&c).Elem())
	c.Schema, c.ID, c.Status, c.Runs = record.ComparisonSchema, draft.ID(), ledger.Complete, nil
	for i := range c.Contests {
		c.Contests[i].A, c.Contests[i].B = 0, 1
	}
	for _, letter := range []string{"A", "B"} {
		d, err := s.store.BeginRun(ledger.Run{Comparison: draft.ID(), Variant: letter, Label: venom})
		if err != nil {
			s.Fatal(err)
		}
		var r record.Run
		poison(reflect.ValueOf(&r).Elem())
		r.Schema, r.ID, r.Comparison, r.Status = record.RunSchema, d.ID(), draft.ID(), ledger.Complete
		c.Runs = append(c.Runs, d.ID())
		if err := d.Finish(ledger.Complete, "", marshal(s.T, r)); err != nil {
			s.Fatal(err)
		}
	}
	err = draft.Finish(ledger.Comparison{Status: ledger.Complete, Reason: venom, Word: venom, Sentence: venom,
		Doc: marshal(s.T, c)})
	if err != nil {
		s.Fatal(err)
	}
	return draft.ID()
}

// poison makes every text in a value hostile, and gives every slice, map and pointer one
// element.
func poison(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(venom)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				poison(f)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		poison(v.Elem())
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return // a document of its own
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		poison(v.Index(0))
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		poison(key)
		poison(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Float64:
		v.SetFloat(1)
	}
}

func marshal(t *testing.T, v any) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// zipped is a profile with hostile names, also such that are not UTF-8.
func zipped(t *testing.T, kind string) []byte {
	t.Helper()
	k, err := prof.KindNamed(kind)
	if err != nil {
		t.Fatal(err)
	}
	name := venom + "\x9b31m"
	mapping := &profile.Mapping{ID: 1, Start: 1, Limit: 100, File: name, BuildID: name, HasFunctions: true}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: k.Default, Unit: "nanoseconds"}, Period: 1, DurationNanos: 1e9,
		Mapping: []*profile.Mapping{mapping}, Comments: []string{name}, DefaultSampleType: k.Default,
	}
	if kind != "cpu" {
		p.SampleType = nil
		for _, of := range []string{"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"} {
			p.SampleType = append(p.SampleType, &profile.ValueType{Type: of, Unit: "bytes"})
		}
	}
	var stack []*profile.Location
	for i := range uint64(3) {
		f := &profile.Function{ID: i + 1, Name: fmt.Sprint("main.", name, i), SystemName: name,
			Filename: "/src/" + name + ".go", StartLine: 1}
		p.Function = append(p.Function, f)
		stack = append(stack, &profile.Location{ID: i + 1, Mapping: mapping, Address: i + 2,
			Line: []profile.Line{{Function: f, Line: 3}}})
	}
	p.Location = stack
	values := make([]int64, len(p.SampleType))
	for i := range values {
		values[i] = 1e9
	}
	p.Sample = []*profile.Sample{{
		Location: stack, Value: values, Label: map[string][]string{name: {name}},
		NumLabel: map[string][]int64{"n": {1}}, NumUnit: map[string][]string{"n": {name}},
	}}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// hostileServer answers every request with a hostile error under one more header, and
// returns its address. Its goroutines end with the test.
func hostileServer(t *testing.T, header string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	body := venom + "\n# TYPE stranger counter\nstranger{label=\"" + venom + "\"} 1\n"
	answer := fmt.Sprintf("HTTP/1.1 500 Bad\x1b[2J\u009b\r\n%s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s", header, len(body), body)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				buffer := make([]byte, 64<<10)
				for {
					if _, err := c.Read(buffer); err != nil {
						return
					}
					if _, err := c.Write([]byte(answer)); err != nil {
						return
					}
				}
			}()
		}
	}()
	return "http://" + l.Addr().String() + "/"
}
