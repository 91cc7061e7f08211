package subject

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/sys/processes"
	"github.com/gohone/hone/internal/testkit/leaktest"
	"github.com/gohone/hone/internal/text/fail"
)

// wantFail checks kind and text of an error, and that it has a hint where hint is set.
func wantFail(t *testing.T, err error, kind fail.Kind, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want kind %d", kind)
	}
	if got := fail.ExitCode(err); got != int(kind) {
		t.Errorf("kind %d, want %d: %v", got, kind, err)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error does not say %q: %v", part, err)
		}
	}
}

func TestStartFillsPortEverywhere(t *testing.T) {
	leaktest.None(t)
	b := server(t, "127.0.0.1:{port}")
	b.Variant.Env = []string{"URL=http://localhost:{port}/", "TWICE=variant"}
	dir := t.TempDir()
	p := start(t, b, StartOptions{
		Readiness: Readiness{Target: "localhost:{port}"}, Dir: dir,
		Env: []string{"TWICE=all", "PORT={port}"}, ProbeDir: t.TempDir(),
	})
	host, port, err := net.SplitHostPort(p.Address())
	if err != nil || host != "localhost" {
		t.Fatalf("address %q, want localhost and a port", p.Address())
	}
	for command, want := range map[string]string{
		"env URL":                "http://localhost:" + port + "/",
		"env PORT":               port,
		"env TWICE":              "all",
		"env PWD":                dir,
		"dir":                    dir,
		"pid":                    strconv.Itoa(p.PID()),
		"env HOME_THAT_IS_UNSET": "",
	} {
		if got := tell(t, p, command); got != want {
			t.Errorf("%s: subject has %q, want %q", command, got, want)
		}
	}
	// The test executable has the probe built in.
	if c, err := net.Dial("unix", p.ProbeSocket()); err != nil {
		t.Errorf("reach the probe: %v", err)
	} else {
		c.Close()
	}
	own, err := p.Listeners()
	if err != nil || len(own) != 1 || strconv.Itoa(own[0].Port) != port || own[0].PID != p.PID() {
		t.Errorf("listeners %v, %v; want one on port %s of PID %d", own, err, port, p.PID())
	}
	if c, err := p.Dial(t.Context()); err != nil {
		t.Error(err)
	} else {
		if _, ok := c.(*net.TCPConn); !ok {
			t.Errorf("connection is a %T", c)
		}
		c.Close()
	}
}

func TestStartFindsWhereTheSubjectListens(t *testing.T) {
	leaktest.None(t)
	p := start(t, server(t, "127.0.0.1:0", "[::]:0"), StartOptions{})
	own, err := p.Listeners()
	if err != nil || len(own) != 2 {
		t.Fatalf("listeners %v, %v; want two", own, err)
	}
	lowest := min(own[0].Port, own[1].Port)
	if want := fmt.Sprintf("127.0.0.1:%d", lowest); p.Address() != want {
		t.Errorf("address %s, want %s", p.Address(), want)
	}
	if got := tell(t, p, "pid"); got != strconv.Itoa(p.PID()) {
		t.Errorf("answer from PID %s, want %d", got, p.PID())
	}
}

// A subject whose port stands in its arguments needs no target, and its other
// Of do not confuse hone.
func TestStartPrefersTemplatePort(t *testing.T) {
	leaktest.None(t)
	for range 3 { // another port would be lower in some of them
		p := start(t, server(t, "127.0.0.1:0", "127.0.0.1:{port}", "127.0.0.1:0"), StartOptions{})
		if want := fmt.Sprintf("127.0.0.1:%d", p.port); p.Address() != want {
			t.Errorf("address %s, want %s", p.Address(), want)
		}
	}
}

// Fault 9, before the subject is ready.
func TestStartReportsEarlyDeath(t *testing.T) {
	leaktest.None(t)
	for _, target := range []string{"", "127.0.0.1:{port}"} {
		_, err := Start(t.Context(), role(t, "crash"), withGuard(StartOptions{Readiness: Readiness{Target: target}}))
		wantFail(t, err, fail.Subject, "program A", "exit code 7", "before it was ready", "panic: no configuration")
		if fail.HintOf(err) == "" {
			t.Error("no hint")
		}
	}
}

