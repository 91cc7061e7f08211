package tap

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// connectionFields belong to the connection, or say how the content is cut or packed (RFC 9110 sections 7.6.1,
// 8.4 and 8.6): the content is compared as it is without that.
var connectionFields = []string{
	"Connection", "Content-Encoding", "Content-Length", "Keep-Alive", "Proxy-Connection", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade",
}

// maskedFields have values that differ by nature: times, sessions, ids for tracing, names of builds. Of them only the
// name is compared.
var maskedFields = []string{
	"Age", "Alt-Svc", "Date", "Etag", "Expires", "Last-Modified", "Nel", "Report-To", "Retry-After", "Server",
	"Server-Timing",
	"Trace-Id", "Traceparent", "Tracestate", "Traceresponse", "Via", "X-Powered-By",
}

// maskedParts are in the names of ids for requests and traces, such as X-Request-Id.
var maskedParts = []string{"request-id", "requestid", "trace-id", "traceid", "correlation-id", "-b3-", "amzn-trace",
	"span-id", "response-time", "runtime", "ratelimit"}

// trailerMark is in front of the names of fields that come after the body.
const trailerMark = "trailer "

// fields notes a header, or with a mark what comes after the body, sorted by name.
func (s *Sampled) fields(header http.Header, mark string, own ownWords) {
	for _, name := range slices.Sorted(maps.Keys(header)) {
		canonical := http.CanonicalHeaderKey(name)
		if slices.Contains(connectionFields, canonical) {
			continue
		}
		value := own.neutral([]byte(comparedValue(canonical, header[name])))
		s.Fields = append(s.Fields, SampledField{Name: mark + canonical, Value: hashOf(value)})
	}
}

// comparedValue is what is compared of the values of a field.
func comparedValue(name string, values []string) string {
	low := strings.ToLower(name)
	switch {
	case name == "Set-Cookie":
		return cookiesWithoutValues(values)
	case slices.Contains(maskedFields, name), slices.ContainsFunc(maskedParts,
		func(part string) bool { return strings.Contains(low, part) }):
		return ""
	}
	return strings.Join(values, "\x00")
}

// cookiesWithoutValues has the names of cookies and their attributes. Values and times differ by nature.
func cookiesWithoutValues(lines []string) string {
	var all []string
	for _, line := range lines {
		attributes := strings.Split(line, ";")
		for i, a := range attributes {
			name, _, _ := strings.Cut(strings.TrimSpace(a), "=")
			if a = strings.ToLower(strings.TrimSpace(a)); i == 0 || strings.EqualFold(name, "Expires") ||
				strings.EqualFold(name, "Max-Age") {
				a = name
			}
			attributes[i] = a
		}
		slices.Sort(attributes[1:])
		all = append(all, strings.Join(attributes, ";"))
	}
	slices.Sort(all)
	return strings.Join(all, "\x00")
}
