package listeners

import (
	"context"
	"net"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/sys/sockets"
	"github.com/gohone/hone/internal/text/fail"
)

// UnixTarget is the place of a Unix socket, as seen from the directory that the program runs in. One that begins
// with @ is a name in Linux's abstract namespace.
func UnixTarget(path, dir string) (Target, error) {
	if strings.HasPrefix(path, "@") {
		return Target{Text: path, Socket: path}, nil
	}
	at, err := filepath.Abs(paths.Within(dir, path))
	if err != nil {
		return Target{}, fail.New(fail.Environment, "find socket %s: %w", path, err)
	}
	if len(at) > sockets.LongestPath {
		return Target{}, fail.New(fail.BadInput,
			"target: the path of the socket %s has %d bytes, at most %d are possible",
			at, len(at), sockets.LongestPath).
			WithHint("choose a shorter path, or let hone choose it: write %s in the program's arguments and the target",
				templates.Socket)
	}
	return Target{Text: at, Socket: at}, nil
}

// DialUnix connects to a Unix socket, and says which process listens there; 0 where the system does not tell.
func DialUnix(ctx context.Context, path string) (listener int, err error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	raw, err := c.(*net.UnixConn).SyscallConn()
	if err == nil {
		_ = raw.Control(func(fd uintptr) { listener = peerOf(int(fd)) })
	}
	return listener, nil
}
