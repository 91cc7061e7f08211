package requests

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// keptHeaders are the headers of a recording that are sent again: what an application may
// answer differently for, and no secret.
var keptHeaders = []string{"accept", "accept-language", "content-type", "if-none-match", "if-modified-since", "range",
	"x-requested-with", "content-language"}

// secretHeaders are left out, since a recording is passed on more easily than a secret.
var secretHeaders = []string{"authorization", "cookie", "proxy-authorization", "x-api-key", "x-csrf-token",
	"x-xsrf-token", "x-auth-token"}

// kept are the headers of an entry that go into its request, sorted by name, so that
// requests that are the same count as one. kind is the type of the body.
func (h *harReader) kept(all []harField, kind string) []string {
	lines := map[string]string{}
	for _, f := range all {
		name := strings.ToLower(f.Name)
		switch {
		case strings.HasPrefix(name, ":") || name == "host" || name == "content-length":
			continue // hone says these itself
		case !slices.Contains(keptHeaders, name):
			h.headers[name]++
			continue
		case !httpguts.ValidHeaderFieldName(f.Name) || !httpguts.ValidHeaderFieldValue(f.Value):
			continue
		}
		lines[name] = f.Name + ": " + f.Value
	}
	if _, has := lines["content-type"]; !has && kind != "" && httpguts.ValidHeaderFieldValue(kind) {
		lines["content-type"] = "Content-Type: " + kind
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		out = append(out, lines[name])
	}
	return out
}

// noteHeaders says which headers are left out. Headers of a browser are not named.
func (h *harReader) noteHeaders() string {
	var secret, other []string
	for _, name := range slices.Sorted(maps.Keys(h.headers)) {
		switch {
		case slices.Contains(secretHeaders, name):
			secret = append(secret, name)
		case strings.HasPrefix(name, "x-"):
			other = append(other, ShortName(name))
		}
	}
	if len(h.headers) == 0 {
		return ""
	}
	text := "headers of the browser and of connections are left out"
	if len(secret) > 0 {
		text += fmt.Sprintf("; so are secrets: %s (give your own by -H)", strings.Join(secret, ", "))
	}
	if len(other) > 8 {
		other = append(other[:8], "and others")
	}
	if len(other) > 0 {
		text += "; and " + strings.Join(other, ", ")
	}
	return text
}
