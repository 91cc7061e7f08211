package recognise

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// first is what came back to a request of HTTP/1.1.
type first struct {
	Seen
	wantsTLS bool
	// refused says that the other side of a TLS handshake ended it, and so speaks TLS.
	refused bool
	// asked says that a silent port was asked in the words of the other protocols.
	asked bool
}

// Bounds of what is read of an answer.
const (
	mostBytes = 8 << 10
	mostBody  = 4 << 10
	mostLine  = 80
	// mostGreeting is how much of what a server says first is looked at.
	mostGreeting = 256
	// bodyPatience is how long a body is waited for when the head is there: it only helps
	// to tell a page from a health check.
	bodyPatience = 300 * time.Millisecond
	// restPatience is how long the first bytes of an answer are waited for when one is there.
	restPatience = 200 * time.Millisecond
)

// askPlain sends one GET and reads what comes back.
func askPlain(ctx context.Context, dial Dial, host, path string) first {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	conn, err := dial(ctx)
	if err != nil {
		var alert *net.OpError // of crypto/tls, which exports no type for it
		return first{Seen: Seen{Protocol: Absent}, refused: errors.As(err, &alert) && alert.Op == "remote error"}
	}
	defer conn.Close()
	end, _ := ctx.Deadline()
	_ = conn.SetDeadline(end)
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })()
	// An error of the write shows again when it is read: a server that speaks first may
	// have said what it is before it closed.
	_, _ = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", path, host)
	in := bufio.NewReader(io.LimitReader(conn, mostBytes))
	head, err := in.Peek(1)
	if err == nil { // what a server says in one go comes at once
		_ = conn.SetReadDeadline(time.Now().Add(restPatience))
		head, err = in.Peek(headBytes)
		_ = conn.SetReadDeadline(end)
	}
	if f, decided := classify(head, err); decided {
		if said, _ := in.Peek(min(in.Buffered(), mostGreeting)); f.Protocol == Other || f.Protocol == Redis {
			f.Protocol = cmp.Or(greeted(said), f.Protocol)
		}
		if f.Line != "" && f.Protocol != NATS { // a banner of NATS is long, and names the server's keys
			whole, _ := in.Peek(min(in.Buffered(), mostLine))
			f.Line = line(whole)
		}
		return f
	}
	return readAnswer(conn, in)
}

// headBytes is how much classify looks at: a whole HTTP/2 frame header, and "HTTP/1.1 200"
// is longer than it.
const headBytes = 9

// classify takes the first bytes of an answer, with the error that ended them early, for what
// they are. decided is false for HTTP/1.
func classify(head []byte, err error) (f first, decided bool) {
	text := line(head)
	switch {
	case len(head) == 0:
		f.Protocol = Closed
		var timeout net.Error
		if errors.As(err, &timeout) && timeout.Timeout() {
			f.Protocol = Silent
		}
		return f, true
	case bytes.HasPrefix(head, []byte("HTTP/1.")):
		return f, false
	case head[0] == 0x15 && len(head) > 1 && head[1] == 3: // an alert of TLS (RFC 8446 section 5.1)
		f.Protocol, f.wantsTLS = TLS, true
		return f, true
	case isSettings(head):
		f.Protocol = HTTP2
		return f, true
	case isRESP(head):
		f.Protocol = Redis
	case bytes.HasPrefix(head, []byte("INFO {")):
		f.Protocol, text = NATS, "INFO {...}"
	default:
		f.Protocol = Other
	}
	f.Line = text
	return f, true
}

// isSettings says that bytes are the header of a SETTINGS frame, which is the first that a
// server of HTTP/2 sends (RFC 9113 section 3.4 and 6.5).
func isSettings(head []byte) bool {
	return len(head) >= 9 && head[0] == 0 && head[3] == 4 && head[4] == 0 &&
		bytes.Equal(head[5:9], []byte{0, 0, 0, 0}) && (int(head[1])<<8|int(head[2]))%6 == 0
}

// isRESP says that bytes are an answer of RESP: an error, which is a minus and a word in capital
// letters, or the length of a string or an array.
func isRESP(head []byte) bool {
	if length, _, more := bytes.Cut(head, []byte("\r\n")); more && len(length) > 1 &&
		(length[0] == '$' || length[0] == '*') {
		_, err := strconv.Atoi(string(length[1:]))
		return err == nil
	}
	word, _, more := bytes.Cut(head, []byte(" "))
	if len(word) < 4 || word[0] != '-' || !more && len(head) < headBytes {
		return false
	}
	for _, c := range word[1:] {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return true
}

// readAnswer reads an answer of HTTP/1.
func readAnswer(conn net.Conn, in *bufio.Reader) (f first) {
	response, err := http.ReadResponse(in, nil)
	if err != nil {
		f.Protocol, f.Line = Other, "HTTP/1. and bytes that are not an answer"
		return f
	}
	defer response.Body.Close()
	f.Protocol, f.Status, f.ContentType = HTTP, response.StatusCode, response.Header.Get("Content-Type")
	f.Line = response.Proto + " " + response.Status
	_ = conn.SetReadDeadline(time.Now().Add(bodyPatience))
	f.Body, _ = io.ReadAll(io.LimitReader(response.Body, mostBody))
	f.wantsTLS = f.Status == http.StatusBadRequest && asksForTLS(f.Body)
	return f
}

// asksForTLS knows what net/http and nginx answer to plain HTTP on a port of theirs that
// speaks TLS.
func asksForTLS(body []byte) bool {
	text := strings.ToLower(string(body))
	return strings.Contains(text, "http request to an https server") ||
		strings.Contains(text, "plain http request was sent to https port")
}

// line is the beginning of an answer as text: up to the end of the line, without what a
// terminal would obey.
func line(b []byte) string {
	b, _, _ = bytes.Cut(b, []byte("\n"))
	return strings.TrimRight(string(b), "\r")
}

// overTLS shakes hands on connections. The certificate is not verified: the port is asked
// what it speaks, not who it is. wants, unless it is nil, becomes true if the port asks for a client's certificate.
func overTLS(dial Dial, wants *atomic.Bool, alpn ...string) Dial {
	return func(ctx context.Context) (net.Conn, error) {
		conn, err := dial(ctx)
		if err != nil {
			return nil, err
		}
		config := &tls.Config{InsecureSkipVerify: true, NextProtos: alpn} //nolint:gosec // see above
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			if wants != nil {
				wants.Store(true)
			}
			return &tls.Certificate{}, nil // none
		}
		client := tls.Client(conn, config)
		if err := client.HandshakeContext(ctx); err != nil {
			conn.Close()
			return nil, err
		}
		return client, nil
	}
}
