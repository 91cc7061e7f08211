// Package lint holds the tests that keep the repository in shape: imports run down
// the floors, files stay short, nothing registers itself, one name has one meaning,
// and code and documents are in plain English.
package lint
