package ws

import (
	"bufio"
	"bytes"
	"context"
	crand "crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/httpmsg"
)

// guid goes with the key into what the server has to answer: RFC 6455 section 1.3.
const guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

// head is the request of the upgrade up to the value of the key: RFC 6455 section 4.1.
func head(u *url.URL, o wire.Options) ([]byte, error) {
	if name := o.WebSocket.Subprotocol; name != "" && !httpguts.ValidHeaderFieldName(name) { // a token
		return nil, fail.New(fail.BadInput, "subprotocol %q is not a token",
			name).WithHint("name one, such as graphql-transport-ws")
	}
	for _, line := range o.Headers {
		name, _, _ := strings.Cut(line, ":")
		if lower := strings.ToLower(name); strings.HasPrefix(lower, "sec-websocket-") || lower == "connection" {
			return nil, fail.New(fail.BadInput, "header %q is hone's own in an upgrade to WebSocket", name).
				WithHint("leave it out; --set ws.subprotocol names a subprotocol")
		}
	}
	for _, line := range append([]string{u.Path + "?" + u.RawQuery}, o.Headers...) {
		if len(o.Columns(line)) > 0 {
			return nil, fail.New(fail.BadInput,
				"a column of the feed or a place stands in %q, and the upgrade of a connection has no row of the feed",
				line).
				WithHint("put it into --body")
		}
	}
	o.Feed = nil
	uri, err := httpmsg.URI(u, o)
	if err != nil {
		return nil, err
	}
	target := *u
	target.Scheme = strings.Replace(u.Scheme, "ws", "http", 1) // for the default port
	lines, err := httpmsg.HeaderLines(&target, o)
	if err != nil {
		return nil, err
	}
	head := uri.Append([]byte("GET "), wire.Fill{})
	head = lines.Append(append(head, " HTTP/1.1\r\n"...), wire.Fill{})
	head = append(head, "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"...)
	if name := o.WebSocket.Subprotocol; name != "" {
		head = append(head, "Sec-WebSocket-Protocol: "+name+"\r\n"...)
	}
	return append(head, "Sec-WebSocket-Key: "...), nil
}

// upgrade makes a connection one of WebSocket, and reads no byte after the server's answer.
func upgrade(ctx context.Context, c net.Conn, head []byte, offers string) error {
	if end, ok := ctx.Deadline(); ok {
		_ = c.SetDeadline(end)
	}
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	var random [16]byte
	_, _ = crand.Read(random[:]) // it never fails
	key := base64.StdEncoding.EncodeToString(random[:])
	if _, err := c.Write(append(bytes.Clone(head), key+"\r\n\r\n"...)); err != nil {
		return fmt.Errorf("ask for WebSocket: %w", err)
	}
	text, err := readHead(c)
	if err != nil {
		return fmt.Errorf("read the answer to the upgrade to WebSocket: %w", err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(text)), nil)
	if err != nil {
		return fail.New(fail.BadInput, "upgrade to WebSocket: the server does not answer as HTTP does: %w", err).
			WithHint("check the scheme and port of the target")
	}
	answer.Body.Close()
	sum := sha1.Sum([]byte(key + guid))
	chosen := answer.Header.Get("Sec-WebSocket-Protocol")
	switch {
	case answer.StatusCode != http.StatusSwitchingProtocols:
		return fail.New(fail.BadInput, "upgrade to WebSocket: the server answers %q", answer.Status).WithHint("%s",
			upgradeHint(answer.StatusCode))
	case !strings.EqualFold(answer.Header.Get("Upgrade"), "websocket") ||
		!httpguts.HeaderValuesContainsToken(answer.Header["Connection"], "upgrade"):
		return fail.New(fail.Subject, "upgrade to WebSocket: the server switches to another protocol, %q",
			answer.Header.Get("Upgrade"))
	case answer.Header.Get("Sec-WebSocket-Accept") != base64.StdEncoding.EncodeToString(sum[:]):
		return fail.New(fail.Subject,
			"upgrade to WebSocket: Sec-WebSocket-Accept does not fit the key that was sent (RFC 6455 section 4.2.2)")
	case answer.Header.Get("Sec-WebSocket-Extensions") != "":
		return fail.New(fail.Subject, "upgrade to WebSocket: the server uses the extension %q, which was not offered",
			answer.Header.Get("Sec-WebSocket-Extensions"))
	case chosen != offers && chosen != "":
		return fail.New(fail.Subject,
			"upgrade to WebSocket: the server chose the subprotocol %q, which was not offered", chosen)
	case chosen != offers:
		return fail.New(fail.BadInput, "upgrade to WebSocket: the server does not speak the subprotocol %q",
			offers).WithHint("check --set ws.subprotocol")
	}
	if err := c.SetDeadline(time.Time{}); err != nil {
		return fmt.Errorf("upgrade to WebSocket: %w", err)
	}
	return nil
}

// upgradeHint is what to try after a status that refuses an upgrade.
func upgradeHint(status int) string {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "the server wants credentials: -H 'Authorization: ...', or -H 'Origin: http://HOST' if it checks the origin"
	case http.StatusNotFound, http.StatusOK:
		return "check the path of the target: another one may speak WebSocket"
	case http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return "redirects are not followed: name the address that it leads to"
	}
	return "look at the server's log for the reason"
}

// readHead reads a head of HTTP to its end, byte by byte: frames may follow at once, and belong to the connection.
func readHead(c io.Reader) ([]byte, error) {
	var head []byte
	one := make([]byte, 1)
	for !bytes.HasSuffix(head, []byte("\r\n\r\n")) {
		if len(head) == httpmsg.MaxHead {
			return nil, errors.New("its head does not end")
		}
		if _, err := io.ReadFull(c, one); err != nil {
			if errors.Is(err, io.EOF) && len(head) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		head = append(head, one[0])
	}
	return head, nil
}
