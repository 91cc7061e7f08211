package receipt

import (
	"slices"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/view/stored"
)

// content is what a side was made of: a tree, or a release, and whether files differed from it.
type content struct {
	tree  string
	dirty bool
}

// contentOf names a side by its tree, or by its commit where the repository does not know that any more.
func (s *making) contentOf(commit, release string, dirty bool) content {
	for _, name := range []string{s.tree(commit), commit, release} {
		if name != "" {
			return content{name, dirty}
		}
	}
	return content{}
}

// tries counts the comparisons of the ledger that compared the same contents to the end, benchmarks and services apart.
func (s *making) tries(l *ledger.Ledger, c *stored.Comparison, sides []Side) (Tries, error) {
	var want []content
	for _, side := range sides {
		want = append(want, s.contentOf(side.Commit, side.Release, side.Dirty))
	}
	rows, err := l.Comparisons(0)
	if err != nil {
		return Tries{}, err
	}
	slices.Reverse(rows) // the oldest first
	var t Tries
	for _, row := range rows {
		if s.ctx.Err() != nil {
			return t, s.ctx.Err()
		}
		same := row.ID == c.Row.ID
		ofBenchmarks := stored.SchemaOf(row.Doc) == benchmarks.Schema
		if !same && row.Status == ledger.Complete && ofBenchmarks == (c.Bench != nil) {
			has, err := s.contents(l, row)
			same = err == nil && slices.Equal(has, want)
		}
		if same {
			t.Of++
		}
		if row.ID == c.Row.ID {
			t.Place = t.Of
		}
	}
	return t, nil
}

// contents are those of the sides of a stored comparison.
func (s *making) contents(l *ledger.Ledger, row ledger.Comparison) (all []content, err error) {
	if stored.SchemaOf(row.Doc) == benchmarks.Schema {
		c, err := stored.ComparisonOf(row)
		if err != nil {
			return nil, err
		}
		for _, b := range c.Bench.Sides {
			all = append(all, s.contentOf(b.Commit, "", b.Dirty))
		}
		return all, nil
	}
	for _, id := range row.Runs {
		run, err := l.Run(id)
		if err != nil {
			return nil, err
		}
		all = append(all, s.contentOf(run.Commit, "", run.Dirty))
	}
	return all, nil
}
