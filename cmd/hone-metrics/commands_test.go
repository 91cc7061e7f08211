package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/spec/extension"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/testkit/hinttest"
	"github.com/gohone/hone/internal/testkit/storytest"
	"github.com/gohone/hone/internal/text/fail"
)

// said is what a command line prints, and its exit code.
func said(args ...string) (code int, stdout, stderr string) {
	var out, messages bytes.Buffer
	code = extension.Main(commands, args, &out, &messages)
	return code, out.String(), messages.String()
}

// Hints name flags and commands that exist.
func TestHintsNameFlagsAndCommandsThatExist(t *testing.T) {
	root := commands(&extension.Terminal{Stdout: io.Discard, Stderr: io.Discard})
	if n := hinttest.Check(t, root, func(string) []string { return nil }, "."); n < 10 {
		t.Errorf("only %d hints were found: has their form changed?", n)
	}
}

// Bad input has the exit code for it, and a next step.
func TestErrorsHaveAKindAndAHint(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{
		{"query", "nonsense{", "--run", "0123abcd"}, {"query", "up"}, {"query"}, {"query", "up", "--step", "many"},
		{"push", "nonsense"},
		{"push", "0123abcd", "--to", "http://127.0.0.1:1/"}, {"gc", "0123abcd"}, {"nosuch"}, {"runs", "--nosuch"},
		{"prune", "x"},
		{"observe", "up", "x", "--service", "nonsense"},
	} {
		code, _, stderr := said(args...)
		if code != int(fail.BadInput) || !strings.Contains(stderr, "hint: ") &&
			!strings.Contains(stderr, "required flag") {
			t.Errorf("%q: exit code %d: %s", args, code, stderr)
		}
	}
}

// venom is text that clears a screen, sets a title, turns the direction around and hides.
const venom = "bad\x1b[2J\x1b]0;owned\x07\u009b31m\r\b\x7f\u202e\u200b\u2028"

// What a program's page says comes out of every command, and none of it steers the terminal. A URL's password is in
// none.
func TestStrangersDoNotSteerTheTerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	l, err := ledger.Open(".hone")
	if err != nil {
		t.Fatal(err)
	}
	draft, err := l.BeginRun(ledger.Run{Package: "p"})
	if err == nil {
		err = draft.Finish(ledger.Complete, "", nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	run := draft.ID()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "stranger", Help: venom}, []string{"label"})
	g.WithLabelValues(venom).Set(1)
	registry := prometheus.NewRegistry()
	registry.MustRegister(g)
	r, err := metrics.In(".hone").Record(metrics.RunOptions{Run: run, Interval: time.Hour,
		Sources: map[string]prometheus.Gatherer{"app": registry}})
	if err == nil {
		err = r.Stop()
	}
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(venom))
	}))
	defer server.Close()
	const secret = "s3cr3t-0f-th3-us3r"
	withSecret := strings.Replace(server.URL, "http://", "http://user:"+secret+"@", 1) + "/?token=" + secret
	shown := 0
	for _, args := range [][]string{
		{"runs"}, {"query", "stranger"}, {"query", "stranger", "--json"}, {"query", venom},
		{"query", "stranger", "--run", run, "--at", "-0s"},
		{"push", run, "--to", server.URL}, {"push", run, "--to", withSecret}, {"push", venom, "--to", server.URL},
		{"gc", run}, {venom},
		{"observe", "up", "none\x1b/x"}, {"observe", "up", filepath.Join("stack", venom)},
		{"observe", "up", "stack", "--service", strings.TrimPrefix(server.URL, "http://")},
	} {
		code, stdout, stderr := said(args...)
		for name, out := range map[string]string{"stdout": stdout, "stderr": stderr} {
			if r, steers := storytest.Steering(out); steers {
				t.Errorf("%q: %q in %s:\n%q", args, r, name, out)
			}
			if strings.Contains(out, secret) {
				t.Errorf("%q printed the secret in %s: %s", args, name, out)
			}
			shown += strings.Count(out, `\u001b`)
		}
		if args[0] == "query" && args[1] == "stranger" && code != 0 {
			t.Errorf("%q: exit code %d: %s", args, code, stderr)
		}
	}
	if shown < 5 {
		t.Errorf("only %d escapes were shown: the commands did not meet the text", shown)
	}
}
