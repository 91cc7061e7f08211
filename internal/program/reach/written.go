package reach

import (
	"context"
	"os"
	"path/filepath"

	"github.com/gohone/hone/internal/program/gocommand"
)

// ReadWritten reads the counters that a program has written into a directory, by the go command of its side.
func (s Side) ReadWritten(ctx context.Context, dir string) (Counters, error) {
	profile := filepath.Clean(dir) + ".txt"
	defer func() { _ = os.Remove(profile) }()
	if _, _, err := gocommand.Ask(ctx, s.Env, s.Dir, "tool", "covdata", "textfmt", "-i="+dir, "-o="+profile); err != nil {
		return nil, err
	}
	return ReadCounters(profile)
}
