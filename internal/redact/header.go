package redact

import (
	"slices"
	"strings"
)

// plainHeaders describe a request and hold no secret.
var plainHeaders = []string{"accept", "accept-encoding", "accept-language", "cache-control", "connection", "content-type", "host", "user-agent"}

// Headers returns header lines ("Name: value") with their names only, but for a few that
// describe a request. The argument stays as it is.
func Headers(lines []string) []string {
	out := slices.Clone(lines)
	for i, line := range lines {
		name := strings.TrimSpace(line)
		// A line without a colon may still be "Cookie a=b", mistyped.
		if end := strings.IndexAny(name, ": \t="); end > 0 {
			name = name[:end]
		}
		if !slices.Contains(plainHeaders, strings.ToLower(name)) {
			out[i] = name + ": " + Mark
		}
	}
	return out
}
