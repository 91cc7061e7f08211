package recognise

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// greeting says something first.
func greeting(text string) func(net.Conn) {
	return func(c net.Conn) {
		_, _ = io.WriteString(c, text)
		_, _ = io.Copy(io.Discard, c)
	}
}

// packets answers the first bytes by what they are: nil closes without a word.
func packets(answer func(first []byte) []byte) func(net.Conn) {
	return func(c net.Conn) {
		first := make([]byte, 128)
		n, _ := c.Read(first)
		if said := answer(first[:n]); said != nil {
			_, _ = c.Write(said)
			_, _ = io.Copy(io.Discard, c)
		}
	}
}

// broker is what an MQTT broker does: CONNACK, or an end without a word.
func broker(first []byte) []byte {
	if first[0] != 0x10 || !bytes.Contains(first, []byte("MQTT")) || int(first[1]) != len(first)-2 {
		return nil
	}
	return []byte{0x20, 2, 0, 5}
}

// A port that speaks no HTTP is named by its greeting, or by its answer to a question in its own words.
func TestAskNamesOtherProtocols(t *testing.T) {
	length4 := func(b []byte) bool { return len(b) >= 4 && int(binary.BigEndian.Uint32(b)) == len(b)-4 }
	for name, c := range map[string]struct {
		serve func(net.Conn)
		want  Protocol
	}{
		"SSH":             {greeting("SSH-2.0-Go\r\n"), SSH},
		"SMTP":            {greeting("220 mail.example ESMTP Service Ready\r\n"), SMTP},
		"FTP":             {greeting("220 Welcome to the Go FTP Server\r\n"), FTP},
		"IMAP":            {greeting("* OK [CAPABILITY IMAP4rev1] ready\r\n"), IMAP},
		"POP3":            {greeting("+OK ready <1@x>\r\n"), POP3},
		"MySQL":           {greeting("\x4a\x00\x00\x00\n8.0.11-server\x00\x01\x02\x03"), MySQL},
		"MySQL's refusal": {greeting("\x20\x00\x00\x00\xff\x6a\x04Host is not allowed"), MySQL},
		"VNC":             {greeting("RFB 003.008\n"), VNC},
		"RTSP":            {reading("RTSP/1.0 400 Bad Request\r\n\r\n"), RTSP},
		"AMQP":            {reading("AMQP\x00\x00\x09\x01"), AMQP},
		"AMQP that closes": {packets(func(b []byte) []byte {
			if !bytes.HasPrefix(b, []byte("AMQP")) {
				return nil
			}
			return []byte("\x01\x00\x00\x00\x00\x01\x00\x00\x0a\x00\x0a")
		}), AMQP},
		"MQTT": {packets(broker), MQTT},
		"MQTT 5": {packets(func(b []byte) []byte {
			if broker(b) == nil {
				return nil
			}
			return []byte{0x20, 3, 0, 0x84, 0}
		}), MQTT},
		"a silent MQTT": {func(c net.Conn) {
			in := bufio.NewReader(c)
			if first, _ := in.Peek(18); broker(first) != nil {
				_, _ = c.Write(broker(first))
			}
			_, _ = io.Copy(io.Discard, in)
		}, MQTT},
		"Kafka": {packets(func(b []byte) []byte {
			if !length4(b) || len(b) < 12 || b[5] != 18 {
				return nil
			}
			return append([]byte{0, 0, 0, 10}, append(b[8:12:12], 0, 0, 0, 0, 0, 0)...)
		}), Kafka},
		"PostgreSQL": {packets(func(b []byte) []byte {
			if len(b) != 8 || binary.BigEndian.Uint32(b) != 8 || binary.BigEndian.Uint32(b[4:]) != 80877103 {
				return nil
			}
			return []byte("N")
		}), Postgres},
		"MongoDB": {packets(func(b []byte) []byte {
			if len(b) < 26 || int(binary.LittleEndian.Uint32(b)) != len(b) ||
				int(binary.LittleEndian.Uint32(b[21:])) != len(b)-21 {
				return nil
			}
			return append(append([]byte{21, 0, 0, 0, 1, 0, 0, 0}, b[4:8]...), 0xdd, 7, 0, 0, 0, 0, 0, 0, 0)
		}), MongoDB},
		"DNS": {packets(func(b []byte) []byte {
			if int(binary.BigEndian.Uint16(b)) != len(b)-2 {
				return nil
			}
			return []byte{0, 12, b[2], b[3], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}
		}), DNS},
		"LDAP": {packets(func(b []byte) []byte {
			if b[0] != 0x30 {
				return nil
			}
			return []byte("\x30\x0c\x02\x01\x01\x61\x07\x0a\x01\x00\x04\x00\x04\x00")
		}), LDAP},
		"memcached": {func(c net.Conn) {
			lines := bufio.NewScanner(c)
			for lines.Scan() {
				if lines.Text() == "version" {
					fmt.Fprint(c, "VERSION 1.6\r\n")
				} else {
					fmt.Fprint(c, "ERROR\r\n")
				}
			}
		}, Memcached},
		"frames that are echoed": {packets(func(b []byte) []byte {
			if !length4(b) {
				return nil
			}
			return b
		}), Closed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			dial, _ := listen(t, c.serve)
			s := Ask(ctx, dial, "127.0.0.1:1", "/")
			if s.Protocol != c.want || c.want.Named() && !strings.HasPrefix(s.String(), "speaks ") ||
				s.Use() != Foreign {
				t.Errorf("it %s: %q, want %q", s, s.Protocol, c.want)
			}
		})
	}
}

