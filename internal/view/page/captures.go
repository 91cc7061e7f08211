package page

import (
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof"
)

// captures reads the profiles of one kind of a run, and adds them up. A run without is fail.BadInput.
func (l *Library) captures(run, kind string) (prof.Capture, error) {
	all, err := l.pieces(run, kind)
	if err != nil {
		return prof.Capture{}, err
	}
	if len(all) == 0 {
		return prof.Capture{}, fail.New(fail.BadInput, "run %s has no %s profile", run,
			kind).WithHint("hone show %s lists what it has", run)
	}
	c, err := prof.MergeCaptures(all)
	if err != nil {
		return c, fail.New(fail.BadInput, "run %s: %w", run, err)
	}
	return c, nil
}

// pieces reads the profiles of one kind of a run, in the order in which they were taken.
func (l *Library) pieces(run, kind string) ([]prof.Capture, error) {
	all, _, err := l.Stored.Captures(run, kind)
	return all[kind], err
}
