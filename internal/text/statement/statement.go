// Package statement writes SQL statements without their values, so that they can be shown and
// stored: of all calls that differ only in values it makes one text.
package statement

import (
	"embed"
	"slices"
	"strings"
)

// Redact returns a statement without its literals, parameters and comments, at most 304 bytes:
// "SELECT name FROM users WHERE id IN (?)". What cannot be understood for certain ends in "...".
// It knows no dialect, and takes for a value what one of them takes for a value.
func Redact(text string) string { return redactedStatement(text) }

// writes are the words that statements begin with that change rows.
var writes = []string{"INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE", "UPSERT"}

// reads are the words that statements begin with that change nothing, if none of writes follows.
var reads = []string{"SELECT", "WITH", "VALUES", "TABLE"}

// Writes says that a statement changes rows: its first word does.
func Writes(text string) bool {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return slices.Contains(writes, strings.ToUpper(word))
}

// Reads says that a statement changes nothing, and locks nothing.
func Reads(text string) bool {
	words := strings.Fields(strings.ToUpper(text))
	return len(words) > 0 && slices.Contains(reads, words[0]) &&
		!slices.ContainsFunc(words, func(w string) bool { return slices.Contains(writes, strings.Trim(w, "()")) })
}

// Sources are the files of this package that a program needs to redact statements by itself. They
// import package strings alone.
//
//go:embed redact.go names.go
var Sources embed.FS
