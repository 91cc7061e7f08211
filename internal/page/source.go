package page

import "errors"

// Source reads a source file that the run's profile of that kind names; fail.BadInput for any other file.
func (l *Library) Source(run, kind, file string) (*Source, error) {
	return nil, errors.New("not built yet")
}
