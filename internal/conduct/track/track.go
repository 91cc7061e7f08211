package track

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
)

// anchorEvery is how many points a chain has between two that are also held against the anchor.
const anchorEvery = 10

// Task is what to track.
type Task struct {
	// Dir is in the work tree, whose commit is tracked.
	Dir string
	// Branch is whose series goes on, Subject what is measured of it: see series.Point.
	Branch, Subject string
	Store           series.Store
	// Compare holds the work tree against a commit. It returns nil where there is nothing to keep.
	Compare func(ctx context.Context, base string) (*Compared, error)
	// Report is the page of a comparison by its ID, for points at which something changed. Nil, or nil from it: none is
	// kept.
	Report func(id string) ([]byte, error)
	// Search measures new steps again. Nil: no step is.
	Search Search
	// Confirm is the time that all searches of a job may take together; 0: no step is measured again.
	Confirm time.Duration
	// Accepted are known steps, which are not measured again.
	Accepted []chains.Accepted
}

// Run tracks the commit of the work tree, and then measures steps again that nothing has confirmed yet, also those of
// earlier jobs that were cut.
func Run(ctx context.Context, t Task) (*series.Outcome, error) {
	hash, dirty := git.CommitOf(ctx, t.Dir)
	switch {
	case hash == "":
		return nil, fail.New(fail.BadInput, "there is no commit to track: %s is not in a git repository, or the repository has no commit", t.Dir)
	case dirty:
		return nil, fail.New(fail.BadInput, "the work tree has changes that are not committed: they are of no commit's point").
			WithHint("commit them, or put them aside: git stash -u")
	}
	head, err := git.Describe(ctx, t.Dir, hash)
	if err != nil {
		return nil, err
	}
	content, err := t.Store.Read(ctx)
	if err != nil {
		return nil, err
	}
	out := &series.Outcome{Schema: series.OutcomeSchema, Tracked: series.CommitOf(head), Branch: t.Branch, Store: t.Store.String(), Faults: content.Faults}
	line := chainOf(content.Points, t.Branch, t.Subject)
	if line.has(hash) {
		out.Notes = append(out.Notes, "this commit is in the series already")
		return out, t.confirm(ctx, out)
	}
	base, skipped, err := line.base(ctx, t.Dir, hash)
	if err != nil {
		return nil, err
	}
	if skipped > 0 && base != nil {
		out.Notes = append(out.Notes, fmt.Sprintf("%d newer points are of commits that this one does not contain: it is held "+
			"against %.12s", skipped, base.Hash))
	}
	if err := t.track(ctx, out, base, line); err != nil {
		return out, err
	}
	return out, t.confirm(ctx, out)
}

// track adds the points of a commit.
func (t Task) track(ctx context.Context, out *series.Outcome, base *series.Commit, line chain) error {
	if base == nil {
		if len(line) > 0 {
			out.Notes = append(out.Notes, fmt.Sprintf("the commit contains none of the %d that are tracked: the series begins anew",
				len(line)))
		}
		return t.add(ctx, out, nil, false, nil, line)
	}
	if err := t.compare(ctx, out, *base, false, line); err != nil {
		return err
	}
	if anchor := line.anchor(); anchor != nil && anchor.Hash != base.Hash &&
		contains(ctx, t.Dir, out.Tracked.Hash, anchor.Hash) {
		return t.compare(ctx, out, *anchor, true, line)
	}
	return nil
}

// compare adds a point of the commit against another one. Where that cannot be measured any more, the series begins
// anew; an anchor that cannot be is asked for again when the next one is due.
func (t Task) compare(ctx context.Context, out *series.Outcome, base series.Commit, anchor bool, line chain) error {
	c, err := t.Compare(ctx, base.Hash)
	if c == nil || ctx.Err() != nil {
		return err
	}
	out.Notes = append(out.Notes, c.Notes...)
	of := &base
	if c.NoBase != "" {
		goesOn := "the series begins anew"
		if of = nil; anchor {
			of, goesOn = &base, "it is not compared with the anchor today"
		}
		out.Notes = append(out.Notes, fmt.Sprintf("commit %.12s cannot be measured any more, %s: %s", base.Hash, goesOn, c.NoBase))
	}
	return errors.Join(t.add(ctx, out, of, anchor, c, line), err)
}

// add stores a point, of a comparison, or, without one, of the commit at which a series begins.
func (t Task) add(ctx context.Context, out *series.Outcome, base *series.Commit, anchor bool, c *Compared,
	line chain) (err error) {
	p := series.Point{At: time.Now().UTC().Truncate(time.Second), Branch: t.Branch,
		Subject: t.Subject, Commit: out.Tracked, Base: base, Anchor: anchor,
		Commits: commitsSince(ctx, t.Dir, base, out.Tracked.Hash)}
	id := ""
	if c != nil {
		p.Machine, p.Values, id = c.Machine, c.valuesIn(line.names()), c.ID
	}
	return t.append(ctx, out, p, id)
}

// append stores a point, with the page of the comparison that it is of where that shows a difference. id is empty for
// none.
func (t Task) append(ctx context.Context, out *series.Outcome, p series.Point, id string) (err error) {
	reports := map[string][]byte{}
	if id != "" && p.Base != nil && changed(p.Values) && t.Report != nil {
		page, err := t.Report(id)
		switch {
		case err != nil:
			out.Notes = append(out.Notes, "the page of the comparison is not kept: "+err.Error())
		case page != nil:
			p.Report = series.ReportName(fmt.Sprintf("%.12s-%.12s", p.Base.Hash, p.Commit.Hash), page, "html")
			reports[p.Report] = page
		}
	}
	if p, err = series.Identify(p); err != nil {
		return err
	}
	if err := t.Store.Append(ctx, []series.Point{p}, reports); err != nil {
		return err
	}
	out.Points = append(out.Points, p)
	return nil
}
