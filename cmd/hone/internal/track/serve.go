package track

import (
	"context"

	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/web"
)

// Pages reads the series of a place for a server, anew for each page.
func Pages(place string) web.Series {
	return web.Series{
		Page: func(ctx context.Context) (*page.Series, error) {
			k, err := keptIn(ctx, place)
			if err != nil {
				return nil, err
			}
			h, err := k.history(ctx, chains.Query{})
			if err != nil {
				return nil, err
			}
			return k.page(ctx, h), nil
		},
		Report: func(ctx context.Context, name string) ([]byte, error) {
			k, err := keptIn(ctx, place)
			if err != nil {
				return nil, err
			}
			return k.store.Report(ctx, name)
		},
	}
}
