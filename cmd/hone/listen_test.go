package main

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/gohone/hone/internal/testkit/nettest"
)

// Fault 29, with the real command on an address that other machines reach: without the token
// nothing is answered.
func TestServersAskOtherMachinesForTheToken(t *testing.T) {
	t.Parallel()
	own := nettest.OtherAddress(t)
	for _, row := range []struct {
		args    []string
		printed *regexp.Regexp // the address and the token, in the order of the output
		page    string
	}{
		{[]string{"metrics", "serve", "--listen", own + ":0"},
			regexp.MustCompile(`API: (http://[^ ]+)[^B]*(?s:.*)Bearer ([A-Z2-7]{26,})`), "/metrics"},
	} {
		url, token, end := startServer(t, row.args, row.printed)
		for _, c := range []struct {
			method, header, value, query string
			status                       int
		}{
			{"GET", "", "", "", 403},
			{"POST", "", "", "", 403},
			{"GET", "Authorization", "Bearer " + token + "x", "", 403},
			{"GET", "", "", "?token=wrong", 403},
			{"GET", "Authorization", "Bearer " + token, "", 200},
			{"GET", "", "", "?token=" + token, 303},
			{"POST", "Origin", "http://evil.example", "?token=" + token, 403},
		} {
			request, err := http.NewRequestWithContext(context.Background(), c.method, url+row.page+c.query, nil)
			if err != nil {
				t.Fatal(err)
			}
			if c.header != "" {
				request.Header.Set(c.header, c.value)
			}
			answer, err := http.DefaultTransport.RoundTrip(request) // follows no redirect
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if answer.StatusCode != c.status {
				t.Errorf("hone %q: %s %s with %q: %s, want %d", row.args, c.method, c.query, c.value, answer.Status,
					c.status)
			}
		}
		end()
	}
}

// startServer starts hone and waits for what it prints. end ends it.
func startServer(t *testing.T, args []string, printed *regexp.Regexp) (url, token string, end func()) {
	t.Helper()
	cmd := exec.Command(honeBinary, append(args, "--ledger", filepath.Join(t.TempDir(), ".hone"))...)
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	end = func() {
		_ = cmd.Process.Signal(os.Interrupt) // if it is gone already, Wait says so
		_ = cmd.Wait()                       // with 130
	}
	text := ""
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		text += lines.Text() + "\n"
		if found := printed.FindStringSubmatch(text); found != nil {
			return found[1], found[2], end
		}
	}
	end()
	t.Fatalf("hone %q printed no address with a token: %s", args, text)
	return "", "", nil
}
