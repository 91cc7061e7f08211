package recognise

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
)

// Use is what a port seems to be for, by its answer.
type Use int

// The uses, the best one for a measurement last.
const (
	Foreign  Use = iota // neither HTTP nor gRPC nor RESP
	Missing             // HTTP, but nothing at the path: 404, or an error
	Calls               // gRPC, whose methods have to be named
	Monitors            // a health check, or an index of metrics and profiles
	Serves              // it answers
)

// Use judges the answer.
func (s Seen) Use() Use {
	switch {
	case s.Protocol == GRPC:
		return Calls
	case s.Protocol == Redis:
		return Serves
	case s.Protocol != HTTP && s.Protocol != HTTP2:
		return Foreign
	case s.Status == http.StatusUnauthorized, s.Status == http.StatusForbidden, s.Status == http.StatusMethodNotAllowed:
		return Serves // it is there, and wants more than was asked with
	case s.Status >= 400:
		return Missing
	case isHealth(s.Body), isIndex(s.Body):
		return Monitors
	}
	return Serves
}

// healthWords are what health checks answer, in lower case.
var healthWords = map[string]bool{
	"ok": true, "okay": true, "healthy": true, "alive": true, "up": true, "ready": true, "live": true, "pass": true,
	"serving": true,
}

// longestHealth is the longest body that may be a health check's.
const longestHealth = 256

// isHealth says that a body is that of a health check: one such word, or a JSON object
// with one as its status.
func isHealth(body []byte) bool {
	body = bytes.TrimSpace(body)
	if len(body) > longestHealth {
		return false
	}
	if healthWords[strings.ToLower(strings.Trim(string(body), `".!`))] {
		return true
	}
	var object map[string]any
	if json.Unmarshal(body, &object) != nil {
		return false
	}
	for _, name := range []string{"status", "health", "state"} {
		if word, ok := object[name].(string); ok && healthWords[strings.ToLower(word)] {
			return true
		}
	}
	return false
}

// isIndex says that a body is the page of an exporter or of net/http/pprof that only leads on.
func isIndex(body []byte) bool {
	if len(body) >= mostBody {
		return false
	}
	return bytes.Contains(body, []byte("/debug/pprof")) || linksToMetrics.Match(body)
}

// linksToMetrics finds the link of an exporter's page.
var linksToMetrics = regexp.MustCompile(`(?i)href\s*=\s*["']?(?:\./|/)?metrics["'\s>]`)

// LeadsToMetrics says that the answer is the page of an exporter, which leads to its metrics.
func (s Seen) LeadsToMetrics() bool { return s.Use() == Monitors && linksToMetrics.Match(s.Body) }

// Lists says that the answer is a page that names other paths of its own, as a help text does.
func (s Seen) Lists(paths []string) bool {
	if s.Status != http.StatusOK {
		return false
	}
	named := 0
	for _, p := range paths {
		if p != "/" && bytes.Contains(s.Body, []byte(p)) {
			named++
		}
	}
	return named >= 2
}
