package gocommand

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/sys/diskroom"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
)

// fullWords are what go and its tools say where a disk is full: the texts of ENOSPC and
// EDQUOT.
var fullWords = []string{"no space left on device", "disk quota exceeded"}

// leastSpace is the space, in bytes, with which go can build nothing: hardly one file of its
// cache. go itself then often says only that a package is not there.
const leastSpace = 64 << 10

// CheckDisk says whether a go command failed since a disk is full, and then where: of the
// directories that go writes to it names the one with the least space. temp is the one for
// the files of this build, "" for that of the system; text is what go wrote.
func CheckDisk(ctx context.Context, env []string, dir, temp, text string) error {
	variable, path := "TMPDIR", temp
	if path == "" {
		path = os.TempDir()
	}
	free, err := diskroom.Free(path)
	if err != nil {
		return nil
	}
	if settings, err := ReadSettings(ctx, env, dir); err == nil {
		if n, err := diskroom.Free(settings.GOCACHE); err == nil && n < free {
			variable, path, free = "GOCACHE", settings.GOCACHE, n
		}
	}
	if free >= leastSpace &&
		!slices.ContainsFunc(fullWords, func(words string) bool { return strings.Contains(text, words) }) {
		return nil
	}
	return fail.New(fail.Storage, "no space left on device: go writes to %s, where %s are free\n%s",
		path, units.Bytes(float64(free)), output.LastLines(text)).
		WithHint("free space there, or set %s to a directory on another file system", variable)
}
