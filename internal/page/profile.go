package page

import "errors"

// Profile makes a profile of a run ready to be drawn. The cohort is that of a wait profile, else empty. A run or a kind
// that is not there is fail.BadInput.
func (l *Library) Profile(run, kind, cohort string) (*Profile, error) {
	return nil, errors.New("not built yet")
}
