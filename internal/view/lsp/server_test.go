package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/prof"
)

// source is the program of these tests. Line 4 costs 60 % of the CPU time, line 8 the rest: both compile a regular
// expression.
const source = `package work

func Busy() int {
	return spin(100)
}

func Idle() int {
	return spin(1)
}
`

// checkout finds the source of the program in a directory. built is what was measured; empty where only the present
// text is known.
type checkout struct{ built string }

func (c checkout) Source(name string) ([]byte, error) {
	if c.built == "" {
		return nil, errors.New("not known")
	}
	return []byte(c.built), nil
}
func (c checkout) Pinned() bool { return c.built != "" }
func (checkout) Below(root, name string) (string, bool) {
	return strings.CutPrefix(name, "example.com/work/")
}

// editor is the client's end of a server.
type editor struct {
	*testing.T
	root  string
	in    io.WriteCloser
	out   chan []byte // frames, read as they come: the server may write while the editor does
	ended chan error
	last  int // id
}

// open starts a server of a workspace with the source, and a ledger in it.
func open(t *testing.T, built string) (*editor, *ledger.Ledger) {
	t.Helper()
	e := &editor{T: t, root: t.TempDir(), ended: make(chan error, 1)}
	e.write(source)
	l, err := ledger.Open(filepath.Join(e.root, ".hone"))
	if err != nil {
		t.Fatal(err)
	}
	s := New(Config{Version: "v1", Root: "/nowhere", PollEvery: 20 * time.Millisecond,
		Open: func(root string) (*stored.Library, io.Closer, error) {
			l, err := ledger.OpenReader(filepath.Join(root, ".hone"))
			if err != nil {
				return nil, nil, err
			}
			return &stored.Library{Ledger: l, Sources: func(record.Run) prof.Sources { return checkout{built} }}, l, nil
		}})
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	e.in, e.out = toServer, make(chan []byte, 1000)
	go func() {
		defer close(e.out)
		from := bufio.NewReader(fromServer)
		for {
			content, err := readFrame(from)
			if err != nil {
				return
			}
			e.out <- content
		}
	}()
	go func() {
		e.ended <- s.Serve(t.Context(), fromClient, toClient)
		_ = toClient.Close()
		_ = fromClient.Close()
	}()
	t.Cleanup(func() {
		_ = e.in.Close()
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return e, l
}

func (e *editor) write(text string) {
	e.Helper()
	if err := os.WriteFile(filepath.Join(e.root, "work.go"), []byte(text), 0o600); err != nil {
		e.Fatal(err)
	}
}

func (e *editor) uri() string { return "file://" + filepath.Join(e.root, "work.go") }

// say sends a message as an editor does.
func (e *editor) say(text string) {
	e.Helper()
	if _, err := fmt.Fprintf(e.in,
		"Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n%s", len(text),
		text); err != nil {
		e.Fatal(err)
	}
}

func (e *editor) notify(method, params string) {
	e.Helper()
	e.say(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

// reply is any message of the server.
type reply struct {
	ID     json.RawMessage
	Method string
	Result json.RawMessage
	Error  *rpcError
	Params publishDiagnosticsParams
}

func (e *editor) read() (r reply) {
	e.Helper()
	var content []byte
	select {
	case next, open := <-e.out:
		if content = next; !open {
			e.Fatal("the server has ended")
		}
	case <-time.After(time.Minute):
		e.Fatal("the server has said nothing for a minute")
	}
	if err := json.Unmarshal(content, &r); err != nil {
		e.Fatal(err)
	}
	return r
}

// ask sends a request and returns the response; other messages before it are passed over.
func (e *editor) ask(method, params string) reply {
	e.Helper()
	e.last++
	e.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, e.last, method, params))
	for {
		if r := e.read(); string(r.ID) == fmt.Sprint(e.last) {
			return r
		}
	}
}

func (e *editor) begin() {
	e.Helper()
	r := e.ask("initialize",
		fmt.Sprintf(`{"processId":1,"rootUri":"file://%s","capabilities":{"workspace":{"codeLens":{"refreshSupport":true}}}}`, e.root))
	if r.Error != nil || !strings.Contains(string(r.Result), `"codeLensProvider":{}`) ||
		!strings.Contains(string(r.Result), `"name":"hone"`) {
		e.Fatalf("%v %s", r.Error, r.Result)
	}
	e.notify("initialized", "{}")
}

// published returns the next diagnostics.
func (e *editor) published() publishDiagnosticsParams {
	e.Helper()
	for {
		if r := e.read(); r.Method == "textDocument/publishDiagnostics" {
			return r.Params
		}
	}
}

func (e *editor) document() string { return fmt.Sprintf(`{"textDocument":{"uri":%q}}`, e.uri()) }

func (e *editor) lenses() (titles map[int]string) {
	e.Helper()
	r := e.ask("textDocument/codeLens", e.document())
	var all []codeLens
	if err := json.Unmarshal(r.Result, &all); err != nil || r.Error != nil || all == nil {
		e.Fatalf("%v %v %s", err, r.Error, r.Result)
	}
	titles = map[int]string{}
	for _, one := range all {
		titles[one.Range.Start.Line] = one.Command.Title
	}
	return titles
}

// quit ends the server as an editor does.
func (e *editor) quit() error {
	e.Helper()
	if r := e.ask("shutdown", "null"); r.Error != nil || string(r.Result) != "null" {
		e.Fatalf("%v %s", r.Error, r.Result)
	}
	e.notify("exit", "null")
	return <-e.ended
}

// addRun stores a run whose CPU time is spent under line 4 of Busy and line 8 of Idle, the share of Busy in percent.
func addRun(t *testing.T, l *ledger.Ledger, busy int64) {
	t.Helper()
	d, err := l.BeginRun(ledger.Run{Label: "work", Package: "example.com/work"})
	if err != nil {
		t.Fatal(err)
	}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1e7,
	}
	location := func(function, file string, start, line int64) *profile.Location {
		f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: function, Filename: file, StartLine: start}
		at := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f, Line: line}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, at)
		return at
	}
	compiles := location("regexp.MustCompile", "/usr/local/go/src/regexp/regexp.go", 1, 2)
	for n, at := range map[int64]*profile.Location{
		busy:       location("example.com/work.Busy", "example.com/work/work.go", 3, 4),
		100 - busy: location("example.com/work.Idle", "example.com/work/work.go", 7, 8),
	} {
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{compiles, at},
			Value: []int64{10 * n, 1e7 * 10 * n}})
	}
	var packed bytes.Buffer
	if err := (prof.Capture{Kind: "cpu", Profile: p, Operations: 1e6,
		Duration: 10 * time.Second}).Write(&packed); err != nil {
		t.Fatal(err)
	}
	if _, err := d.AddArtefact(record.ProfileArtefact, "cpu.pb.gz", &packed); err != nil {
		t.Fatal(err)
	}
	r := record.Run{Head: record.Head{Schema: record.RunSchema, ID: d.ID(), Started: time.Now().UTC()}}
	r.Binary.Module, r.Binary.Package = "example.com/work", "example.com/work"
	r.CPUNanos = &record.Interval{Value: 2000}
	r.Plan.Connections = 1
	doc, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Finish(ledger.Complete, "", doc); err != nil {
		t.Fatal(err)
	}
}
