package series

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/store/bucket"
	"github.com/gohone/hone/internal/text/fail"
)

// DefaultBranch is the branch of "branch:".
const DefaultBranch = "hone-series"

// DefaultPlace is the store without a setting.
const DefaultPlace = branchPrefix + DefaultBranch

// branchPrefix begins the names of stores that are branches.
const branchPrefix = "branch:"

// Open returns the store that where names, for the repository around dir. It touches nothing yet, but looks for the
// repository of a branch.
//
//	PATH           a directory, from dir where the path is relative
//	branch:NAME    a branch of the repository; branch: is branch:hone-series
//	s3://PLACE     an object store, as hone share has it
//
// Errors: fail.BadInput, with what can be named.
func Open(ctx context.Context, where, dir string) (Store, error) {
	switch scheme, _, remote := strings.Cut(where, "://"); {
	case where == "":
		return nil, fail.New(fail.BadInput, "the store of the series has no name").
			WithHint("name a directory, or %s for a branch of this repository", branchPrefix)
	case strings.HasPrefix(where, branchPrefix):
		name := strings.TrimPrefix(where, branchPrefix)
		if name == "" {
			name = DefaultBranch
		}
		branch, err := OpenBranch(ctx, dir, name)
		if err != nil {
			return nil, err // no Store, and not one that holds nil
		}
		return branch, nil
	case remote && scheme == "s3":
		return OpenObjects(where, func(ctx context.Context) (OpenPlace, error) {
			child, err := bucket.Start(ctx, where)
			if err != nil {
				return nil, err // no OpenPlace, and not one that holds nil
			}
			return child, nil
		}), nil
	case remote:
		return nil, fail.New(fail.BadInput, "%s is no store of a series: hone does not know %s", quoted(where),
			quoted(scheme+"://")).WithHint("name a directory, %s for a branch of this repository, or s3://BUCKET/PREFIX", branchPrefix)
	case filepath.IsAbs(where):
		return OpenDir(where), nil
	}
	return OpenDir(filepath.Join(dir, where)), nil
}
