package gobench

import (
	"context"
	"maps"
	"path/filepath"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/sys/git"
)

// embed looks whether a build of a side failed for want of files that it embeds and that git does not have. The build
// of a checkout then sees those of the working tree, so that both sides embed the same. It says whether there are more
// than before: the build is worth another try.
func (m *measurement) embed(ctx context.Context, p *pkg, side int, failed error) (more bool, err error) {
	s := m.sides[side]
	if s.Root == "" {
		return false, failed
	}
	tree, err := git.Run(ctx, m.task.WorkDir, "rev-parse", "--show-toplevel")
	if err != nil {
		return false, failed
	}
	found, err := build.FindEmbedded(failed.Error(), s.Dir, s.Root, filepath.Clean(tree))
	if err != nil {
		return false, err
	}
	before := len(s.Replaced)
	if s.Replaced == nil {
		s.Replaced = map[string]string{}
	}
	if maps.Copy(s.Replaced, found.Replace); len(s.Replaced) > before {
		m.result.Notes = append(m.result.Notes, benchmarks.Note{Package: p.path, Text: "A's " + found.Note()})
		return true, nil
	}
	if hint := found.Hint(); hint != "" {
		return false, m.sides[side].Failure("build the tests of %s: %w", p.path, failed).WithHint("%s", hint)
	}
	return false, failed
}
