package track

import (
	"context"
	"maps"
	"slices"

	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
)

// chain are the points of a branch that hone measured, but for those that say more of commits before, in the order in
// which they were written.
type chain []series.Point

func chainOf(points []series.Point, branch, subject string) (line chain) {
	for _, p := range points {
		if p.Branch == branch && p.Subject == subject && p.Regular() {
			line = append(line, p)
		}
	}
	return line
}

func (c chain) has(hash string) bool {
	for _, p := range c {
		if p.Commit.Hash == hash {
			return true
		}
	}
	return false
}

// base is the commit of the newest point that a commit contains; nil if there is none. skipped is how many newer points
// it does not contain: another branch was tracked, or a force push has taken them away.
func (c chain) base(ctx context.Context, dir, hash string) (base *series.Commit, skipped int, err error) {
	for i := len(c) - 1; i >= 0; i-- {
		if c[i].Anchor {
			continue
		}
		if contains(ctx, dir, hash, c[i].Commit.Hash) {
			return &c[i].Commit, skipped, nil
		}
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		skipped++
	}
	if len(c) > 0 && git.IsShallow(ctx, dir) {
		return nil, 0, fail.New(fail.BadInput, "this shallow clone has none of the %d commits that are tracked", len(c)).
			WithHint("git fetch --unshallow (in a workflow: fetch-depth: 0)")
	}
	return nil, skipped, nil
}

// contains says whether a commit is an ancestor of another one, as far as the clone knows.
func contains(ctx context.Context, dir, hash, ancestor string) bool {
	base, err := git.Base(ctx, dir, hash, ancestor)
	return err == nil && base == ancestor
}

// anchor is the commit that the next one is held against, too, if it is time: nil if not. It is the oldest since which half
// of the benchmarks did not begin anew: those that did have nothing in common with an older one.
func (c chain) anchor() *series.Commit {
	first, since := -1, 0
	at := map[string]int{}    // the number of the point, by the hash of its commit
	begun := map[string]int{} // and by a name: where its series begins
	for i, p := range c {
		if p.Anchor {
			since = 0
			continue
		}
		since++
		at[p.Commit.Hash] = i
		if p.Base == nil { // the chain begins here
			first, since = i, 0
			clear(begun)
		}
		for name, state := range statesOf(p) {
			_, known := begun[name]
			switch {
			case state == series.Removed:
				delete(begun, name)
			case state == series.Begins:
				begun[name] = i
			case !known && p.Base != nil:
				begun[name] = max(first, at[p.Base.Hash])
			}
		}
	}
	if first < 0 || since+1 < anchorEvery {
		return nil
	}
	if points := slices.Sorted(maps.Values(begun)); len(points) > 0 {
		first = points[(len(points)-1)/2]
	}
	return &c[first].Commit
}

// statesOf are the states of a point by names. A name begins anew only with all of its measures: a count that was 0 does
// so alone.
func statesOf(p series.Point) map[string]series.State {
	all := map[string]series.State{}
	for v := range p.All() {
		if before, seen := all[v.Name]; !seen || before == series.Begins {
			all[v.Name] = v.State
		}
	}
	return all
}

// names are the measures of each benchmark that the chain knows, without those that are gone.
func (c chain) names() map[string][]series.Value {
	known := map[string]map[string]series.Value{}
	for _, p := range c {
		for v := range p.All() {
			if v.State == series.Removed {
				delete(known, v.Name)
				continue
			}
			if known[v.Name] == nil {
				known[v.Name] = map[string]series.Value{}
			}
			known[v.Name][v.Measure] = v
		}
	}
	all := map[string][]series.Value{}
	for name, measures := range known {
		for _, v := range measures {
			all[name] = append(all[name], v)
		}
	}
	return all
}
