package tlsidle_test

import (
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gohone/hone/services/internal/servicetest"
	"github.com/gohone/hone/services/tlsidle"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// eachStage runs story once for each stage.
func eachStage(t *testing.T, story func(t *testing.T, stage string)) {
	t.Helper()
	servicetest.EachStage(t, tlsidle.Stages, func(t *testing.T, stage tlsidle.Stage) { story(t, stage.Name) })
}

// ownStages are those with a loop of this package.
func ownStages(t *testing.T, story func(t *testing.T, stage string)) {
	t.Helper()
	eachStage(t, func(t *testing.T, stage string) {
		if stage != "nethttp" {
			story(t, stage)
		}
	})
}

// running is a server on a loopback port, and the lines that it logs.
type running struct {
	*tlsidle.Server
	servicetest.Running
}

// start serves cfg until the test ends; the server must then shut down in order.
func start(t testing.TB, cfg tlsidle.Config) *running {
	t.Helper()
	return startOn(t, servicetest.Listen(t), cfg)
}

func startOn(t testing.TB, ln net.Listener, cfg tlsidle.Config) *running {
	t.Helper()
	r := new(running)
	var stop func()
	r.Server, r.Running, stop = servicetest.Start(t, ln, func(log *slog.Logger) (*tlsidle.Server, error) {
		cfg.Log = log
		return tlsidle.New(cfg)
	})
	t.Cleanup(stop)
	return r
}

// dial opens a connection with TLS; version 0 is the best there is.
func (r *running) dial(t testing.TB, version uint16) *tls.Conn {
	t.Helper()
	return handshake(t, r.Dial(t), version)
}

func handshake(t testing.TB, under net.Conn, version uint16) *tls.Conn {
	t.Helper()
	conn := tls.Client(under, clientConfig(version))
	if err := conn.Handshake(); err != nil {
		t.Fatal(err)
	}
	return conn
}

func clientConfig(version uint16) *tls.Config {
	return &tls.Config{
		InsecureSkipVerify: true,
		NextProtos:         []string{"h2", "http/1.1"}, // as browsers do
		MinVersion:         version,
		MaxVersion:         version,
	}
}

// hang is how long a test waits for what must come: far beyond any pause of a busy
// machine.
const hang = time.Minute

// good is a request for the document; lastly is one that ends the connection.
const (
	good   = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
	lastly = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
)

// mustServe checks that a client that comes now is served.
func (r *running) mustServe(t testing.TB) {
	t.Helper()
	conn := r.dial(t, 0)
	got := exchange(t, conn, lastly)
	if !strings.HasPrefix(got, "HTTP/1.1 200 OK\r\n") || !strings.HasSuffix(got, string(tlsidle.Document())) {
		t.Errorf("a bystander got %.200q", got)
	}
}

// exchange sends text and returns all that comes until the server ends.
func exchange(t testing.TB, conn *tls.Conn, text string) string {
	t.Helper()
	conn.SetDeadline(time.Now().Add(hang))
	write(t, conn, text)
	got, err := io.ReadAll(conn)
	if err != nil {
		t.Errorf("read answers: %v", err)
	}
	conn.Close()
	return string(got)
}

func write(t testing.TB, conn net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatalf("send requests: %v", err)
	}
}

// undated replaces the dates of answers.
func undated(answers string) string {
	return dates.ReplaceAllString(answers, "Date: (a date)\r\n")
}

var dates = regexp.MustCompile(`Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n`)

// await waits until the counters are as wanted; the test's own deadline bounds it.
func (r *running) await(t testing.TB, what string, ok func(tlsidle.Counters) bool) {
	t.Helper()
	servicetest.Await(t, what, r.Counters, ok)
}
