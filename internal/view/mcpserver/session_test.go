package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gohone/hone/internal/view/page"
)

// fakeHone is a command instead of hone: it prints its arguments as progress, and ends with code 130 at an interrupt.
const fakeHone = `#!/bin/sh
trap 'echo 130 > ended; echo interrupted >&2; exit 130' INT
echo "$$" > pid
echo "args: $*" >&2
case "$*" in *quick*) echo '{"schema": "x"}'; exit 3;; esac
case "$*" in *early=*)
	echo "hone: program A ended with exit code 1 before it was ready; the end of its stderr:" >&2
	echo "  Error: no config" >&2
	echo "hint: its flag --config is missing: arguments go after --, for example -- --config VALUE" >&2
	echo "{\"comparison\": {\"id\": \"${*##*early=}\"}}"
	exit 3;;
esac
while :; do sleep 0.05; done
`

// session is a client of a server whose hone is fakeHone. in and out are the client's ends.
type session struct {
	t      *testing.T
	server *Server
	client *mcp.ClientSession
	ended  chan error
	close  func() error
}

// withFakeHone is a server of a folder whose hone is fakeHone.
func withFakeHone(folder string) *Server {
	return New(Config{
		Folder: folder, Hone: []string{"/bin/sh", "-c", fakeHone, "hone"},
		Read: func(context.Context, ...string) (string, error) {
			return strings.Repeat("a line of a table\n", 1000), nil
		},
		Library: func() (*page.Library, io.Closer, error) { return nil, nil, errors.New("no ledger") },
	})
}

func newSession(t *testing.T) *session {
	t.Helper()
	s := withFakeHone(folder(t).Folder)
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	one := &session{t: t, server: s, ended: make(chan error, 1)}
	go func() { one.ended <- s.Serve(context.Background(), fromClient, toClient) }()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	one.client, one.close = client, client.Close
	t.Cleanup(func() { _ = client.Close() })
	return one
}

// call calls a tool.
func (s *session) call(name string, arguments map[string]any) (text string, f Facts, failed bool) {
	s.t.Helper()
	r, err := s.client.CallTool(s.t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		s.t.Fatalf("%s: %v", name, err)
	}
	raw, err := json.Marshal(r.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, &f)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	if len(f.Next) == 0 {
		s.t.Errorf("%s %v: the answer does not say what to do next", name, arguments)
	}
	return r.Content[0].(*mcp.TextContent).Text, f, r.IsError
}

// pid is that of the measurement under way.
func (s *session) pid() (pid int) {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.server.Folder, "pid"))
	if err == nil {
		_, err = fmt.Sscan(string(text), &pid)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return pid
}

func TestOneMeasurementAtATime(t *testing.T) {
	s := newSession(t)
	text, f, _ := s.call("run", map[string]any{"package": "./cmd/server", "wait_seconds": 1})
	if f.State != "running" || f.Measurement != "m1" || !strings.Contains(text, "args: run --json ./cmd/server") {
		t.Fatalf("%+v\n%s", f, text)
	}
	text, f, failed := s.call("compare", map[string]any{"package": "./cmd/server"})
	if !failed || !strings.Contains(text, "m1 is under way") || len(f.Next) != 2 {
		t.Errorf("%v %+v\n%s", failed, f, text)
	}
	text, f, _ = s.call("status", map[string]any{"stop": true})
	if f.ExitCode == nil || *f.ExitCode != 130 || !strings.Contains(text, "interrupted") {
		t.Errorf("%+v\n%s", f, text)
	}
	text, f, _ = s.call("run", map[string]any{"package": "./cmd/server", "args": []string{"quick"}, "wait_seconds": 60})
	if f.Measurement != "m2" || f.ExitCode == nil || *f.ExitCode != 3 ||
		f.Meaning != "the program failed: build, start or crash" {
		t.Errorf("%+v\n%s", f, text)
	}
	if text, _, failed = s.call("status", map[string]any{"measurement": "m11"}); !failed ||
		!strings.Contains(text, `did you mean "m1"?`) {
		t.Error(text)
	}
}

// A measurement whose program ended early is in the ledger, and its facts say why and what to do, as hone run does.
func TestAProgramThatEndsEarly(t *testing.T) {
	s := newSession(t)
	id := s.kept(fourSteps())
	text, f, failed := s.call("run", map[string]any{"package": "./cmd/server", "args": []string{"early=" + id},
		"wait_seconds": 60})
	if !failed || f.ID != id || f.ExitCode == nil || *f.ExitCode != 3 ||
		f.Error != "program A ended with exit code 1 before it was ready; the end of its stderr: Error: no config" ||
		f.Hint != "its flag --config is missing: arguments go after --, for example -- --config VALUE" {
		t.Errorf("%v %+v\n%s", failed, f, text)
	}
}

