package main

import (
	"context"
	"encoding/pem"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gohone/hone/internal/view/receipt"
	"github.com/gohone/hone/judge"
)

// forge FROM TO [WHAT VALUE] writes a receipt with something else, and a digest that is right: without more a first
// claim of a gain of 90 %, with figures that fit together; the address of the repository; the directory below its root;
// one more word of the command; the packages that were tested.
func forge(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 && len(args) != 4 {
		ts.Fatalf("usage: forge FROM TO [remote|below|word VALUE]")
	}
	r, _, err := receipt.ReadFile(context.Background(), ts.MkAbs(args[0]))
	ts.Check(err)
	if len(args) == 2 {
		v := &r.Claims[0].Verdicts[0]
		v.Word, v.Ratio, v.Low, v.High, v.Resolution = judge.Faster, 0.10, 0.08, 0.125, 0.25
		v.EquivalenceLow, v.EquivalenceHigh, v.P, v.Level = 0.09, 0.11, 0.01, 0.02
		v.B = v.A * v.Ratio
		r.Claims[0].Word = judge.Faster
	} else {
		value := args[3]
		switch args[2] {
		case "remote":
			r.Repository.Remote = value
		case "below":
			r.Repository.Below = value
		case "word":
			r.Line = append(r.Line, value)
		default:
			ts.Fatalf("forge: unknown %q", args[2])
		}
	}
	f, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	ts.Check(receipt.Write(f, r))
	ts.Check(f.Close())
}

// gitServer DIR serves the bare repositories in a directory at $SERVER, by git's own HTTP backend and TLS, as GitHub
// and GitLab do. git trusts its certificate in this story.
func gitServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gitserver DIR")
	}
	execPath, err := exec.Command("git", "--exec-path").Output()
	ts.Check(err)
	server := httptest.NewTLSServer(&cgi.Handler{
		Path: filepath.Join(strings.TrimSpace(string(execPath)), "git-http-backend"), Stderr: os.Stderr,
		Env: []string{"GIT_PROJECT_ROOT=" + ts.MkAbs(args[0]), "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_GLOBAL=/dev/null",
			"GIT_CONFIG_SYSTEM=/dev/null"},
	})
	ts.Defer(server.Close)
	authority := ts.MkAbs("authority.pem")
	block := &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}
	ts.Check(os.WriteFile(authority, pem.EncodeToMemory(block), 0o600))
	ts.Setenv("GIT_SSL_CAINFO", authority)
	ts.Setenv("SERVER", server.URL)
}
