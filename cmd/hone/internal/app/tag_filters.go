package app

import (
	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof"
)

// TagFilters are the filters of labels; nil filters nothing.
func TagFilters(p *spec.Profile) (focus, ignore profile.TagMatch, err error) {
	if focus, err = prof.ParseTagFilter(p.TagFocus); err != nil {
		return nil, nil, fail.New(fail.BadInput, "--tag-focus: %w", err)
	}
	if ignore, err = prof.ParseTagFilter(p.TagIgnore); err != nil {
		return nil, nil, fail.New(fail.BadInput, "--tag-ignore: %w", err)
	}
	return focus, ignore, nil
}
