// Package lint holds the tests that keep the repository in shape: imports run down
// the floors, files stay short, nothing registers itself.
package lint
