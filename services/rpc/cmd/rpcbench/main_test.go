package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"regexp"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/gohone/hone/services/internal/program"
	"github.com/gohone/hone/services/internal/servicetest"
	"github.com/gohone/hone/services/rpc"
	"github.com/gohone/hone/services/rpc/helloworld"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve starts a server and returns its address.
func serve(t *testing.T, stage string, register func(*rpc.Server) error) string {
	t.Helper()
	s, err := rpc.New(rpc.Config{Stage: stage})
	if err != nil {
		t.Fatal(err)
	}
	if err := register(s); err != nil {
		t.Fatal(err)
	}
	ln := servicetest.Listen(t)
	t.Cleanup(servicetest.Serve(t, ln, s))
	return ln.Addr().String()
}

var report = regexp.MustCompile(`^took +\d+ ms
sent +(\d+)
received +(\d+)
succeeded +(\d+)
failed +(\d+)
throughput \(TPS\) \d+
$`)

func TestReport(t *testing.T) {
	for _, stage := range rpc.Stages {
		addr := serve(t, stage.Name, helloworld.Register)
		var stdout, stderr bytes.Buffer
		args := []string{"-target", addr, "-stage", stage.Name, "-concurrency", "7", "-total", "500"}
		if code := run(t.Context(), args, &stdout, &stderr); code != program.OK {
			t.Errorf("%s: exit code %d, want 0: %s", stage.Name, code, stderr.String())
		}
		m := report.FindStringSubmatch(stdout.String())
		if m == nil || strings.Join(m[1:], " ") != "500 500 500 0" {
			t.Errorf("%s: report is\n%s", stage.Name, stdout.String())
		}
	}
}

// The published server answers with stream id 0, and ends a connection at a heartbeat.
func TestAgainstTheKindOfThePublishedServer(t *testing.T) {
	addr := servicetest.ServeEach(t, answerAsPublished)
	for _, stage := range rpc.Stages {
		var stdout, stderr bytes.Buffer
		args := []string{"-target", addr, "-stage", stage.Name, "-concurrency", "7", "-total", "500"}
		code := run(t.Context(), args, &stdout, &stderr)
		m := report.FindStringSubmatch(stdout.String())
		if code != program.OK || m == nil || strings.Join(m[1:], " ") != "500 500 500 0" {
			t.Errorf("%s: exit code %d\n%s%s", stage.Name, code, stdout.String(), stderr.String())
		}
	}
}

// answerAsPublished answers everything in order and without its stream id.
func answerAsPublished(conn net.Conn) {
	for head := make([]byte, rpc.HeaderSize); ; {
		if _, err := io.ReadFull(conn, head); err != nil {
			return
		}
		h, err := rpc.DecodeHeader(head)
		if err != nil {
			return
		}
		if _, err := io.CopyN(io.Discard, conn, int64(h.Length)); err != nil || h.Length == 0 {
			return // at a heartbeat, too
		}
		answer := rpc.Response{Message: "success", Payload: []byte("\x81\xa3Msg\xa5world")}
		body := rpc.AppendResponse(nil, &answer)
		if _, err := conn.Write(append(rpc.AppendHeader(nil, rpc.Header{Length: uint32(len(body))}), body...)); err != nil {
			return
		}
	}
}

// Calls that fail, or whose reply is wrong, are counted as that.
func TestFailuresAreCounted(t *testing.T) {
	for name, register := range map[string]func(*rpc.Server) error{
		"first failure: reply is": func(s *rpc.Server) error {
			return rpc.RegisterInline(s, helloworld.Path, func(_ context.Context, _ *helloworld.HelloRequest, reply *helloworld.HelloReply) error {
				reply.Msg = "word"
				return nil
			})
		},
		"no service path": func(*rpc.Server) error { return nil },
	} {
		addr := serve(t, "", register)
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), []string{"-target", addr, "-concurrency", "3", "-total", "10"}, &stdout, &stderr)
		m := report.FindStringSubmatch(stdout.String())
		if code != program.Failed || m == nil || strings.Join(m[1:], " ") != "10 10 0 10" || !strings.Contains(stderr.String(), name) {
			t.Errorf("%s: exit code %d\n%s%s", name, code, stdout.String(), stderr.String())
		}
	}
}

// A signal ends the calls; what was done is reported, and is not all.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	addr := serve(t, "", func(s *rpc.Server) error {
		return rpc.RegisterInline(s, helloworld.Path, func(_ context.Context, _ *helloworld.HelloRequest, reply *helloworld.HelloReply) error {
			if calls++; calls == 100 {
				cancel()
			}
			reply.Msg = "world"
			return nil
		})
	})
	var stdout, stderr bytes.Buffer
	args := []string{"-target", addr, "-concurrency", "1", "-conns", "1"}
	if code := run(ctx, args, &stdout, &stderr); code != program.Failed || report.FindStringSubmatch(stdout.String()) == nil {
		t.Errorf("exit code %d\n%s%s", code, stdout.String(), stderr.String())
	}
}

func TestBadFlags(t *testing.T) {
	for want, args := range map[string][]string{
		"concurrency is 0, want 1 or more\ntotal is -1": {"-concurrency", "0", "-total", "-1"},
		`unknown stage "fast"`:                          {"-stage", "fast"},
		"conns is 3, but naive has one for each of 500": {"-stage", "naive", "-conns", "3"},
		"conns is -1":                   {"-conns", "-1"},
		"either an address":             {"-target", ""},
		"unexpected argument":           {"now"},
		"flag provided but not defined": {"-fast"},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), args, &stdout, &stderr); code != program.Usage || !strings.Contains(stderr.String(), want) {
			t.Errorf("%q: exit code %d, %s", args, code, stderr.String())
		}
	}
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"-help"}, &stdout, &stderr); code != program.OK || !strings.Contains(stderr.String(), "pipelined") {
		t.Errorf("-help: %d, %s", code, stderr.String())
	}
}

func TestNoServerListens(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"-target", ln.Addr().String()}, &stdout, &stderr); code != program.Failed || !strings.Contains(stderr.String(), "dial tcp") {
		t.Errorf("exit code %d, %s", code, stderr.String())
	}
}
