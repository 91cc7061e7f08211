package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gohone/hone/services/internal/program"
	"github.com/gohone/hone/services/internal/servicetest"
	"github.com/gohone/hone/services/tlsidle"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve runs a server of the service until the test ends.
func serve(t *testing.T) (addr string) {
	t.Helper()
	server, err := tlsidle.New(tlsidle.Config{})
	if err != nil {
		t.Fatal(err)
	}
	ln := servicetest.Listen(t)
	t.Cleanup(servicetest.Serve(t, ln, server))
	return ln.Addr().String()
}

// other runs some other HTTPS server until the test ends.
func other(t *testing.T, h http.HandlerFunc) (addr string) {
	t.Helper()
	server := httptest.NewTLSServer(h)
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// idleconns runs the program.
func idleconns(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(t.Context(), args, &out, &err)
	return code, out.String(), err.String()
}

func TestCountsRightAnswers(t *testing.T) {
	args := []string{"-addr", serve(t), "-conns", "20", "-warm", "3", "-rate", "500", "-for", "100ms", "-settle", "0", "-json"}
	if runtime.GOOS == "linux" {
		args = append(args, "-pid", strconv.Itoa(os.Getpid()))
	}
	code, stdout, stderr := idleconns(t, args...)
	if code != program.OK || stderr != "" {
		t.Fatalf("exit code %d:\n%s", code, stderr)
	}
	var r Result
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatal(err)
	}
	if want := (Tally{Due: 70, Sent: 70, Right: 70}); r.Tally != want || r.Schema != schema || r.Conns != 20 {
		t.Errorf("result is %+v, want %+v of 20 connections", r, want)
	}
	if runtime.GOOS != "linux" {
		return
	}
	if r.Before == nil || r.Before.Resident <= 0 || r.After == nil || r.PerConn == nil {
		t.Fatalf("no memory in %s", stdout)
	}
	if got, want := r.PerConn.Resident, float64(r.After.Resident-r.Before.Resident)/20; got != want {
		t.Errorf("%v bytes per connection, want %v", got, want)
	}
}

func TestSaysWhatIsWrong(t *testing.T) {
	document := tlsidle.Document()
	for name, tc := range map[string]struct {
		answer http.HandlerFunc
		want   string // in the first fault
		failed bool
	}{
		"status":    {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503); w.Write(document) }, "status is 503", false},
		"truncated": {func(w http.ResponseWriter, _ *http.Request) { w.Write(document[:15_999]) }, "body of 15999 bytes", false},
		"altered": {func(w http.ResponseWriter, _ *http.Request) {
			b := bytes.Clone(document)
			b[8000] ^= 1
			w.Write(b)
		}, "body of 16000 bytes is not", false},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "16000")
			w.Write(document[:100])
			panic(http.ErrAbortHandler)
		}, "read answer", true},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, _ := idleconns(t, "-addr", other(t, tc.answer), "-conns", "2", "-rate", "0", "-json")
			var r Result
			if err := json.Unmarshal([]byte(stdout), &r); err != nil {
				t.Fatal(err)
			}
			if code != program.Failed || r.Right != 0 || r.Wrong+r.Failed != 2 || (r.Failed == 2) != tc.failed || !strings.Contains(r.FirstFault, tc.want) {
				t.Errorf("exit code %d, %+v; want 1 and 2 faults like %q", code, r.Tally, tc.want)
			}
		})
	}
}

// Any server can be measured whose body has a known length.
func TestOtherBodies(t *testing.T) {
	addr := other(t, func(w http.ResponseWriter, _ *http.Request) { w.Write(make([]byte, 777)) })
	for body, code := range map[string]int{"777": program.OK, "776": program.Failed} {
		if got, out, err := idleconns(t, "-addr", addr, "-conns", "1", "-rate", "0", "-body", body); got != code {
			t.Errorf("-body %s: exit code %d, want %d:\n%s%s", body, got, code, out, err)
		}
	}
}

// An interrupt ends it, and it says so.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	addr := other(t, func(w http.ResponseWriter, _ *http.Request) {
		cancel()
		w.Write(tlsidle.Document())
	})
	var out, err bytes.Buffer
	if code := run(ctx, []string{"-addr", addr, "-conns", "1", "-for", "1h"}, &out, &err); code != program.Failed || !strings.Contains(err.String(), "canceled") {
		t.Errorf("exit code %d:\n%s%s", code, out.String(), err.String())
	}
}

func TestFaultsOfUse(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for name, tc := range map[string]struct {
		args []string
		code int
		want string
	}{
		"no connections": {[]string{"-conns", "0"}, program.Usage, "-conns is 0"},
		"rate":           {[]string{"-rate", "NaN"}, program.Usage, "-rate is NaN"},
		"negative":       {[]string{"-pid", "-1", "-settle", "-1s"}, program.Usage, "-settle is -1s"},
		"argument":       {[]string{"x"}, program.Usage, `unexpected argument "x"`},
		"no server":      {[]string{"-addr", closed.Addr().String(), "-conns", "3"}, program.Failed, "open connection"},
		"no process":     {[]string{"-addr", closed.Addr().String(), "-settle", "0", "-pid", "999999999"}, program.Failed, "read memory of process 999999999"},
	} {
		if code, _, stderr := idleconns(t, tc.args...); code != tc.code || !strings.Contains(stderr, tc.want) {
			t.Errorf("%s: exit code %d, want %d and %q:\n%s", name, code, tc.code, tc.want, stderr)
		}
	}
	if code, _, stderr := idleconns(t, "-help"); code != program.OK || !strings.Contains(stderr, "-conns") {
		t.Errorf("-help: exit code %d:\n%s", code, stderr)
	}
}

func TestParseMemory(t *testing.T) {
	const text = "Name:\tx\nVmRSS:\t    1234 kB\nRssAnon:\t     234 kB\nRssFile:\t    1000 kB\nRssShmem:\t       0 kB\n"
	if m, err := parseMemory(text); err != nil || m != (Memory{1234 << 10, 234 << 10, 1000 << 10}) {
		t.Errorf("read %+v, %v", m, err)
	}
	for name, text := range map[string]string{
		"empty":    "",
		"zombie":   "Name:\tx\nState:\tZ (zombie)\n",
		"unit":     strings.Replace(text, "234 kB", "234 MB", 1),
		"number":   strings.Replace(text, "1000", "-1", 1),
		"too much": strings.Replace(text, "1000", "99999999999999999999", 1),
	} {
		if m, err := parseMemory(text); err == nil {
			t.Errorf("%s: read %+v", name, m)
		}
	}
}

func FuzzParseMemory(f *testing.F) {
	f.Add("VmRSS:\t1 kB\nRssAnon:\t1 kB\nRssFile:\t0 kB\n")
	f.Add("VmRSS:\nRssAnon:kB\n")
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := parseMemory(text); err == nil && (m.Resident < 0 || m.Anonymous < 0 || m.File < 0) {
			t.Errorf("read %+v", m)
		}
	})
}

// The schedule is kept: requests are due at their moments, and not in one go.
func TestRateIsKept(t *testing.T) {
	begin := time.Now()
	code, _, stderr := idleconns(t, "-addr", serve(t), "-conns", "2", "-rate", "100", "-for", "300ms")
	if code != program.OK {
		t.Fatal(stderr)
	}
	if took := time.Since(begin); took < 290*time.Millisecond {
		t.Errorf("30 requests at 100/s were sent within %v", took)
	}
}
