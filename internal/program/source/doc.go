// Package source finds the main package that a user names: a directory, Go files, an import path, or one of these at a
// git ref, which it checks out.
package source
