package objectstore

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/gohone/hone/internal/text/inputs"
)

// silence is how long a connection may take for its next byte.
const silence = time.Minute

// pageCount counts the pages of one list, in the context of its requests: a list may go on without a name for ever.
type pageCount struct {
	pages   int64
	refused error
}

// newTransport is minio's own with bounds: of time for each byte, of size for all but objects.
func newTransport(secure bool) (*bounded, error) {
	t, err := minio.DefaultTransport(secure)
	if err != nil {
		return nil, err
	}
	dial := (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &impatient{c}, nil
	}
	return &bounded{t}, nil
}

// impatient is a connection whose reads and writes each end within the silence that is allowed.
type impatient struct{ net.Conn }

func (c *impatient) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(silence)); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

func (c *impatient) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(silence)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// bounded cuts answers off that the client reads into memory: lists and errors.
type bounded struct{ *http.Transport }

var _ http.RoundTripper = (*bounded)(nil)

// RoundTrip implements http.RoundTripper.
func (b *bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	if list, ok := r.Context().Value(pageCount{}).(*pageCount); ok && r.URL.Query().Get("list-type") != "" {
		list.pages++
		if list.refused = inputs.ListedPages.Over(r.URL.Hostname(), list.pages); list.refused != nil {
			return nil, list.refused
		}
	}
	answer, err := b.Transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK || r.URL.RawQuery != "" {
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(answer.Body, inputs.StoreAnswer.Most), answer.Body}
	}
	return answer, nil
}
