package subject

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/testkit/leaktest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/fail/failtest"
)

func TestParseReady(t *testing.T) {
	for text, want := range map[string]Ready{
		"http:/healthz":                    {kind: readyHTTP, value: "/healthz", status: "2xx"},
		"http:204:/healthz?full=1":         {kind: readyHTTP, value: "/healthz?full=1", status: "204"},
		"http:4xx:/":                       {kind: readyHTTP, value: "/", status: "4xx"},
		"http://127.0.0.1:{port2}/up":      {kind: readyHTTP, value: "http://127.0.0.1:{port2}/up", status: "2xx"},
		"https://localhost:80/":            {kind: readyHTTP, value: "https://localhost:80/", status: "2xx"},
		"http:503:https://localhost:80/up": {kind: readyHTTP, value: "https://localhost:80/up", status: "503"},
		"port:9000":                        {kind: readyPort, value: "9000"},
		"port:{db.port}":                   {kind: readyPort, value: "{db.port}"},
		"socket:@x":                        {kind: readySocket, value: "@x"},
		"file:{dir}/up and ready":          {kind: readyFile, value: "{dir}/up and ready"},
	} {
		r, err := ParseReady(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if want.text = text; *r != want {
			t.Errorf("%s: %+v, want %+v", text, *r, want)
		}
	}
	for text, part := range map[string]string{
		"": "names no way", "soon": "names no way", "htp:/x": "names no way", "http:": "nothing stands after http:",
		"http:x": "begins with /", "https:/x": "begins with /", "http:/a b": "a blank", "http:999:/x": "begins with /",
		"http://": "names no host",
		"port:x":  `port "x" is not a number`, "port:0": "not a number", "port:70000": "not a number",
		"file:": "nothing stands after",
		"log:(": "missing closing", "log:.*": "matches every line", "file:a\x00b": "zero byte",
	} {
		_, err := ParseReady(text)
		failtest.Want(t, err, fail.BadInput, part, "log:REGEX")
	}
}

func FuzzParseReady(f *testing.F) {
	for _, s := range []string{"http:/healthz", "http:204:http://h:{port2}/x", "port:{db.port}", "log:a.*b", "file:x",
		"socket:@x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseReady(text)
		if err == nil && (r.String() != text || r.value == "") {
			t.Errorf("%q is %+v", text, r)
		}
		if err != nil && fail.ExitCode(err) != int(fail.BadInput) {
			t.Errorf("%q: %v", text, err)
		}
	})
}

