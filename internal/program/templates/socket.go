package templates

import (
	"os"
	"path/filepath"

	"github.com/gohone/hone/internal/sys/sockets"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// Socket stands for the path of a Unix socket in a variant's arguments and environment, and in the
// target of a plan: a new path at each start, in a directory of hone's that is removed after it. {socket2} to
// {socket9} stand for further ones.
const Socket = "{socket}"

// makeSocketPath makes the directory for {socket}. The names in it are short: see sockets.LongestPath.
func makeSocketPath(parent string) (dir string, err error) {
	abs, err := filepath.Abs(parent)
	if err != nil {
		return "", fail.New(fail.Environment, "make a directory for %s: %w", Socket, err)
	}
	dir = filepath.Join(abs, "s-"+tempdir.RandomName())
	if longest := filepath.Join(dir, "s9"); len(longest) > sockets.LongestPath {
		return "", fail.New(fail.Environment, "make a path for %s: %s has %d bytes, a Unix socket allows %d",
			Socket, longest, len(longest),
			sockets.LongestPath).WithHint("point TMPDIR at a directory with a shorter name")
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", fail.New(fail.Storage, "make a directory for %s: %w", Socket, err).
			WithHint("free some space there, or point TMPDIR at another directory")
	}
	return dir, nil
}