func TestStartReportsMissingProgram(t *testing.T) {
	leaktest.None(t)
	b := &build.Binary{Path: filepath.Join(t.TempDir(), "nothing")}
	_, err := Start(t.Context(), b, withGuard(StartOptions{}))
	wantFail(t, err, fail.Subject, "start program nothing", "no such file")
}

func TestStartReportsBrokenGuard(t *testing.T) {
	leaktest.None(t)
	o := withGuard(StartOptions{})
	o.Guard[1] = rolePrefix + "crash"
	_, err := Start(t.Context(), server(t, "127.0.0.1:0"), o)
	wantFail(t, err, fail.Environment, "guard", "no configuration")
	o.Guard = nil
	_, err = Start(t.Context(), server(t, "127.0.0.1:0"), o)
	wantFail(t, err, fail.BadInput, "guard")
}

func TestStartGivesUpOnASilentSubject(t *testing.T) {
	leaktest.None(t)
	o := withGuard(StartOptions{Readiness: Readiness{ReadyTimeout: 300 * time.Millisecond, Target: "127.0.0.1:{port}"}})
	_, err := Start(t.Context(), role(t, "hang"), o)
	wantFail(t, err, fail.Subject, "did not listen on 127.0.0.1:", "no TCP port")
	o.ReadyTimeout = 4 * time.Second // on a busy machine it takes a second until the program listens at all
	_, err = Start(t.Context(), server(t, "127.0.0.1:0"), o)
	wantFail(t, err, fail.Subject, "did not listen on", "it listens on 127.0.0.1:")
	if fail.HintOf(err) == "" {
		t.Error("no hint")
	}
}

func TestStartCancelled(t *testing.T) {
	leaktest.None(t)
	marker := "MARKER=" + t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	b := role(t, "hang")
	b.Variant.Env = []string{marker}
	result := make(chan error, 1)
	go func() {
		_, err := Start(ctx, b, withGuard(StartOptions{Readiness: Readiness{ReadyTimeout: time.Minute},
			Grace: time.Minute}))
		result <- err
	}()
	await(t, "the subject to run", func() bool { return len(withEnv(marker)) > 0 })
	cancel()
	wantFail(t, <-result, fail.Interrupted, "context canceled")
	if left := withEnv(marker); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}

func TestStartRejectsBadTargets(t *testing.T) {
	leaktest.None(t)
	for _, target := range []string{"8080", "127.0.0.1:http", "127.0.0.1:0", "127.0.0.1:70000", "192.0.2.7:80"} {
		_, err := Start(t.Context(), server(t), withGuard(StartOptions{Readiness: Readiness{Target: target}}))
		wantFail(t, err, fail.BadInput, strconv.Quote(target))
	}
	long := filepath.Join(t.TempDir(), strings.Repeat("x", 100))
	_, err := Start(t.Context(), server(t), withGuard(StartOptions{ProbeDir: long}))
	wantFail(t, err, fail.Environment, "Unix socket")
}

// Fault 30: the process that serves is not the one that was built.
func TestStartNoticesStaleBinary(t *testing.T) {
	leaktest.None(t)
	b := server(t, "127.0.0.1:{port}")
	b.BuildID = "of/another/build/entirely"
	_, err := Start(t.Context(), b, withGuard(StartOptions{Readiness: Readiness{Target: "127.0.0.1:{port}"}}))
	wantFail(t, err, fail.Subject)
}

// await polls for something that the system has no event for. It fails the test
// after a time in which anything happens that happens at all.
func await(t *testing.T, what string, happened func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !happened() {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

// withEnv lists the processes that have the entry in their environment.
func withEnv(entry string) []int {
	var found []int
	for _, pid := range processes.All() {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if err == nil && slices.Contains(strings.Split(string(text), "\x00"), entry) {
			found = append(found, pid)
		}
	}
	return found
}