// A server of RESP that closes on a GET, a command that it does not know, is asked in its own words.
func TestAskFindsRESPThatClosesOnGET(t *testing.T) {
	for _, answer := range []string{"+PONG\r\n", "-NOAUTH Authentication required.\r\n"} {
		dial, _ := listen(t, packets(func(b []byte) []byte {
			if !bytes.Equal(b, []byte("*1\r\n$4\r\nPING\r\n")) {
				return nil
			}
			return []byte(answer)
		}))
		if s := Ask(t.Context(), dial, "127.0.0.1:1", "/"); s.Protocol != Redis || s.Use() != Serves {
			t.Errorf("%q: it %s: %q, want %q", answer, s, s.Protocol, Redis)
		}
	}
}

// Protocols inside of TLS are named, too.
func TestAskNamesWhatIsInsideOfTLS(t *testing.T) {
	certificate := httptest.NewTLSServer(nil)
	defer certificate.Close()
	inside := func(serve func(net.Conn)) func(net.Conn) {
		return func(c net.Conn) {
			secure := tls.Server(c, &tls.Config{Certificates: certificate.TLS.Certificates})
			if secure.Handshake() == nil {
				serve(secure)
			}
		}
	}
	for want, serve := range map[Protocol]func(net.Conn){MQTT: packets(broker), IMAP: greeting("* OK ready\r\n")} {
		dial, _ := listen(t, inside(serve))
		if s := Ask(t.Context(), dial, "127.0.0.1:1", "/"); s.Protocol != want || !s.Encrypted ||
			!strings.HasSuffix(strings.Split(s.String(), " (")[0], " over TLS") {
			t.Errorf("it %s: %q, encrypted %v; want %q", s, s.Protocol, s.Encrypted, want)
		}
	}
}

// watched says whether it was closed on this side.
type watched struct {
	net.Conn
	closed atomic.Bool
}

func (w *watched) Close() error {
	w.closed.Store(true)
	return w.Conn.Close()
}

// A port that is silent at HTTP is asked in other words while HTTP still waits for its answer.
func TestASilentPortIsAskedMeanwhile(t *testing.T) {
	t.Parallel()
	dial, _ := listen(t, func(c net.Conn) {
		said := make([]byte, 3)
		if _, err := io.ReadFull(c, said); err == nil && said[0] == 0x10 { // CONNECT of MQTT
			_, _ = c.Write([]byte{0x20, 2, 0, 0})
		}
		_, _ = io.Copy(io.Discard, c)
	})
	var first atomic.Pointer[watched]
	var waits atomic.Bool
	s := Ask(t.Context(), func(ctx context.Context) (net.Conn, error) {
		c, err := dial(ctx)
		if err != nil {
			return nil, err
		}
		w := &watched{Conn: c}
		if !first.CompareAndSwap(nil, w) && !first.Load().closed.Load() {
			waits.Store(true)
		}
		return w, nil
	}, "h", "/")
	if s.Protocol != MQTT || !waits.Load() {
		t.Errorf("it %s; HTTP still waited when other words came: %v", s, waits.Load())
	}
}
