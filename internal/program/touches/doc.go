// Package touches says what a change touches besides the code that it is for: tests, go.mod, directives of the
// compiler, the CI. It is derived from the trees of two commits and not from the text of a patch, so that it holds for
// a patch, a pull request and a branch alike. A faster program is to be faster by its code; what else is changed is
// named, and a patch that is tried may change it only where its user allows that (hone compare --allow).
package touches
