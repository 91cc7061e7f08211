package grpctypes

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/text/inputs"
)

// The status codes of gRPC that reflection tells apart (grpc.github.io/grpc/core/md_doc_statuscodes.html).
const (
	statusNotFound      = 5
	statusUnimplemented = 12
)

// A CallError is what a server, or what is in front of it, says about a call that failed.
type CallError struct {
	Status  int // of gRPC; 0 if the answer has none
	Message string
}

func (e *CallError) Error() string {
	if e.Status == 0 {
		return e.Message
	}
	return fmt.Sprintf("gRPC status %d: %s", e.Status, e.Message)
}

// hasStatus says that err is a CallError of this status.
func hasStatus(err error, status int) bool {
	call := (*CallError)(nil)
	return errors.As(err, &call) && call.Status == status
}

// caller makes calls of one request message and one answer, over HTTP/2 (gRPC over HTTP2,
// github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md).
type caller struct {
	client    http.Client
	authority string
	header    http.Header
}

// newCaller uses connections of dial, which are ready for HTTP/2: the client speaks it without TLS of its own.
func newCaller(dial func(context.Context) (net.Conn, error), authority string, headers []string) *caller {
	c := &caller{authority: authority, header: http.Header{"Content-Type": {"application/grpc"}, "Te": {"trailers"}}}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ":")
		c.header.Add(name, strings.TrimSpace(value))
	}
	only := &http.Protocols{}
	only.SetUnencryptedHTTP2(true)
	c.client.Transport = &http.Transport{
		Protocols:          only,
		DialContext:        func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) },
		DisableCompression: true,
	}
	c.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

func (c *caller) close() { c.client.CloseIdleConnections() }

// call sends one message and returns the first one of the answer. The error is a *CallError if an answer came without
// one.
func (c *caller) call(ctx context.Context, method string, message []byte) ([]byte, error) {
	framed := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message)))
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://server"+method,
		bytes.NewReader(append(framed, message...)))
	if err != nil {
		return nil, err
	}
	r.Host, r.Header = c.authority, c.header.Clone()
	answer, err := c.client.Do(r)
	if err != nil {
		var of *url.Error
		if errors.As(err, &of) {
			err = of.Err // its address is not that of the server
		}
		return nil, err
	}
	defer answer.Body.Close()
	if !strings.HasPrefix(answer.Header.Get("Content-Type"), "application/grpc") {
		return nil, statusOf(answer)
	}
	got, err := readMessage(answer.Body)
	if err == io.EOF {
		return nil, statusOf(answer)
	}
	return got, err
}

// readMessage reads a message with its prefix; io.EOF if the answer has no message.
func readMessage(r io.Reader) ([]byte, error) {
	prefix := make([]byte, PrefixBytes)
	if _, err := io.ReadFull(r, prefix); err != nil {
		return nil, err
	}
	if prefix[0] != 0 {
		return nil, errors.New("the answer is compressed, which was not offered")
	}
	size := int64(binary.BigEndian.Uint32(prefix[1:]))
	if err := inputs.ReflectedAnswer.Over("", size); err != nil {
		return nil, err
	}
	message := make([]byte, size)
	if _, err := io.ReadFull(r, message); err != nil {
		return nil, fmt.Errorf("read an answer of %d bytes: %w", size, err)
	}
	return message, nil
}

// statusOf is what an answer without a message says: in its trailers, or in its only header.
func statusOf(answer *http.Response) error {
	header := answer.Trailer
	if header.Get("Grpc-Status") == "" {
		header = answer.Header
	}
	if text := header.Get("Grpc-Status"); text != "" {
		code, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("grpc-status is %.20q", text)
		}
		if code == 0 { // success without a message: the server does not know reflection
			return &CallError{Status: statusUnimplemented, Message: "no answer"}
		}
		message, err := url.PathUnescape(header.Get("Grpc-Message"))
		if err != nil {
			message = header.Get("Grpc-Message")
		}
		return &CallError{Status: code, Message: message}
	}
	if answer.StatusCode == http.StatusNotFound {
		return &CallError{Status: statusUnimplemented, Message: answer.Status}
	}
	return &CallError{Message: fmt.Sprintf("the answer is not one of gRPC: %s, content type %q", answer.Status,
		answer.Header.Get("Content-Type"))}
}
