package git

import (
	"context"
	"fmt"
	"strings"
)

// The modes of entries of a tree that are no plain files (git-fast-import, "filemodify").
const (
	LinkMode      = "120000"
	SubmoduleMode = "160000"
	noMode        = "000000"
)

// TreeChange is a file that differs between two trees. A renamed file is one that is gone and one that is new.
type TreeChange struct {
	Path string
	// OldMode and NewMode, OldHash and NewHash are empty where the file is not there.
	OldMode, NewMode string
	OldHash, NewHash string
}

// TreeChanges are the files that differ between two commits of the repository around dir.
func TreeChanges(ctx context.Context, dir, a, b string) ([]TreeChange, error) {
	config, err := readConfig(ctx, dir)
	if err != nil {
		return nil, err
	}
	return treeChanges(ctx, func(ctx context.Context, input string, args ...string) (string, error) {
		return runWith(ctx, dir, config.shield(), input, findOwn(), args...)
	}, a, b)
}

// treeChanges asks for hashes and names alone: no command for differences is run (diff.external, textconv).
func treeChanges(ctx context.Context, git func(ctx context.Context, input string, args ...string) (string, error),
	a, b string) ([]TreeChange, error) {
	out, err := git(ctx, "", "diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff",
		"--no-textconv", a, b)
	if err != nil {
		return nil, err
	}
	var all []TreeChange
	for out != "" {
		head, rest, _ := strings.Cut(out, "\x00")
		name, more, found := strings.Cut(rest, "\x00")
		fields := strings.Fields(strings.TrimPrefix(head, ":"))
		if !found || len(fields) != 5 {
			return nil, fmt.Errorf("git diff-tree: %q is no entry", head)
		}
		c := TreeChange{Path: name, OldMode: fields[0], NewMode: fields[1], OldHash: fields[2], NewHash: fields[3]}
		if c.OldMode == noMode {
			c.OldMode, c.OldHash = "", ""
		}
		if c.NewMode == noMode {
			c.NewMode, c.NewHash = "", ""
		}
		all, out = append(all, c), more
	}
	return all, nil
}
