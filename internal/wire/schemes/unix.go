package schemes

import (
	"net/url"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/http1"
)

// unixHost stands in requests where a TCP target has its address: a Unix socket has
// none, and HTTP wants one.
const unixHost = "localhost:80"

// maxUnixPath is the longest path of a Unix socket: sun_path holds 108 bytes on Linux
// with the NUL behind it (unix(7)).
const maxUnixPath = 107

// cutUnix splits a target of the form unix:REST or NAME+unix:REST into the name of its
// protocol and the rest.
func cutUnix(target string) (name, rest string, ok bool) {
	prefix, rest, ok := strings.Cut(target, ":")
	if !ok {
		return "", "", false
	}
	lower := strings.ToLower(prefix)
	if lower == http1.Unix.Name {
		return lower, rest, true
	}
	name, ok = strings.CutSuffix(lower, "+"+http1.Unix.Name)
	if !ok || name == http1.Unix.Name {
		return "", "", false
	}
	return name, rest, true
}

// OverUnix says that a target, as its user wrote it, is reached over a Unix socket.
func OverUnix(target string) bool {
	_, _, ok := cutUnix(target)
	return ok
}

// unixTarget reads what stands after the scheme: PATH, or PATH:URI where URI begins
// with a slash. unix:///path is taken as unix:/path, as other tools write it. A path
// that begins with @ is a name in Linux's abstract namespace.
func unixTarget(target, rest string, scheme *wire.Scheme) (path string, u *url.URL, err error) {
	if strings.HasPrefix(rest, "///") {
		rest = rest[2:]
	}
	path, uri := rest, ""
	if i := strings.Index(rest, ":/"); i >= 0 {
		path, uri = rest[:i], rest[i+1:]
	}
	example := unixExample(scheme)
	switch {
	case path == "" || path == "/" || strings.HasPrefix(path, "//"):
		return "", nil, fail.New(fail.BadInput, "target %q names no socket", target).
			WithHint("write it like %s", example)
	case len(path) > maxUnixPath:
		return "", nil, fail.New(fail.BadInput,
			"target %q: the path of the socket has %d bytes, at most %d are possible",
			target, len(path), maxUnixPath).
			WithHint("name it relative to the working directory, or by a short symbolic link")
	case strings.ContainsRune(path, 0):
		return "", nil, fail.New(fail.BadInput, "target %q: the path of the socket holds a zero byte", target).
			WithHint("write it like %s", example)
	}
	u, err = url.Parse("http://" + unixHost + uri)
	if err != nil {
		return "", nil, badTarget(target, err, scheme)
	}
	return path, u, nil
}

// unixExample is a target over a Unix socket for the protocol.
func unixExample(s *wire.Scheme) string {
	if s == http1.Unix {
		return s.Example
	}
	return s.Name + "+unix:/run/app.sock"
}
