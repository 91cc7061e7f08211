package watch

import (
	"context"
	"errors"

	"github.com/gohone/hone/internal/text/vitals"
)

// guessed is a source that may be there: the user named the address, not the page. It is
// left alone after the first wrong answer.
type guessed struct {
	source
	check *httpCheck // nil where the user said that it is HTTP
	right bool
}

func (g *guessed) read(ctx context.Context) (vitals.Reading, error) {
	if g.check != nil {
		if err := g.check.speaks(ctx); err != nil {
			return vitals.Reading{}, err
		}
	}
	r, err := g.source.read(ctx)
	switch {
	case err == nil:
		g.right = true
	case g.right, errors.As(err, new(unreachable)), errors.As(err, new(timedOut)),
		errors.Is(ctx.Err(), context.Canceled):
	default:
		err = refusal{err}
	}
	return r, err
}
