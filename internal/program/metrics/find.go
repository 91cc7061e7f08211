package metrics

import (
	"context"
	"mime"
	"net/http"
	"net/url"
	"time"

	"github.com/prometheus/common/expfmt"
)

// findTimeout is how long a port has to say whether it serves metrics.
const findTimeout = 500 * time.Millisecond

// Path is where programs serve their metrics, by convention.
const Path = "/metrics"

// Find asks addresses, host:port, for Path and returns the page of the first that
// serves metrics in a format of Prometheus; nil if none does. A port that speaks
// something else sees a request of HTTP: leave out those that must not.
func Find(ctx context.Context, addresses []string) *url.URL {
	transport := &http.Transport{DisableKeepAlives: true, ResponseHeaderTimeout: findTimeout}
	defer transport.CloseIdleConnections()
	client := &http.Client{
		Transport: transport, Timeout: findTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	for _, address := range addresses {
		page := &url.URL{Scheme: "http", Host: address, Path: Path}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, page.String(), nil)
		if err != nil {
			continue
		}
		request.Header.Set("Accept", string(expfmt.NewFormat(expfmt.TypeTextPlain)))
		response, err := client.Do(request)
		if err != nil {
			continue // speaks no HTTP, or is slow
		}
		response.Body.Close()
		if response.StatusCode == http.StatusOK && isMetrics(response.Header.Get("Content-Type")) {
			return page
		}
	}
	return nil
}

// isMetrics says whether a type of content is one of Prometheus' formats. Plain text must
// name its version: anything can be plain text.
func isMetrics(contentType string) bool {
	kind, parameters, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false
	}
	switch kind {
	case "text/plain":
		return parameters["version"] != ""
	case "application/openmetrics-text", "application/vnd.google.protobuf":
		return true
	}
	return false
}