// The end of the client ends what it began.
func TestTheEndOfTheClientEndsTheMeasurement(t *testing.T) {
	s := newSession(t)
	if _, f, _ := s.call("run", map[string]any{"package": "./cmd/server", "wait_seconds": 1}); f.State != "running" {
		t.Fatalf("%+v", f)
	}
	pid := s.pid()
	if err := s.close(); err != nil {
		t.Error(err)
	}
	select {
	case err := <-s.ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the server goes on without a client")
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the measurement goes on: %v", err)
	}
	if code := s.server.measured.all[0].code; code != 130 {
		t.Errorf("the measurement ended with %d: it was not interrupted, so that it keeps nothing", code)
	}
}

// A call that the client cancels stops the measurement that it began.
func TestACancelledCallStopsItsMeasurement(t *testing.T) {
	s := newSession(t)
	ctx, cancel := context.WithCancel(t.Context())
	began := make(chan struct{})
	go func() {
		for { // until its first line
			s.server.measured.mu.Lock()
			n := len(s.server.measured.all)
			s.server.measured.mu.Unlock()
			if n > 0 {
				if lines, _ := s.server.measured.all[0].news(1); len(lines) > 0 {
					close(began)
					return
				}
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	go func() { <-began; cancel() }()
	if _, err := s.client.CallTool(ctx, &mcp.CallToolParams{Name: "run",
		Arguments: map[string]any{"package": "./cmd/server", "wait_seconds": 60}}); err == nil {
		t.Fatal("the call was not cancelled")
	}
	if text, f, _ := s.call("status", map[string]any{"wait_seconds": 60}); f.ExitCode == nil || *f.ExitCode != 130 {
		t.Errorf("%+v\n%s", f, text)
	}
}

func TestUnknownNames(t *testing.T) {
	s := newSession(t)
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		want      string
	}{
		{"rnu", nil, `did you mean "run"?`},
		{"flamegraph", nil, "there are run, compare, try_patch, bisect, reach, status"},
		{"run", map[string]any{"pakage": "./x"}, `did you mean "package"?`},
		{"run", map[string]any{"package": "./cmd/server", "env": []string{"A=b"}}, `there is no argument of run "env"`},
		{"run", map[string]any{"package": 5}, "package"},
		{"compare", nil, "package"},
		{"top", map[string]any{"run": "/etc/passwd"}, "not the name of a run"},
		{"tail", map[string]any{"run": "http://10.0.0.1:6060"}, "not the name of a run"},
		{"history", map[string]any{"number": 1000}, "number is 1000"},
		{"history", map[string]any{"package": "--ledger=/tmp"}, "begins with a dash"},
	} {
		text, _, failed := s.call(c.tool, c.arguments)
		if !failed || !strings.Contains(text, c.want) {
			t.Errorf("%s %v: %v %s", c.tool, c.arguments, failed, text)
		}
	}
}

// An answer is cut to its budget, says so, and keeps the calls that lead on.
func TestAnswersAreBounded(t *testing.T) {
	s := newSession(t)
	text, f, _ := s.call("history", nil)
	if len(text) > textBudget || f.Shown >= f.Lines || f.Lines != 1000 ||
		!strings.Contains(text, fmt.Sprintf("(%d of 1000 lines shown)", f.Shown)) ||
		!strings.HasSuffix(text, "next: report id=NAME\n") {
		t.Errorf("%d bytes, %+v, ends with %q", len(text), f, text[max(0, len(text)-100):])
	}
	long := Facts{Check: []string{strings.Repeat("x", 300), strings.Repeat("y", 300), "z"}}
	if _, got, _ := reply("ü"+strings.Repeat("ö", 5000), long, false); len(got.(Facts).Check) != 2 ||
		got.(Facts).Check[1] != "2 more: in the text, or report" {
		t.Errorf("%+v", got)
	}
}

// Fourteen tools at most, and little to read before the first call.
func TestToolsAreFewAndShort(t *testing.T) {
	s := newSession(t)
	list, err := s.client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) > 14 || len(raw) > 10_500 {
		t.Errorf("%d tools in %d bytes", len(list.Tools), len(raw))
	}
}

// Messages that are none, or too long, end the session and nothing else.
func TestHostileMessages(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":  "hello\n",
		"too long": `{"jsonrpc": "2.0", "method": "` + strings.Repeat("x", 4*maxMessage),
		"empty":    "",
		"a list":   "[[[[[[[[[[\n",
	} {
		s := folder(t)
		done := make(chan error, 1)
		in := strings.NewReader(text)
		go func() { done <- s.Serve(t.Context(), io.NopCloser(in), nopWriter{io.Discard}) }()
		select {
		case <-done: // with or without an error
		case <-time.After(time.Minute):
			t.Fatalf("%s: the server does not end", name)
		}
		if taken := len(text) - in.Len(); taken > 2*maxMessage {
			t.Errorf("%s: %d bytes of one message were taken, want at most %d and a buffer", name, taken, maxMessage)
		}
	}
}

type nopWriter struct{ io.Writer }

func (nopWriter) Close() error { return nil }
