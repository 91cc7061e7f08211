package page

import "errors"

// Run makes the page of the run with this id or unambiguous prefix of it; fail.BadInput if there is none.
func (l *Library) Run(id string) (*Run, error) { return nil, errors.New("not built yet") }
