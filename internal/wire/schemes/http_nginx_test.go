package schemes_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// nginxConf is an nginx of one process with all its files in one directory. Its upstream
// is a net/http server, its other one is not there.
const nginxConf = `
daemon off;
master_process off;
pid %[1]s/pid;
error_log %[1]s/error.log;
events { worker_connections 64; }
http {
	access_log off;
	client_body_temp_path %[1]s/t1;
	proxy_temp_path %[1]s/t2;
	fastcgi_temp_path %[1]s/t3;
	uwsgi_temp_path %[1]s/t4;
	scgi_temp_path %[1]s/t5;
	keepalive_requests 10;
	gzip off;
	server {
		listen 127.0.0.1:%[2]d;
		root %[1]s/html;
		location /forbidden { return 403; }
		location /moved { return 301 /; }
		location /nothing { return 204; }
		location /replaced { alias %[1]s/html/; sub_filter_once off; sub_filter_types *; sub_filter here there; }
		location /dead { proxy_pass http://127.0.0.1:%[3]d; }
		location /up { proxy_pass http://%[4]s; proxy_http_version 1.1; }
		location /close { keepalive_timeout 0; return 200 "bye"; }
	}
}
`

// startNginx starts nginx in front of upstream and returns its URL. It ends with the
// test. A port that is taken between the choice and the start is tried again.
func startNginx(t *testing.T, upstream string) string {
	t.Helper()
	bin, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("nginx not found: install it to run this test")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "html"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"file": strings.Repeat("here ", 20_000), "small": "here"} {
		if err := os.WriteFile(filepath.Join(dir, "html", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var said bytes.Buffer
	for range 5 {
		port, dead := freePort(t), freePort(t)
		conf := fmt.Sprintf(nginxConf, dir, port, dead, upstream)
		if err := os.WriteFile(filepath.Join(dir, "nginx.conf"), []byte(conf), 0o644); err != nil {
			t.Fatal(err)
		}
		said.Reset()
		cmd := exec.Command(bin, "-p", dir, "-c", filepath.Join(dir, "nginx.conf"), "-e",
			filepath.Join(dir, "error.log"))
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { _ = cmd.Wait(); close(ended) }() // ends with the process, which we kill
		stop := func() { _ = cmd.Process.Kill(); <-ended }
		url := fmt.Sprintf("http://127.0.0.1:%d", port)
		if answersHTTP(url+"/small", "here", ended) {
			t.Cleanup(stop)
			return url
		}
		stop()
	}
	t.Fatalf("nginx does not start: %s", said.String())
	return ""
}

// freePort is a port that had no listener a moment ago.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// answersHTTP waits until url answers, and says whether that was with that text; false
// also if the server ends first.
func answersHTTP(url, text string, ended <-chan struct{}) bool {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		if resp, err := client.Get(url); err == nil {
			body, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			return string(body) == text
		}
		select {
		case <-ended:
			return false
		case <-time.After(5 * time.Millisecond): // then it is asked again
		}
	}
}

func TestHTTPLoadsNginx(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range 3 {
			io.WriteString(w, strings.Repeat("x", 5000))
			w.(http.Flusher).Flush()
		}
	}))
	defer upstream.Close()
	url := startNginx(t, upstream.Listener.Addr().String())
	size := func(n int64) *int64 { return &n }
	for name, c := range map[string]struct {
		path    string
		options wire.Options
		status  int
	}{
		"file": {"/file", wire.Options{Expect: wire.Expect{Length: size(100_000), Body: "here here"}}, 200},
		"head": {"/file", wire.Options{Method: "HEAD"}, 200},
		"filter": {"/replaced/file", wire.Options{Expect: wire.Expect{Length: size(120_000), Body: "there there"}},
			200},
		"proxied":     {"/up", wire.Options{Expect: wire.Expect{Length: size(15_000)}}, 200},
		"nothing":     {"/nothing", wire.Options{}, 204},
		"redirect":    {"/moved", wire.Options{}, 301},
		"close":       {"/close", wire.Options{Expect: wire.Expect{Body: "bye"}}, 200},
		"asked close": {"/small", wire.Options{Headers: []string{"Connection: close"}}, 200},
		"error 404":   {"/none", wire.Options{Expect: wire.Expect{Status: []string{"404"}, Body: "Not Found"}}, 404},
		"error 403":   {"/forbidden", wire.Options{Expect: wire.Expect{Status: []string{"4xx"}}}, 403},
		"error 502":   {"/dead", wire.Options{Expect: wire.Expect{Status: []string{"502"}}}, 502},
		"error 405":   {"/small", wire.Options{Body: []byte("x"), Expect: wire.Expect{Status: []string{"405"}}}, 405},
	} {
		for engine := range engines {
			const n = 100
			got := fire(t, engine, url+c.path, c.options, 1, n)
			what := name + " on the " + engine
			wantRight(t, what, got, n)
			if got.Codes[c.status] != n {
				t.Errorf("%s: statuses %v, want all %d", what, got.Codes, c.status)
			}
			// It closes after 10 answers at the latest: 100 need at least 10 connections, of
			// which 3 are there at the start.
			if got.Renewed < 7 || got.Reconnects > 0 {
				t.Errorf("%s: %d connections renewed, %d reconnects", what, got.Renewed, got.Reconnects)
			}
		}
	}
	got := fire(t, "event loop", url+"/none", wire.Options{}, 1, 100)
	if got.Causes[load.WrongStatus] != 100 || got.Codes[404] != 100 {
		t.Errorf("an error page counts as %+v, %v", got.Counts, got.Codes)
	}
}
