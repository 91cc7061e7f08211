package schemes

import "strings"

// WithPath puts a path, with a query if it has one, in the place of a target's own.
func WithPath(target, path string) string {
	if socket, ok := CutSocket(target); ok && path != "" {
		return socket + ":" + path
	}
	scheme, rest, found := strings.Cut(target, "://")
	if !found || path == "" {
		return target
	}
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		rest = rest[:i]
	}
	return scheme + "://" + rest + path
}

// CutSocket returns a target of HTTP over a Unix socket up to its path; false for any other.
func CutSocket(target string) (socket string, ok bool) {
	for _, scheme := range []string{"unix:", "http+unix:", "https+unix:"} {
		if rest, found := strings.CutPrefix(target, scheme); found {
			socket, _, _ = strings.Cut(strings.TrimPrefix(rest, "//"), ":/")
			return scheme + socket, true
		}
	}
	return "", false
}
