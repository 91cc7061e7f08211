// Package source opens recordings of a studio.
package source

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
)

// Client asks the studio.
type Client struct {
	base string
	http *http.Client
}

// NewClient returns a client of the studio at base.
func NewClient(base string) *Client {
	return &Client{base, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}}}
}

// Recording is a stream. The caller has to close it.
type Recording struct {
	io.Reader
	body io.Closer
}

// Close frees the connection for the next recording.
func (r *Recording) Close() error {
	io.Copy(io.Discard, r.Reader)
	return r.body.Close()
}

// Open begins a recording, of which at most 64 kB are passed on.
func (c *Client) Open(ctx context.Context, name string) (*Recording, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/recordings/"+url.PathEscape(name), nil)
	if err != nil {
		return nil, err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		res.Body.Close()
		return nil, fmt.Errorf("studio: %s", res.Status)
	}
	return &Recording{io.LimitReader(res.Body, 64<<10), res.Body}, nil
}

// Studio plays a tone for each name.
func Studio() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /recordings/{name}", func(w http.ResponseWriter, r *http.Request) {
		tone := bytes.Repeat([]byte(r.PathValue("name")), 4000)
		w.Header().Set("Content-Length", strconv.Itoa(len(tone)))
		w.Write(tone)
	})
	return mux
}
