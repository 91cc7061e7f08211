package finder

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"slices"

	"github.com/gohone/hone/internal/program/routes"
	"github.com/gohone/hone/internal/wire/grpctypes"
	"github.com/gohone/hone/internal/wire/recognise"
)

// usualPaths are tried after the program's own.
var usualPaths = []string{"/health", "/metrics", "/debug/vars"}

// mostOwnPaths bounds the routes of the program's source that are tried.
const mostOwnPaths = 12

// routes are those that the source of the variant suggests.
func (f *finder) routes() routes.Found {
	if f.source == nil {
		b := f.Binary
		found := routes.In(routes.Program{Dir: b.Dir, Package: b.Package, Module: b.Module})
		found.Methods = grpctypes.ByUse(found.Methods)
		f.source = &found
	}
	return *f.source
}

// tryPaths asks the port for paths, once each and over one connection where that lasts. It
// returns those that answer, the program's own first, and those that do not.
func (f *finder) tryPaths(ctx context.Context, at candidate) (answering, silent []string) {
	ctx, cancel := context.WithTimeout(ctx, recognise.Patience)
	defer cancel()
	transport := &http.Transport{
		Protocols:       new(http.Protocols),
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // see ownTLS
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return f.Process.DialListener(ctx, at.at)
		},
	}
	defer transport.CloseIdleConnections()
	two := at.seen.Protocol == recognise.HTTP2
	transport.Protocols.SetHTTP1(!two)
	transport.Protocols.SetHTTP2(two && at.seen.Encrypted)
	transport.Protocols.SetUnencryptedHTTP2(two && !at.seen.Encrypted)
	base := "http://"
	if at.seen.Encrypted {
		base = "https://"
	}
	for _, path := range f.pathsToTry() {
		if answersWell(ctx, transport, base+at.host()+path) {
			answering = append(answering, path)
		} else {
			silent = append(silent, path)
		}
	}
	return answering, silent
}

// pathsToTry are the first of the program's own routes, a file of its directory and the usual paths. A route whose name
// says that it changes something is left out: a router may let a GET do it.
func (f *finder) pathsToTry() []string {
	paths := routes.Harmless(f.routes().Paths)
	paths = paths[:min(len(paths), mostOwnPaths)]
	if file := fileToServe(f.Dir); file != "" {
		paths = append(paths, file)
	}
	for _, p := range usualPaths {
		if !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
	}
	return paths
}

// answersWell says whether a URL answers with success.
func answersWell(ctx context.Context, transport *http.Transport, url string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	if n := response.ContentLength; n > 0 && n < mostAnswer { // read to the end, the connection serves the next
		_, _ = io.CopyN(io.Discard, response.Body, n)
	}
	return response.StatusCode < 300
}
