package git

import "context"

// TreeOf is the hash of the tree of a commit: that of all its files, whoever committed them, and when.
func TreeOf(ctx context.Context, dir, commit string) (string, error) {
	return Run(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", commit+"^{tree}")
}

// Origin is the address of the remote origin of the repository around dir; empty where there is none.
func Origin(ctx context.Context, dir string) string {
	c, err := readConfig(ctx, dir)
	if err != nil {
		return ""
	}
	return c.first("remote.origin.url")
}
