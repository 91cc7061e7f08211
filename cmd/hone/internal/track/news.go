package track

import (
	"cmp"
	"context"
	"io"
	"strings"
	"time"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/report"
)

// CheckNews refuses what needs --new and stands without it, and a mark after a part of the news.
func CheckNews(f spec.Spec) error {
	switch {
	case f.Track.Post != "" && !f.Track.New:
		return fail.New(fail.BadInput, "--post sends what is new").WithHint("hone history --new --post URL")
	case f.Track.Once && !f.Track.New:
		return fail.New(fail.BadInput, "--once marks what --new has listed").WithHint("hone history --new --once")
	case f.Track.Once && (f.Bench.Pattern != "" || f.History.Measure != ""):
		return fail.New(fail.BadInput, "--once marks all that is new, and --bench or --measure lists a part of it").
			WithHint("leave one of them out")
	}
	return nil
}

// printNews prints what is new, and sends it to a webhook, if one is named.
func printNews(of *app.App, f spec.Spec, news *chains.News, owners func(chains.Key) []string) error {
	var text strings.Builder
	if err := report.News(&text, news, owners); err != nil {
		return err
	}
	err := of.Print(f.JSON, news, func(w io.Writer) error {
		_, err := io.WriteString(w, text.String())
		return err
	})
	if f.Track.Post == "" {
		return err
	}
	return cmp.Or(Post(of.Ctx, f.Track.Post, news, text.String()), err)
}

// mark says in a store that somebody was told of all that was read of it. branch is empty for all branches.
func mark(ctx context.Context, store series.Store, read series.Content, branch string) error {
	marks := chains.Told(read.Points, branch)
	for i := range marks {
		marks[i].At = time.Now().UTC().Truncate(time.Second)
	}
	return store.Append(ctx, marks, nil)
}
