package side

import (
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	ServeIfAsked() // the net/http server is this program again
	os.Exit(m.Run())
}

func TestServersAnswer(t *testing.T) {
	for _, kind := range []string{Bare, NetHTTP} {
		t.Run(kind, func(t *testing.T) {
			if kind == Bare {
				if _, err := exec.LookPath("gcc"); err != nil {
					t.Skip("no gcc to build the bare server with")
				}
			}
			s, err := StartServer(context.Background(), kind, -1)
			if err != nil {
				t.Fatal(err)
			}
			client := &http.Client{Transport: &http.Transport{}}
			for range 3 {
				r, err := client.Get(s.URL)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(r.Body)
				r.Body.Close()
				if err != nil || r.StatusCode != 200 || string(body) != "hello, world" {
					t.Fatalf("answer %d %q, %v", r.StatusCode, body, err)
				}
			}
			client.CloseIdleConnections()
			if kind == NetHTTP {
				if err := s.AwaitRequest(); err != nil {
					t.Error(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// The CPU time of a child is its own, and the reason of a failure is told.
func TestChild(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	ctx := context.Background()
	p, err := Start(ctx, -1, sh, Command{Args: []string{"-c", `read line; i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo "$line $WORD"`}, Stdin: "hello\n"}, "WORD=world")
	if err != nil {
		t.Fatal(err)
	}
	d, err := p.Wait()
	if err != nil || string(d.Stdout) != "hello world\n" {
		t.Fatalf("wrote %q, %v", d.Stdout, err)
	}
	if d.CPU <= 0 || d.Wall <= 0 {
		t.Errorf("took %v of CPU and %v, want more than nothing", d.CPU, d.Wall)
	}
	p, err = Start(ctx, -1, sh, Command{Args: []string{"-c", "echo no such luck >&2; exit 3"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Wait(); err == nil || !strings.Contains(err.Error(), "exit status 3: no such luck") {
		t.Errorf("error %v, want the exit status and what was written", err)
	}
}
