package track

import (
	"context"
	"time"

	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/sys/git"
)

// Gone says which commits of a series force pushes have taken from their branch, as far as the clone at dir knows. A
// clone that is older than the series does not have its newest commits: so a commit is gone only if the branch has one
// of a later day that was tracked after it. It asks git once for each branch.
func Gone(ctx context.Context, dir string, points []series.Point) (func(branch, hash string) bool, error) {
	oldest := map[string]time.Time{}
	for _, p := range points {
		if first, known := oldest[p.Branch]; !p.Commit.Time.IsZero() && (!known || p.Commit.Time.Before(first)) {
			oldest[p.Branch] = p.Commit.Time
		}
	}
	gone := map[string]map[string]bool{}
	for branch, since := range oldest {
		has, err := git.Contained(ctx, dir, branch, since.AddDate(0, 0, -1)) // an author's clock
		if err != nil {
			return nil, err
		}
		if has != nil {
			gone[branch] = goneFrom(branch, points, has)
		}
	}
	return func(branch, hash string) bool { return gone[branch][hash] }, nil
}

// goneFrom are the tracked commits that a branch does not have.
func goneFrom(branch string, points []series.Point, has map[string]bool) map[string]bool {
	gone := map[string]bool{}
	var latest time.Time // of those after this point that the branch has
	for i := len(points) - 1; i >= 0; i-- {
		p := points[i]
		switch t := p.Commit.Time; {
		case p.Branch != branch || t.IsZero():
		case has[p.Commit.Hash]:
			if t.After(latest) {
				latest = t
			}
		case t.Before(latest):
			gone[p.Commit.Hash] = true
		}
	}
	return gone
}
