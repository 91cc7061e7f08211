package gobench

import (
	"context"
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/fail"
)

// noteOutside notes what the checkout of a ref lacks, as it stands in a temporary directory:
// submodules, and what go.mod and go.work name outside of the repository.
func (m *measurement) noteOutside(ctx context.Context) error {
	a, b := m.sides[0], m.sides[1]
	if a.Root == "" {
		return nil
	}
	mine := strings.TrimSuffix(b.Dir, strings.TrimPrefix(a.Dir, a.Root)) // the root of the working tree
	lacks, err := sources.LackedBy(ctx, a, b, mine)
	if err != nil || len(lacks) == 0 {
		return err
	}
	beside := mine + "-A"
	m.outside = fmt.Sprintf("make a worktree next to the repository and name it: git worktree add --detach %s %.12s && "+
		"git -C %s submodule update --init, then --vs %s",
		beside, a.Commit, beside, beside)
	for _, text := range lacks {
		m.result.Notes = append(m.result.Notes, benchmarks.Note{Package: "",
			Text: a.Label + ": " + text + "; " + m.outside})
	}
	return nil
}

// explainOutside gives an error of the checkout the next step, if the checkout lacks anything.
func (m *measurement) explainOutside(side int, err error) error {
	if side != 0 || m.outside == "" {
		return err
	}
	return fail.New(fail.KindOf(err), "%w", err).WithHint("the checkout lacks what is outside of it: %s", m.outside)
}
