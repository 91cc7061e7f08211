package subject

import (
	"os"
	"path/filepath"

	"github.com/gohone/hone/internal/sys/sockets"
	"github.com/gohone/hone/internal/text/fail"
)

// SocketTemplate stands for the path of a Unix socket in a variant's arguments and environment, and in the
// target of a plan: a new path at each start, in a directory of hone's that is removed after it. {socket2} to
// {socket9} stand for further ones.
const SocketTemplate = "{socket}"

// makeSocketPath makes the directory for SocketTemplate. The names in it are short: see sockets.LongestPath.
func makeSocketPath(parent string) (dir string, err error) {
	abs, err := filepath.Abs(parent)
	if err != nil {
		return "", fail.New(fail.Environment, "make a directory for %s: %w", SocketTemplate, err)
	}
	dir = filepath.Join(abs, "s-"+randomName())
	if longest := filepath.Join(dir, "s9"); len(longest) > sockets.LongestPath {
		return "", fail.New(fail.Environment, "make a path for %s: %s has %d bytes, a Unix socket allows %d",
			SocketTemplate, longest, len(longest), sockets.LongestPath).WithHint("point TMPDIR at a directory with a shorter name")
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", fail.New(fail.Storage, "make a directory for %s: %w", SocketTemplate, err).
			WithHint("free some space there, or point TMPDIR at another directory")
	}
	return dir, nil
}
