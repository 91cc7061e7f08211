package tlsmem_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/sys/tlsmem"
	"github.com/gohone/hone/internal/testkit/nettest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patient bounds what a healthy machine does at once.
const patient = 20 * time.Second

// connect shakes hands with a server of crypto/tls over loopback, and takes the socket from the client.
func connect(t testing.TB, version uint16) (client *tlsmem.Conn, socket net.Conn, server *tls.Conn) {
	t.Helper()
	return connectTo(t, &tls.Config{MinVersion: version, MaxVersion: version})
}

// connectTo is connect to a server with this configuration, which gets a certificate.
func connectTo(t testing.TB, config *tls.Config) (client *tlsmem.Conn, socket net.Conn, server *tls.Conn) {
	t.Helper()
	config.Certificates = []tls.Certificate{nettest.Certificate(t)}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	under, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	server = tls.Server(under, config)
	t.Cleanup(func() { under.Close() })
	for _, one := range []net.Conn{c, under} {
		if err := one.SetDeadline(time.Now().Add(patient)); err != nil {
			t.Fatal(err)
		}
	}
	shaken := make(chan error, 1)
	go func() { shaken <- server.Handshake() }()
	client, err = tlsmem.Client(context.Background(), c,
		&tls.Config{InsecureSkipVerify: true, DynamicRecordSizingDisabled: true})
	if err := errors.Join(err, <-shaken); err != nil {
		t.Fatal(err)
	}
	return client, client.Detach(), server
}

var versions = map[string]uint16{"TLS 1.2": tls.VersionTLS12, "TLS 1.3": tls.VersionTLS13}

// opener gives a client what comes, and keeps what is not whole yet.
type opener struct {
	client *tlsmem.Conn
	rest   []byte
	plain  []byte
}

func (o *opener) open(t testing.TB, more []byte) error {
	t.Helper()
	o.rest = append(o.rest, more...)
	kept := bytes.Clone(o.rest)
	plain, used, err := o.client.Open(o.plain, o.rest)
	if used < 0 || used > len(o.rest) || !bytes.Equal(kept, o.rest) {
		t.Fatalf("used %d of %d bytes; changed: %v", used, len(kept), !bytes.Equal(kept, o.rest))
	}
	o.plain, o.rest = plain, o.rest[used:]
	return err
}

// Records come split at every byte. In TLS 1.3 the first of them are tickets, after which crypto/tls is told that there
// is nothing more: that must not end the connection.
func TestRecordsMayBeSplitAnywhere(t *testing.T) {
	for name, version := range versions {
		for _, chunk := range []int{1, 7, 4096, 1 << 20} {
			t.Run(name, func(t *testing.T) {
				client, socket, server := connect(t, version)
				want := make([]byte, 100_000)
				_, _ = rand.Read(want)
				sent := make(chan error, 1)
				go func() {
					_, err := server.Write(want)
					sent <- errors.Join(err, server.Close()) // close_notify
				}()
				sealed, err := io.ReadAll(socket)
				if err := errors.Join(err, <-sent); err != nil {
					t.Fatal(err)
				}
				o := &opener{client: client}
				for from := 0; from < len(sealed); from += chunk {
					end := min(from+chunk, len(sealed))
					if err := o.open(t, sealed[from:end]); err != nil && (end < len(sealed) || err != io.EOF) {
						t.Fatalf("at byte %d of %d: %v", end, len(sealed), err)
					} else if end == len(sealed) && err != io.EOF {
						t.Errorf("close_notify reads as %v, want io.EOF", err)
					}
				}
				if !bytes.Equal(o.plain, want) || len(o.rest) > 0 {
					t.Errorf("%d bytes, want %d; %d left", len(o.plain), len(want), len(o.rest))
				}
			})
		}
	}
}

