package subject

import (
	"context"
	"path"
	"strings"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/git"
)

// checkTree returns nil if dir is a directory of the commit; dir is slash-separated,
// "." is the root.
func checkTree(ctx context.Context, repo, ref, commit, dir string) error {
	if dir == "." {
		return nil
	}
	kind, err := git.Run(ctx, repo, "cat-file", "-t", commit+":"+dir)
	if err == nil && kind == "tree" {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	fault := fail.New(fail.BadInput, "there is no directory %q at git ref %q (commit %.12s)", dir, ref, commit)
	for parent := path.Dir(dir); ; parent = path.Dir(parent) {
		tree, lead := commit+":"+parent, "directories in "+ref+":"+parent+": "
		if parent == "." {
			tree, lead = commit, "directories in "+ref+": "
		}
		names, err := git.Run(ctx, repo, "ls-tree", "--full-tree", "-d", "--name-only", tree)
		if err == nil || parent == "." {
			return fault.WithHint("%s", listHint(lead, strings.Fields(names)))
		}
	}
}
