package gobench

import (
	"context"
	"path/filepath"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/git"
	"github.com/gohone/hone/internal/tempdir"
)

// checkout makes a checkout of the commit in a temporary directory: the benchmarks run in
// it and may write there, so it is no checkout to be shared. cleanup removes it, and is
// never nil; a later hone removes it when this one is killed. note is a sentence on files
// that are not as plain git would have them.
func checkout(ctx context.Context, dir, commit string) (root, note string, cleanup func(), err error) {
	temp, err := tempdir.Make()
	if err != nil {
		return "", "", func() {}, err
	}
	cleanup = func() { _ = temp.Remove() } // what is left a later hone removes
	root = filepath.Join(temp.Path, "source")
	if err := git.Checkout(ctx, dir, commit, root); err != nil {
		cleanup()
		if ctx.Err() != nil {
			return "", "", func() {}, ctx.Err()
		}
		return "", "", func() {}, fail.New(fail.Or(fail.Environment, err), "check out %.12s: %w", commit, err)
	}
	note, err = git.Unfiltered(ctx, dir, root)
	return root, note, cleanup, err
}
