// Package lint holds the tests that keep the repository in shape: imports run down
// the floors, files stay short, nothing registers itself, one name has one meaning,
// and what a document or a list names exists. Style is not tested: make prose lists it.
package lint
