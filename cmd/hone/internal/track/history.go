package track

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"time"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/track"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
)

// History is what hone history says of the series that hone track keeps.
func History(of *app.App, f spec.Spec) error {
	name, err := regexp.Compile(f.Bench.Pattern)
	if err != nil {
		return fail.New(fail.BadInput, "--bench %q: %w", f.Bench.Pattern, err)
	}
	k, err := keptIn(of.Ctx, f.Track.Store)
	if err != nil {
		return err
	}
	q := chains.Query{Name: name, Measure: f.History.Measure, Branch: f.Track.Branch}
	switch {
	case f.Track.New:
		return k.tell(of, f, q)
	case f.Track.HTML != "":
		path, n, err := k.writePage(of.Ctx, f.Track.HTML, q)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(of.Stdout, "wrote %s: %d series\n", path, n)
		return err
	}
	h, err := k.history(of.Ctx, q)
	if err != nil {
		return err
	}
	return of.Print(f.JSON, h, func(w io.Writer) error { return report.Series(w, h, f.Shown) })
}

// kept is what the repository around the working directory keeps of its series.
type kept struct {
	dir   string
	store series.Store
}

// keptIn opens the store that a place names.
func keptIn(ctx context.Context, place string) (k kept, err error) {
	if k.dir, err = app.WorkDir(); err != nil {
		return k, err
	}
	k.store, err = series.Open(ctx, place, k.dir)
	return k, err
}

// read reads the points, and how they are to be taken.
func (k kept) read(ctx context.Context) (content series.Content, o chains.Options, steps chains.StepOptions, err error) {
	if content, err = k.store.Read(ctx); err != nil {
		return content, o, steps, err
	}
	if o.Gone, err = track.Gone(ctx, k.dir, content.Points); err != nil {
		return content, o, steps, err
	}
	steps.Now = time.Now()
	steps.Accepted, err = Accepted(k.dir)
	return content, o, steps, err
}

// history reads the series.
func (k kept) history(ctx context.Context, q chains.Query) (*chains.History, error) {
	content, o, steps, err := k.read(ctx)
	if err != nil {
		return nil, err
	}
	return chains.HistoryOf(k.store.String(), content, q, o, steps)
}

// page is the page of series, with links to the pages of commits at the repository's forge.
func (k kept) page(ctx context.Context, h *chains.History) *page.Series {
	return page.SeriesOf(h, git.CommitPages(ctx, k.dir))
}

// tell prints and sends what is new, and marks it in the store if that is asked for.
func (k kept) tell(of *app.App, f spec.Spec, q chains.Query) error {
	content, o, steps, err := k.read(of.Ctx)
	if err != nil {
		return err
	}
	news, err := chains.NewsOf(k.store.String(), content, q, o, steps)
	if err != nil {
		return err
	}
	if err := printNews(of, f, news, Owners(k.dir)); err != nil || !f.Track.Once {
		return err
	}
	return mark(of.Ctx, k.store, content, f.Track.Branch)
}