func ready(t *testing.T, text string) *Ready {
	t.Helper()
	r, err := ParseReady(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// slowServer is a subject of the role "slow", which listens at once and is ready later.
func slowServer(t *testing.T) *build.Binary {
	b := role(t, "slow")
	b.Variant.Args = append(b.Variant.Args, "127.0.0.1:{port}", "{dir}")
	return b
}

func TestReady(t *testing.T) {
	leaktest.None(t)
	for _, text := range []string{
		"http:/ready", "http:204:/nothing", "http:404:/none", "http://127.0.0.1:{port}/ready", "file:{dir}/ready",
		"file:ready", "port:{port2}", "socket:{socket}",
		"log:^ready after [0-9]+ms$", "log:prompt without an end",
	} {
		t.Run(text, func(t *testing.T) {
			b := slowServer(t)
			b.Variant.Env = []string{"LATE_PORT=127.0.0.1:{port2}", "LATE_SOCKET={socket}"}
			for _, target := range []string{"127.0.0.1:{port}", ""} {
				if target == "" && text != "http:/ready" && text != "file:ready" {
					continue
				}
				dir := shortDir(t)
				began := time.Now()
				p := start(t, b, StartOptions{Readiness: Readiness{Target: target, Ready: ready(t, text)}, DataDir: dir,
					Dir: dir})
				if took := time.Since(began); took < slowTime {
					t.Errorf("ready after %v, and the program takes %v", took, slowTime)
				}
				if want := "127.0.0.1:" + strconv.Itoa(p.port); p.Address() != want {
					t.Errorf("address %s, want %s", p.Address(), want)
				}
			}
		})
	}
}

func TestNotReady(t *testing.T) {
	leaktest.None(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "old"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	var all sync.WaitGroup
	for _, c := range []struct {
		ready string
		parts []string
	}{
		{"http:/missing", []string{"was not ready within 2s: waited for http:/missing", "answered with status 404",
			"--set ready.timeout"}},
		{"http://127.0.0.1:1/", []string{"no answer from 127.0.0.1:1", "connection refused"}},
		{"log:never said", []string{"waited for log:never said, and no line of its output matched",
			"the end of its std"}},
		{"file:nothing", []string{"waited for file:nothing, and there is no such file"}},
		{"file:old", []string{"the file is older than the start"}},
		{"port:" + port, []string{"port:" + port + " is taken", "ss -ltnp", "{port}"}},
		{"port:1", []string{"waited for port:1, and dial tcp 127.0.0.1:1: connect: connection refused"}},
		{"socket:none", []string{"waited for socket:none", "no such file"}},
	} {
		all.Go(func() { // at the same time, since each waits to the end
			_, err := Start(t.Context(), slowServer(t), withGuard(StartOptions{
				Readiness: Readiness{Target: "127.0.0.1:{port}", Ready: ready(t, c.ready), ReadyTimeout: 2 * time.Second},
				DataDir:   t.TempDir(), Dir: dir,
			}))
			failtest.Want(t, err, fail.Subject, c.parts...)
		})
	}
	all.Wait()
	_, err = Start(t.Context(), role(t, "crash"), withGuard(StartOptions{Readiness: Readiness{Ready: ready(t,
		"log:listening")}}))
	failtest.Want(t, err, fail.Subject, "ended with exit code 7 before it was ready", "panic: no configuration")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Start(ctx, role(t, "hang"), withGuard(StartOptions{Readiness: Readiness{Ready: ready(t, "log:listening")}}))
	failtest.Want(t, err, fail.Interrupted, "context canceled")
}

// Lines come in pieces, and one without an end counts as it is.
func TestLineWatch(t *testing.T) {
	w := newLineWatch(ready(t, "log:^ready (to serve)?$").line.MatchString)
	s := w.stream()
	for _, piece := range []string{"not ready to serve\r\nread", "y to ser", strings.Repeat("x", 2*mostLine),
		"\nready to s"} {
		if _, err := s.Write([]byte(piece)); err != nil || closed(w.found) {
			t.Fatalf("found at %.20q, %v", piece, err)
		}
	}
	if _, _ = s.Write([]byte("erve")); !closed(w.found) {
		t.Error("not found")
	}
	_, _ = s.Write([]byte("more\nready \n"))
}

func TestForeignTemplates(t *testing.T) {
	leaktest.None(t)
	b := server(t, "127.0.0.1:{port}")
	b.Variant.Env = []string{"DSN=postgres://127.0.0.1:{db.port}/x?host={db.socket}"}
	p := start(t, b, StartOptions{Readiness: Readiness{Target: "127.0.0.1:{port}"},
		Names: map[string]string{"{db.port}": "5432", "{db.socket}": "/run/s"}})
	if got := tell(t, p, "env DSN"); got != "postgres://127.0.0.1:5432/x?host=/run/s" {
		t.Errorf("%q", got)
	}
	for env, parts := range map[string][]string{
		"X={db.port2}":   {"{db.port2}: the command of need db has no {port2}", "{db.port}, {db.socket}"},
		"X={cache.port}": {"there is no need called cache"},
	} {
		b.Variant.Env = []string{env}
		_, err := Start(t.Context(), b,
			withGuard(StartOptions{Readiness: Readiness{Target: "127.0.0.1:{port}"},
				Names: map[string]string{"{db.port}": "5432", "{db.socket}": "/run/s"}}))
		failtest.Want(t, err, fail.BadInput, parts...)
	}
}
