package page

import "errors"

// Comparison makes the page of the comparison with this id or unambiguous prefix of it; fail.BadInput if there is none.
func (l *Library) Comparison(id string) (*Comparison, error) { return nil, errors.New("not built yet") }

// Stored makes the page of two stored runs side by side.
func (l *Library) Stored(a, b string) (*Comparison, error) { return nil, errors.New("not built yet") }
