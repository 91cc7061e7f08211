// Package statement writes SQL statements without their values, so that they can be shown and
// stored: of all calls that differ only in values it makes one text.
package statement

import "embed"

// Redact returns a statement without its literals, parameters and comments, at most 304 bytes:
// "SELECT name FROM users WHERE id IN (?)". What cannot be understood for certain ends in "...".
// It knows no dialect, and takes for a value what one of them takes for a value.
func Redact(text string) string { return redactedStatement(text) }

// Sources are the files of this package that a program needs to redact statements by itself. They
// import package strings alone.
//
//go:embed redact.go names.go
var Sources embed.FS
