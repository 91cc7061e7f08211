package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/gohone/hone/services/framed"
	"github.com/gohone/hone/services/internal/ladder"
	"github.com/gohone/hone/services/internal/program"
	"github.com/gohone/hone/services/internal/programtest"
	"github.com/gohone/hone/services/internal/servicetest"
)

func TestMain(m *testing.M) { os.Exit(programtest.Main(m, main)) }

// The program says where it listens, serves, and ends in order on either signal,
// with exit code 0 and not another word.
func TestServesUntilSignalled(t *testing.T) { programtest.UntilSignalled(t, framed.Stages, serveUntil) }

func serveUntil(t *testing.T, stage string, signal os.Signal) {
	server := programtest.Start(t, programtest.Command(t, "-stage", stage, "-addr", "127.0.0.1:0"), stage)

	// The client ends its side, so that the stage that withholds answers gives them too.
	conn, err := net.Dial("tcp", server.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	request := framed.AppendRequest(nil, framed.Submit{Command: framed.CommandSubmit, ID: framed.ID([]byte("00000001"))})
	if _, err := conn.Write(request); err != nil {
		t.Fatal(err)
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(conn); err != nil || len(got) != framed.AckSize {
		t.Errorf("got %x, %v, want one answer", got, err)
	}

	server.End(t, signal)
}

func TestFailuresAreSaidOnOneLine(t *testing.T) {
	taken := servicetest.Listen(t)
	defer taken.Close()
	programtest.Fails(t, ladder.Names(framed.Stages), programtest.Limits(), map[string]programtest.Failure{
		"metrics port taken":  {Args: []string{"-addr", "127.0.0.1:0", "-metrics", taken.Addr().String()}, Code: program.Failed, Want: "serve metrics: listen tcp " + taken.Addr().String()},
		"two faults, one end": {Args: []string{"-stage", "fast", "-max-conns", "-1"}, Code: program.Usage, Want: "max conns is -1"},
	})
}

func TestHelpNamesTheStages(t *testing.T) { programtest.HelpNames(t, ladder.Names(framed.Stages)) }

// Asked to, the program shows its counters and its profiles, and says where.
func TestCanBeWatched(t *testing.T) {
	server := programtest.Start(t, programtest.Command(t, "-addr", "127.0.0.1:0", "-metrics", "127.0.0.1:0", "-pprof", "127.0.0.1:0"), framed.DefaultStage)
	pages := make(map[string]string)
	for _, what := range []string{"metrics", "pprof"} {
		line := server.Line(t)
		found := regexp.MustCompile(`msg="serving (\S+)" addr=(\S+)`).FindStringSubmatch(line)
		if found == nil || found[1] != what {
			t.Fatalf("stderr says %q, want serving %s and where", line, what)
		}
		pages[what] = found[2]
	}
	client, err := framed.Dial(t.Context(), server.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.Conn(t.Context(), framed.ID([]byte("00000001"))); err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{
		pages["metrics"] + "/metrics":                     "framed_client_connected 1\n",
		pages["pprof"] + "/debug/pprof/goroutine?debug=1": "server.(*Front[...]).Serve",
		pages["pprof"] + "/debug/pprof/allocs?debug=1":    "heap profile",
		pages["pprof"] + "/debug/pprof/cmdline":           "-metrics",
	} {
		if page := get(t, "http://"+url); !strings.Contains(page, want) {
			t.Errorf("%s lacks %q:\n%s", url, want, page)
		}
	}
	server.End(t, syscall.SIGTERM)
}

func get(t *testing.T, url string) string {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	page, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Errorf("%s: %s, %v", url, r.Status, err)
	}
	return string(page)
}

// Of hone the program brings the raw sockets too, which know nothing of it.
func TestImportsNothingOfHone(t *testing.T) {
	programtest.ImportsNothingOfHone(t, "framed", "internal/sys/epoll")
}

// The server by itself does not bring what only the program needs.
func TestServerNeedsNoMetrics(t *testing.T) {
	programtest.ImportsNoneOf(t, "github.com/gohone/hone/services/framed", "net/http", "github.com/prometheus")
}
