package nullserver

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/testkit/nettest"
)

func TestMain(m *testing.M) {
	if os.Getenv(crampedEnv) != "" {
		cramped()
		return
	}
	goleak.VerifyTestMain(m)
}

// ways are the listeners that tests run over: both kinds of plain socket, and two that
// take the portable way.
var ways = []string{"tcp", "unix", "wrapped", "tls"}

// plain hides the kind of a listener, so that it is served the portable way.
type plain struct{ net.Listener }

// start serves until the end of the test and returns how to connect.
func start(t *testing.T, way string, o Options) (dial func() net.Conn) {
	t.Helper()
	network, address := "tcp", "127.0.0.1:0"
	if way == "unix" {
		network, address = "unix", filepath.Join(t.TempDir(), "s")
	}
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr()
	switch way {
	case "wrapped":
		l = plain{l}
	case "tls":
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{nettest.Certificate(t)}})
	}
	server, err := startOn(l, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return func() net.Conn {
		t.Helper()
		var c net.Conn
		var err error
		if way == "tls" {
			c, err = tls.Dial(addr.Network(), addr.String(), &tls.Config{InsecureSkipVerify: true})
		} else {
			c, err = net.Dial(addr.Network(), addr.String())
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
}

// say writes s and wants exactly that answer.
func say(t *testing.T, c net.Conn, s, want string) {
	t.Helper()
	if _, err := io.WriteString(c, s); err != nil {
		t.Fatal(err)
	}
	hear(t, c, want)
}

func hear(t *testing.T, c net.Conn, want string) {
	t.Helper()
	got := make([]byte, len(want))
	if n, err := io.ReadFull(c, got); err != nil || string(got) != want {
		t.Fatalf("got %q, %v\nwant %q", got[:n], err, want)
	}
}

// hearEnd wants the end of the stream and nothing before it.
func hearEnd(t *testing.T, c net.Conn) {
	t.Helper()
	if b, err := bufio.NewReader(c).ReadByte(); err != io.EOF {
		t.Fatalf("got %q, %v, want the end of the stream", b, err)
	}
}
