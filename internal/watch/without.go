package watch

import (
	"context"

	"github.com/gohone/hone/internal/vitals"
)

// without is a source that cannot be had, with the reason.
type without struct {
	what string
	why  error
}

func (w *without) name() string { return w.what }

func (w *without) read(context.Context) (vitals.Reading, error) {
	return vitals.Reading{}, refusal{w.why}
}

func (w *without) close() {}
