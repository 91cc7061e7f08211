package recognise

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// askHTTP2 asks for a path by HTTP/2, as a client of gRPC would begin: servers of gRPC refuse
// a GET in their own words, others do not mind. Status is 0 if no answer of HTTP/2 came.
func askHTTP2(ctx context.Context, dial Dial, host, path string, encrypted bool) Seen {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	missing := Seen{Protocol: Closed}
	target, err := url.Parse("http://" + host + path)
	if err != nil {
		return missing
	}
	transport := &http.Transport{Protocols: new(http.Protocols), DisableCompression: true}
	defer transport.CloseIdleConnections()
	if encrypted {
		target.Scheme = "https"
		transport.Protocols.SetHTTP2(true)
		secure := overTLS(dial, nil, "h2")
		transport.DialTLSContext = func(ctx context.Context, _, _ string) (net.Conn, error) { return secure(ctx) }
	} else {
		transport.Protocols.SetUnencryptedHTTP2(true)
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) }
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return missing
	}
	request.Header.Set("Content-Type", "application/grpc")
	request.Header.Set("Te", "trailers")
	response, err := transport.RoundTrip(request)
	if err != nil {
		return missing
	}
	defer response.Body.Close()
	if response.ProtoMajor != 2 {
		return missing
	}
	s := Seen{
		Protocol: HTTP2, Encrypted: encrypted, Status: response.StatusCode,
		ContentType: response.Header.Get("Content-Type"),
		Line:        response.Proto + " " + response.Status,
	}
	if strings.HasPrefix(s.ContentType, "application/grpc") || response.Header.Get("Grpc-Status") != "" {
		s.Protocol = GRPC
		return s
	}
	s.Body, _ = io.ReadAll(io.LimitReader(response.Body, mostBody))
	return s
}
