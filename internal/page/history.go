package page

import (
	"errors"

	"github.com/gohone/hone/internal/history"
)

// History makes the page of one measure over time.
func (l *Library) History(q history.Query) (*History, error) { return nil, errors.New("not built yet") }