// What a server can read when all bytes up to the end of a request have arrived is that request.
func TestEndsAreThoseOfTheRecords(t *testing.T) {
	client, socket, server := connect(t, tls.VersionTLS13)
	var plain []byte
	var ends []int
	for i := range 200 {
		plain = append(plain, bytes.Repeat([]byte{byte(i)}, 1+i*3)...)
		ends = append(ends, len(plain))
	}
	plainEnds := append([]int(nil), ends...)
	before := []byte("what is there already")
	sealed, err := client.Seal(before, plain, ends)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(sealed, before) || ends[len(ends)-1] != len(sealed) {
		t.Fatalf("%d bytes, the last request ends at %d", len(sealed), ends[len(ends)-1])
	}
	at, got := len(before), 0
	buf := make([]byte, len(plain))
	for i, end := range ends {
		if end > at {
			if _, err := socket.Write(sealed[at:end]); err != nil {
				t.Fatal(err)
			}
			at = end
		}
		for got < plainEnds[i] { // ends with the deadline if the request is not there
			n, err := server.Read(buf[got:])
			if err != nil {
				t.Fatalf("request %d: %v", i, err)
			}
			got += n
		}
	}
	if !bytes.Equal(buf, plain) {
		t.Error("the server read something else")
	}
}

func TestGoodbye(t *testing.T) {
	for name, version := range versions {
		t.Run(name, func(t *testing.T) {
			client, socket, server := connect(t, version)
			if _, err := socket.Write(client.Goodbye(nil)); err != nil {
				t.Fatal(err)
			}
			if _, err := server.Read(make([]byte, 1)); err != io.EOF {
				t.Errorf("the server reads %v, want io.EOF", err)
			}
		})
	}
}

// What no server may send ends the connection with an error and an alert, before the rest of it is there.
func TestWhatIsNoRecord(t *testing.T) {
	for name, in := range map[string][]byte{
		"too long":   {23, 3, 3, 0xff, 0xff},
		"not TLS":    []byte("HTTP/1.1 400 Bad Request\r\n\r\n"),
		"no key":     append([]byte{23, 3, 3, 0, 40}, make([]byte, 40)...),
		"wrong kind": append([]byte{99, 3, 3, 0, 40}, make([]byte, 40)...),
	} {
		t.Run(name, func(t *testing.T) {
			client, socket, server := connect(t, tls.VersionTLS13)
			o := &opener{client: client}
			if err := o.open(t, in); err == nil || err == io.EOF {
				t.Fatalf("error %v", err)
			}
			if !client.Pending() {
				t.Fatal("no alert")
			}
			if _, err := socket.Write(client.Goodbye(nil)); err != nil {
				t.Fatal(err)
			}
			var alert *net.OpError
			if _, err := server.Read(make([]byte, 1)); !errors.As(err, &alert) {
				t.Errorf("the server reads %v, want an alert", err)
			}
			if sealed, err := client.Seal(nil, []byte("more"), nil); err == nil {
				t.Errorf("sealed %d bytes after an alert", len(sealed))
			}
		})
	}
}

// FuzzOpen changes a byte of what a server sends, and how it is cut: whatever comes, nothing wrong is taken for
// plaintext.
func FuzzOpen(f *testing.F) {
	f.Add(uint16(3), byte(1), uint16(10))
	f.Add(uint16(400), byte(0), uint16(1))
	f.Fuzz(func(t *testing.T, at uint16, flip byte, chunk uint16) {
		client, socket, server := connect(t, tls.VersionTLS13)
		want := bytes.Repeat([]byte("plain text "), 50)
		if _, err := server.Write(want); err != nil {
			t.Fatal(err)
		}
		server.Close()
		sealed, err := io.ReadAll(socket)
		if err != nil {
			t.Fatal(err)
		}
		sealed[int(at)%len(sealed)] ^= flip
		o := &opener{client: client}
		for from, step := 0, 1+int(chunk); from < len(sealed) && err == nil; from += step {
			err = o.open(t, sealed[from:min(from+step, len(sealed))])
		}
		if !bytes.HasPrefix(want, o.plain) || flip == 0 && (err != io.EOF || len(o.plain) < len(want)) {
			t.Errorf("%d bytes, %v", len(o.plain), err)
		}
	})
}
